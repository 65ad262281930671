import ExpressionEngine
import ExpressionSyntax
import Testing

@testable import FilterCorpus

@Suite("CorpusFile")
struct CorpusReaderTests {
  static let sample = #"""
    # topic: strings
    # description: startsWith and its edges
    # dialect: superscript

    @context people
      vars {
        "user": {"age": 25, "tags": ["a", b"\xff", 5u, 1.0]},
        "n": 5,
      }
      device {"daysSince": ["event_name"]}
      host {"daysSince(app_install)": 3, "junk": raw("not json")}

    # A comment between cases.
    == startsWith_ascii
      "alice".startsWith("al")
    -- true : bool
    == two_lines
      user.age >= 18 &&
        user.plan == "pro"
      with people + {"user.plan": "pro"}
    -- false : bool
    == needs_string
      3.startsWith("a")
    !! E0203 @1:1 operator `startsWith` needs a string on the left
    | error[E0203]: operator
    |
    | 1 | 3.startsWith
    == any_error
      1/0
    !! any: the reference aborts
    == lazy_right
      false && 1/0 == 0
      with {"x": timestamp("2024-02-29T12:34:56.5+02:00")}
    -- false : bool
    ?? skip: pending decision 0007

    @use people
    == odd-text
      quoted "\t1 +\u0000"
      device {"none": []}
    !!
    == raw
      definition {"variables":{"map":{}},"expression":"1"}
    -- 1 : int
    == hang
      device.echo(device.txt())
    -- any

    """#

  @Test("everything the format has is read")
  func reading() throws {
    let file = try CorpusFile(reading: Self.sample, path: "corpus/superscript/strings.corpus")
    #expect(file.header["topic"] == "strings")
    #expect(file.address == "superscript/strings")
    let cases = file.cases
    #expect(cases.map(\.id).first == "superscript/strings#startsWith_ascii")
    #expect(cases.count == 8)
    #expect(cases[0].request.question == .expression(#""alice".startsWith("al")"#))
    #expect(cases[0].request.variables.isEmpty)
    #expect(cases[0].expectation == .value(true, type: nil))
    #expect(
      cases[1].request.question
        == .expression("user.age >= 18 &&\n  user.plan == \"pro\""))
    #expect(
      cases[1].request.variables == [
        "user": ["age": 25, "tags": ["a", .bytes([255]), .uint(5), 1.0]], "n": 5,
        "user.plan": "pro",
      ])
    #expect(cases[1].request.hostAnswers["junk"] == .raw("not json"))
    #expect(
      cases[2].expectation
        == .error(
          CaseError(
            id: "E0203", message: "operator `startsWith` needs a string on the left", line: 1,
            column: 1, rendered: "error[E0203]: operator\n\n1 | 3.startsWith")))
    #expect(cases[3].expectation == .anyError(advice: "the reference aborts"))
    #expect(cases[4].skipReason == "pending decision 0007")
    #expect(cases[5].request.question == .expression("\t1 +\u{0}"))
    #expect(cases[5].request.deviceFunctions == ["daysSince": ["event_name"], "none": []])
    #expect(cases[5].expectation == .anyError(advice: ""))
    #expect(
      cases[6].request.question == .definition(#"{"variables":{"map":{}},"expression":"1"}"#))
    #expect(cases[7].expectation == .any)
  }

  @Test("what the cel dialect adds is read")
  func celReading() throws {
    let file = try CorpusFile(
      reading: """
        # dialect: cel
        == checker
          fn('abc', x)
          container com.example
          declare com.example.x : map(string, list(int))
          declare fn(string, map(int, $T)) -> list($T) as fn_1
          declare member fn(int) -> dyn
          flags no-macros check-only
          needs checker ext:optionals
        -> list(int)
        == typed
          optional.of(1)
        -- optional.of(1) : optional
        -> optional_type(int)
        """, path: "x.corpus")
    let cases = file.cases
    #expect(cases[0].request.dialect == .cel)
    #expect(cases[0].request.container == "com.example")
    #expect(cases[0].request.flags == [.disablesMacros, .checksOnly])
    #expect(cases[0].needs == ["checker", "ext:optionals"])
    #expect(
      cases[0].request.declarations == [
        CaseDeclaration(name: "com.example.x", kind: .variable(type: "map(string, list(int))")),
        CaseDeclaration(
          name: "fn",
          kind: .function([
            .init(
              id: "fn_1", isMember: false, parameters: ["string", "map(int, $T)"],
              result: "list($T)"),
            .init(id: "", isMember: true, parameters: ["int"], result: "dyn"),
          ])),
      ])
    #expect(cases[0].expectation == .type("list(int)"))
    #expect(cases[1].expectation == .value(.optional(1), type: "optional_type(int)"))
  }

  @Test("writing gives back what was read, byte for byte")
  func roundTrip() throws {
    for text in [
      Self.sample, "", "\n", "== a\n  1\n-- 1 : int", "# x\r\n== a\r\n  1\r\n-- 1 : int\r\n",
    ] {
      #expect(try CorpusFile(reading: text, path: "x.corpus").text == text)
    }
    let windows = try CorpusFile(reading: "== a\r\n  1 +\r\n  1\r\n-- 2 : int\r\n", path: "x")
    #expect(windows.cases[0].request.question == .expression("1 +\n1"))
  }

  @Test(
    "a mistake is reported with its line",
    arguments: [
      ("x", "1: expected `== name`"), ("== a b\n  1\n-- 1 : int", "1: expected a name"),
      ("==\n", "1: expected a name"), ("== a\n-- 1 : int", "1: the case `a` has no expression"),
      ("== a\n  1\n", "1: the case `a` has no answer"),
      ("== a\n  1", "1: the case `a` has no answer"),
      ("== a\n  1\n\n-- 1 : int", "1: the case `a` has no answer"),
      ("== a\n  1\n-- 1 : int\n\n== a\n  1\n-- 1 : int", "5: the name `a` is taken by line 1"),
      ("== a\n  1\n-- 1 : uint", "3: the value is of kind `int`, not `uint`"),
      ("== a\n  1\n-- 1", "3: expected `:`, found the end of the text"),
      ("== a\n  1\n-- [1, : list", "3: expected a value, found `:`"),
      ("== a\n  1\n  with nobody\n-- 1 : int", "3: there is no context `nobody`"),
      ("== a\n  with {}\n-- 1 : int", "2: the expression comes before its options"),
      ("== a\n  1\n  with {\"a\": b}\n  1\n-- 1 : int", "4: expected an option"),
      ("== a\n  1\n  with {\"a\": }\n-- 1 : int", "3: expected a value, found `}`"),
      ("== a\n  1\n  flags fast\n-- 1 : int", "3: unknown flag `fast`"),
      ("== a\n  1\n  declare x\n-- 1 : int", "3: expected `declare NAME : TYPE`"),
      ("== a\n  1\n!! @x\n", "3: expected a place such as `@1:14`"),
      ("== a\n  1\n-- 1 : int\n?? later", "4: expected `?? skip: reason`"),
      ("@use x", "1: there is no context `x`"), ("@frob x", "1: unknown directive `@frob`"),
      ("@context a\n  vars {\n    \"x\": 1,\n    \"y\": }\n", "4: expected a value, found `}`"),
      ("@context a\n  frob {}", "2: expected `vars`, `device`, `computed` or `host`"),
      ("@context a\n\n@context a\n", "3: the context `a` is defined twice"),
      ("# dialect: basic", "1: unknown dialect `basic`"),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: CorpusError.self) {
      try CorpusFile(reading: text, path: "f.corpus")
    }
    let description = error?.description ?? ""
    #expect(description.hasPrefix("f.corpus:\(message)"), "\(description)")
  }

  @Test("a damaged file is an error or another file, never a crash")
  func damage() {
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let bytes = Array(Self.sample.utf8)
    let pieces = Array("\n=@-!?|>\"\\{}[](),:#+ \tux0\r".utf8)
    for _ in 0..<3_000 {
      var damaged = bytes
      for _ in 0...random(3) {
        let place = random(damaged.count)
        switch random(3) {
        case 0: damaged.remove(at: place)
        case 1: damaged.insert(pieces[random(pieces.count)], at: place)
        default: damaged[place] = pieces[random(pieces.count)]
        }
      }
      let text = String(decoding: damaged, as: UTF8.self)
      if let file = try? CorpusFile(reading: text, path: "x.corpus") {
        #expect(file.text == text)
      }
    }
  }

  @Test(
    "constants read as they print",
    arguments: [
      "null", "true", "5", "-9223372036854775808", "18446744073709551615u", "1.0", "-0.0", "1e300",
      "double(\"NaN\")", "double(\"-Infinity\")", "\"a\\\"\\\\\\n\\u0000é\"", "b\"\\xff\\n\\\"a\"",
      "[]", "[1, [2u]]", "{}", "{true: 1, 1: 2, 1u: 3, \"a\": {}}",
      "timestamp(\"2024-02-29T12:34:56.789Z\")", "timestamp(\"1969-12-31T23:59:60-08:30\")",
      "duration(\"-1.5s\")", "duration(\"0s\")", "optional.none()", "optional.of(null)",
      "ip(\"1.2.3.4\")", "ip(\"::1\")", "cidr(\"2001:db8::/32\")", "int",
      "google.protobuf.Timestamp", "function(\"size\")", "function(\"size\", {\"a\": 1})",
    ])
  func constants(text: String) throws {
    #expect(try ConstantReader.read(text).literal == text)
  }

  @Test("JSON and all spellings of cel's literals are constants")
  func spellings() throws {
    let cases: [(String, Value)] = [
      (#"{"a":[1,-2.5e3,true,null,"\ud83d\ude00\/"]}"#, ["a": [1, -2500.0, true, .null, "😀/"]]),
      ("0x1F", 31), ("-0x1", -1), ("0XFFu", .uint(255)), (".5", 0.5), ("1e3", 1000.0),
      (#"'it\'s'"#, "it's"), (#"r"\d""#, #"\d"#), (#"br'\x'"#, .bytes(Array(#"\x"#.utf8))),
      (#"b"é\377""#, .bytes([0xC3, 0xA9, 0xFF])), (#""\101\x41\U0001F600\a""#, "AA😀\u{7}"),
      (" [ 1 , 2 , ] ", [1, 2]), ("type(\"net.IP\")", .type("net.IP")),
    ]
    for (text, value) in cases { #expect(try ConstantReader.read(text) == value) }
  }

  @Test(
    "what is no constant is refused",
    arguments: [
      "", "1 2", "9223372036854775808", "-1u", "1e999", "\"a", "\"\\q\"", "\"\\ud800\"", "[1",
      "{1}",
      "{1.0: 1}", "{1: 1, 1: 2}", "x\"a\"", "f(1)", "timestamp(\"2024-02-30T00:00:00Z\")",
      "duration(\"1h\")", "ip(\"1.2.3\")", "ip(\"1.2.3.4/8\")", "cidr(\"1.2.3.4/33\")", "1 + 1",
      "b\"\\u0041\"", String(repeating: "[", count: 100_000),
    ])
  func notConstants(text: String) {
    #expect(throws: ConstantReader.Failure.self) { try ConstantReader.read(text) }
  }
}
