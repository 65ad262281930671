import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus
import Superscript
import TestSupport
import Testing

/// Answers what a case says, or nothing.
struct CaseHost: ReferenceInterface.HostContext {
  let request: CaseRequest

  func computedProperty(name: String, args: String) -> String { answer(name, args) }
  func deviceProperty(name: String, args: String) -> String { answer(name, args) }

  private func answer(_ name: String, _ args: String) -> String {
    guard case .list(let values)? = try? PassableValue.read("{\"type\":\"list\",\"value\":\(args)}")
    else { return "arguments are no list of tagged values" }
    return request.hostAnswer(to: name, arguments: values)?.text ?? ""
  }
}

/// Asks the JSON interface what cases ask.
struct DropIn: Sendable {
  /// Whether expressions take the way over their trees in JSON.
  var usesTrees = false

  func answer(_ request: CaseRequest) -> String {
    let host = CaseHost(request: request)
    switch request.question {
    case .definition(let text):
      return ReferenceInterface.evaluateWithContext(definition: text, host: host)
    case .expression(let text):
      guard usesTrees else {
        return ReferenceInterface.evaluateWithContext(
          definition: Self.definition(request) { $0.string(text) }, host: host)
      }
      let tree = ReferenceInterface.parseToAst(expression: text)
      // What is no expression has no tree; both ways must say so.
      if tree.hasPrefix("{\"Err\"") { return tree }
      return ReferenceInterface.evaluateAstWithContext(
        definition: Self.definition(request) { $0.raw(tree) }, host: host)
    }
  }

  /// The definition of a case; `expression` writes the member of that name.
  static func definition(
    _ request: CaseRequest, _ expression: (inout JSONWriter) -> Void
  ) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("variables")
    writer.beginObject()
    writer.key("map")
    writer.beginObject()
    for (name, value) in request.variables {
      writer.key(name)
      PassableValue.write(value, to: &writer)
    }
    writer.endObject()
    writer.endObject()
    writer.key("expression")
    expression(&writer)
    for (key, table) in [
      ("device", request.deviceFunctions), ("computed", request.computedFunctions),
    ] {
      writer.key(key)
      writer.beginObject()
      for (name, examples) in table {
        writer.key(name)
        writer.beginArray()
        for example in examples { PassableValue.write(example, to: &writer) }
        writer.endArray()
      }
      writer.endObject()
    }
    writer.endObject()
    return writer.text
  }

  /// What is wrong with the answer to a case, exactly as text; `nil` if nothing is.
  func mistake(_ item: ConformanceCase) -> String? {
    let answer = answer(item.request)
    let isRight =
      switch item.expectation {
      case .value(let value, _): answer == "{\"Ok\":\(PassableValue.text(value))}"
      case .error: answer.hasPrefix("{\"Err\":\"")
      default: answer.hasPrefix("{\"")
      }
    return isRight ? nil : "\(item.id): got \(answer) want \(item.expectation.summary)"
  }
}

/// The results of `ask` for all cases, in their order, on all cores.
private func concurrently<Answer: Sendable>(
  _ cases: [ConformanceCase], _ ask: @escaping @Sendable (ConformanceCase) -> Answer
) async -> [Answer] {
  await withTaskGroup(of: (Int, [Answer]).self) { group in
    let size = 100
    for start in stride(from: 0, to: cases.count, by: size) {
      group.addTask {
        (start, cases[start..<min(start + size, cases.count)].map { ask($0) })
      }
    }
    var parts: [(Int, [Answer])] = []
    for await part in group { parts.append(part) }
    return parts.sorted { $0.0 < $1.0 }.flatMap(\.1)
  }
}

private func cases(_ name: String) throws -> [ConformanceCase] {
  guard let text = TestFiles.sharedText("conformance/\(name)") else { return [] }
  return try ConformanceReader.read(text, path: name)
}

@Suite("The reference's JSON interface")
struct ReferenceInterfaceTests {
  @Test(
    "every open case is answered as the reference answers it, byte by byte",
    arguments: [
      "superscript-open.jsonl", "superscript-crashes.jsonl", "superscript-definitions-open.jsonl",
    ])
  func conformance(_ name: String) async throws {
    let mistakes = await concurrently(try cases(name)) { DropIn().mistake($0) }
    #expect(mistakes.compactMap(\.self) == [])
  }

  @Test(
    "a tree in JSON evaluates to what its expression evaluates to",
    arguments: ["superscript-open.jsonl", "superscript-crashes.jsonl"])
  func trees(_ name: String) async throws {
    let cases = try cases(name)
    let answers = await concurrently(cases) { item in
      (DropIn().answer(item.request), DropIn(usesTrees: true).answer(item.request))
    }
    var tooDeep = 0
    for (item, (plain, overTree)) in zip(cases, answers) {
      if overTree.contains("nested deeper than") {
        tooDeep += 1
        continue
      }
      let isError = plain.hasPrefix("{\"Err\"")
      let agree = isError ? overTree.hasPrefix("{\"Err\"") : plain == overTree
      #expect(agree, "\(item.id): \(plain) but over its tree \(overTree)")
    }
    // Only the few cases that are about depth nest deeper than JSON may.
    #expect(tooDeep <= 12 && tooDeep * 4 <= max(cases.count, 4))
  }

  @Test(
    "every kind of node is written as the reference writes it",
    arguments: [
      ("user", #"{"type":"Ident","value":"user"}"#),
      (".user", #"{"type":"Ident","value":"user"}"#),
      ("-5", #"{"type":"Atom","value":{"type":"Int","value":-5}}"#),
      ("1.5", #"{"type":"Atom","value":{"type":"Float","value":1.5}}"#),
      ("2.0", #"{"type":"Atom","value":{"type":"Float","value":2.0}}"#),
      (#"'a"\n'"#, #"{"type":"Atom","value":{"type":"String","value":"a\"\n"}}"#),
      (#"b"a\xff""#, #"{"type":"Atom","value":{"type":"Bytes","value":[97,255]}}"#),
      ("true", #"{"type":"Atom","value":{"type":"Bool","value":true}}"#),
      ("null", #"{"type":"Atom","value":{"type":"Null"}}"#),
      (
        "a + b",
        #"{"type":"Arithmetic","value":[{"type":"Ident","value":"a"},{"type":"Add"},{"type":"Ident","value":"b"}]}"#
      ),
      (
        "a in b",
        #"{"type":"Relation","value":[{"type":"Ident","value":"a"},{"type":"In"},{"type":"Ident","value":"b"}]}"#
      ),
      (
        "a || b && c",
        #"{"type":"Or","value":[{"type":"Ident","value":"a"},{"type":"And","value":[{"type":"Ident","value":"b"},{"type":"Ident","value":"c"}]}]}"#
      ),
      (
        "a ? b : c",
        #"{"type":"Ternary","value":[{"type":"Ident","value":"a"},{"type":"Ident","value":"b"},{"type":"Ident","value":"c"}]}"#
      ),
      (
        "!a", #"{"type":"Unary","value":[{"type":"Not"},{"type":"Ident","value":"a"}]}"#
      ),
      (
        "!!a", #"{"type":"Unary","value":[{"type":"DoubleNot"},{"type":"Ident","value":"a"}]}"#
      ),
      (
        "--a", #"{"type":"Unary","value":[{"type":"DoubleMinus"},{"type":"Ident","value":"a"}]}"#
      ),
      (
        "a.b",
        #"{"type":"Member","value":[{"type":"Ident","value":"a"},{"type":"Attribute","value":"b"}]}"#
      ),
      (
        "a[1]",
        #"{"type":"Member","value":[{"type":"Ident","value":"a"},{"type":"Index","value":{"type":"Atom","value":{"type":"Int","value":1}}}]}"#
      ),
      (
        "a{b: 1, c: 2}",
        #"{"type":"Member","value":[{"type":"Ident","value":"a"},{"type":"Fields","value":[["b",{"type":"Atom","value":{"type":"Int","value":1}}],["c",{"type":"Atom","value":{"type":"Int","value":2}}]]}]}"#
      ),
      (
        "f(a)",
        #"{"type":"FunctionCall","value":[{"type":"Ident","value":"f"},null,[{"type":"Ident","value":"a"}]]}"#
      ),
      (
        "a.f()",
        #"{"type":"FunctionCall","value":[{"type":"Ident","value":"f"},{"type":"Ident","value":"a"},[]]}"#
      ),
      ("[a]", #"{"type":"List","value":[{"type":"Ident","value":"a"}]}"#),
      (
        "{a: b}",
        #"{"type":"Map","value":[[{"type":"Ident","value":"a"},{"type":"Ident","value":"b"}]]}"#
      ),
    ])
  func nodes(_ expression: String, _ json: String) {
    #expect(ReferenceInterface.parseToAst(expression: expression) == json)
  }

  @Test("text that is no expression is an error, not a crash")
  func parseErrors() {
    for text in ["", "1 +", "((", "\u{0}", "\"open", String(repeating: "[", count: 100_000)] {
      #expect(ReferenceInterface.parseToAst(expression: text).hasPrefix(#"{"Err":""#))
    }
  }

  @Test(
    "a tree by itself has neither variables nor null safety",
    arguments: [
      ("1 + 2", #"{"Ok":{"type":"int","value":3}}"#),
      (
        #"[1, 2].map(x, x * 2)"#,
        #"{"Ok":{"type":"list","value":[{"type":"int","value":2},{"type":"int","value":4}]}}"#
      ),
      (#"{"a": 1}.a"#, #"{"Ok":{"type":"int","value":1}}"#),
      (#""true""#, #"{"Ok":{"type":"string","value":"true"}}"#),
      (#""7" == 7"#, #"{"Ok":{"type":"bool","value":false}}"#),
      (#"has({"a": 1}.b)"#, #"{"Ok":{"type":"bool","value":false}}"#),
      ("size([1, 2])", #"{"Ok":{"type":"int","value":2}}"#),
      ("ghost", nil), ("device", nil), ("device.x", nil), (#"{"a": 1}.b"#, nil),
      (#"{"a": 1}.b == 0"#, nil), ("maybe(1, 2, 3)", nil), ("1 / 0", nil), ("null < 1", nil),
      (#"hasFn("x")"#, nil),
    ])
  func bare(_ expression: String, _ expected: String?) {
    let result = ReferenceInterface.evaluateAst(
      ast: ReferenceInterface.parseToAst(expression: expression))
    if let expected { #expect(result == expected) } else { #expect(result.hasPrefix(#"{"Err":""#)) }
  }

  @Test("members in any order, sequences, unknown members and methods in both forms are read")
  func leniency() {
    let five = #"{"value":{"value":5,"type":"Int"},"type":"Atom","more":[]}"#
    #expect(ReferenceInterface.evaluateAst(ast: five) == #"{"Ok":{"type":"int","value":5}}"#)
    #expect(
      ReferenceInterface.evaluateAst(ast: #"["Atom",["Int",5]]"#)
        == #"{"Ok":{"type":"int","value":5}}"#)
    let uint = #"{"type":"Atom","value":{"type":"UInt","value":18446744073709551615}}"#
    #expect(
      ReferenceInterface.evaluateAst(ast: uint)
        == #"{"Ok":{"type":"uint","value":18446744073709551615}}"#)
    let method =
      #"{"type":"FunctionCall","value":[{"type":"Member","value":[{"type":"Atom","value":{"type":"String","value":"abc"}},{"type":"Attribute","value":"contains"}]},null,[{"type":"Atom","value":{"type":"String","value":"b"}}]]}"#
    #expect(ReferenceInterface.evaluateAst(ast: method) == #"{"Ok":{"type":"bool","value":true}}"#)
    let definition = { (tree: String) in
      #"[{"map":{"odd name":{"type":"int","value":7}}},"# + tree + ",null,null]"
    }
    let odd = #"{"type":"Ident","value":"odd name"}"#
    let host = CaseHost(request: CaseRequest(.expression(""), dialect: .superscript))
    #expect(
      ReferenceInterface.evaluateAstWithContext(definition: definition(odd), host: host)
        == #"{"Ok":{"type":"int","value":7}}"#)
  }

  @Test("infinite literals come back through their trees")
  func infinity() {
    for text in ["1e999", "-1e999"] {
      let tree = ReferenceInterface.parseToAst(expression: "\(text) < 0.0")
      let isNegative = text.hasPrefix("-")
      #expect(
        ReferenceInterface.evaluateAst(ast: tree)
          == "{\"Ok\":{\"type\":\"bool\",\"value\":\(isNegative)}}")
    }
  }

  @Test(
    "hostile trees are errors",
    arguments: [
      "", "null", "5", "[]", "{}", "nonsense", #"{"type":5}"#, #"{"type":"Atom"}"#,
      #"{"type":"Nothing","value":1}"#, #"{"type":"Ident","value":5}"#, #"{"type":"Ident"}"#,
      #"{"type":"Atom","value":{"type":"Int","value":5.5}}"#,
      #"{"type":"Atom","value":{"type":"Int","value":9223372036854775808}}"#,
      #"{"type":"Atom","value":{"type":"UInt","value":-1}}"#,
      #"{"type":"Atom","value":{"type":"Float","value":null}}"#,
      #"{"type":"Atom","value":{"type":"Float","value":"Nan"}}"#,
      #"{"type":"Atom","value":{"type":"Bytes","value":[256]}}"#,
      #"{"type":"Atom","value":{"type":"Bool","value":"true"}}"#,
      #"{"type":"Or","value":[]}"#, #"{"type":"And","value":{"type":"Ident","value":"a"}}"#,
      #"{"type":"Arithmetic","value":[{"type":"Ident","value":"a"},{"type":"Equals"},{"type":"Ident","value":"b"}]}"#,
      #"{"type":"Unary","value":[{"type":"Add"},{"type":"Ident","value":"b"}]}"#,
      #"{"type":"FunctionCall","value":[{"type":"List","value":[]},null,[]]}"#,
      #"{"type":"FunctionCall","value":[{"type":"Ident","value":"f"},null]}"#,
      #"{"type":"Member","value":[{"type":"Ident","value":"f"},{"type":"Call","value":1}]}"#,
      #"{"type":"Map","value":[[{"type":"Ident","value":"a"}]]}"#,
      #"{"type":"Ident","type":"Ident","value":"a"}"#, #"{"type":"Ident","value":"\ud800"}"#,
      "{\"type\":\"Ident\",\"value\":\"a\"} x", "\u{0}",
    ])
  func hostile(_ json: String) {
    #expect(
      ReferenceInterface.evaluateAst(ast: json).hasPrefix(
        #"{"Err":"Invalid definition for AST Execution: "#))
    let host = CaseHost(request: CaseRequest(.expression(""), dialect: .superscript))
    let definition = #"{"variables":{"map":{}},"expression":"# + json + "}"
    #expect(
      ReferenceInterface.evaluateAstWithContext(definition: definition, host: host)
        .hasPrefix(#"{"Err":"Invalid execution context JSON"#))
  }

  @Test("depth and size are bounded, whatever the tree nests")
  func bounds() {
    for (open, close) in [
      (#"{"type":"Unary","value":[{"type":"Not"},"#, "]}"),
      (#"{"type":"List","value":["#, "]}"),
      (#"{"type":"Member","value":["#, #",{"type":"Attribute","value":"a"}]}"#),
      (
        #"{"type":"Ternary","value":[{"type":"Ident","value":"a"},{"type":"Ident","value":"a"},"#,
        "]}"
      ),
      (#"{"type":"FunctionCall","value":[{"type":"Ident","value":"f"},"#, ",[]]}"),
    ] {
      for depth in [100, 300, 500, 1_000, 10_000] {
        let json =
          String(repeating: open, count: depth) + #"{"type":"Ident","value":"a"}"#
          + String(repeating: close, count: depth)
        let result = ReferenceInterface.evaluateAst(ast: json)
        #expect(result.hasPrefix("{"))
        if depth > 600 { #expect(result.contains("nested deeper than 1024 levels")) }
      }
    }
    let name = String(repeating: "a", count: 100_000)
    let wide =
      #"{"type":"List","value":["#
      + String(repeating: #"{"type":"Ident","value":"\#(name)"},"#, count: 30)
      + #"{"type":"Ident","value":"a"}]}"#
    #expect(ReferenceInterface.evaluateAst(ast: wide).contains("longer than"))
  }

  @Test("definitions whose expression is missing or of the wrong kind")
  func treeDefinitions() {
    let host = CaseHost(request: CaseRequest(.expression(""), dialect: .superscript))
    for definition in [
      "", "{}", "[]", "null", "5", #"{"variables":{"map":{}}}"#,
      #"{"variables":{"map":{}},"expression":"1 + 1"}"#,
      #"{"expression":{"type":"Ident","value":"a"}}"#,
      #"{"variables":{"map":{}},"expression":{"type":"Ident","value":"a"},"expression":{"type":"Ident","value":"a"}}"#,
      #"{"variables":{"map":{}},"expression":{"type":"Ident","value":"a"}"#,
      #"{"variables":{"map":{}},"expression":{"type":"Ident","value":"a"}}x"#,
    ] {
      #expect(
        ReferenceInterface.evaluateAstWithContext(definition: definition, host: host)
          .hasPrefix(#"{"Err":"Invalid execution context JSON: "#), "\(definition)")
    }
  }

  @Test("generated expressions agree with their trees")
  func generated() {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<Effort.times(400) {
      let text = ExpressionText.random(&generator)
      var request = CaseRequest(.expression(text), dialect: .superscript)
      request.variables = [
        "n": 5, "s": "7", "l": [1, 2], "user": ["age": 25, "name": "Ann", "tags": ["a"]],
        "device": ["platform": "iOS"],
      ]
      request.deviceFunctions = ["days": []]
      request.hostAnswers = ["days": .value(3)]
      let plain = DropIn().answer(request)
      let overTree = DropIn(usesTrees: true).answer(request)
      // The text of an error quotes the source, which a tree in JSON does not have.
      let bothFail = plain.hasPrefix(#"{"Err":"#) && overTree.hasPrefix(#"{"Err":"#)
      #expect(plain == overTree || bothFail, "\(text)")
    }
  }

  @Test("the host is asked with evaluated arguments, from several tasks, and may evaluate itself")
  func host() async {
    final class Host: ReferenceInterface.HostContext {
      let calls = Locked(0)

      func computedProperty(name: String, args: String) -> String {
        // A host that evaluates a filter of its own, where the reference would deadlock.
        let definition =
          #"{"variables":{"map":{}},"device":{"twice":[]},"expression":"device.twice(20) + 2"}"#
        let result = ReferenceInterface.evaluateWithContext(definition: definition, host: self)
        return String(result.dropFirst(6).dropLast())
      }

      func deviceProperty(name: String, args: String) -> String {
        calls.withLock { $0 += 1 }
        return args == #"[{"type":"int","value":20}]"# ? #"{"type":"int","value":40}"# : args
      }
    }
    let host = Host()
    let definition =
      #"{"variables":{"map":{}},"computed":{"answer":[]},"device":{"twice":[]},"#
      + #""expression":"computed.answer() == 42 && device.twice(10 + 10) == 40"}"#
    let answers = await withTaskGroup(of: String.self) { group in
      for _ in 0..<64 {
        group.addTask { ReferenceInterface.evaluateWithContext(definition: definition, host: host) }
      }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(answers == [#"{"Ok":{"type":"bool","value":true}}"#])
    #expect(host.calls.withLock { $0 } == 128)
  }
}

/// Random expressions over the variables of ``DropInTests/generated()``.
private enum ExpressionText {
  static func random(_ generator: inout SeededGenerator, depth: Int = 0) -> String {
    func pick(_ options: [String]) -> String {
      options.randomElement(using: &generator) ?? ""
    }
    func part() -> String { random(&generator, depth: depth + 1) }
    guard depth < 5, Int.random(in: 0..<6, using: &generator) > 0 else {
      return pick([
        "1", "-2", "0", "2.5", "1e3", "\"a\"", "'7'", "r'\\d'", "b'x'", "true", "false", "null",
        "n",
        "s", "l", "user.age", "user.gone", "user.tags", "device.platform", "ghost", "\"true\"",
        "user", "[]", "{}", "\"ü\\n\"",
      ])
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0...2: return "(\(part())) \(pick(["==", "!=", "<", "<=", ">", ">=", "in"])) (\(part()))"
    case 3: return "(\(part())) \(pick(["+", "-", "*", "/", "%"])) (\(part()))"
    case 4: return "(\(part())) \(pick(["&&", "||"])) (\(part()))"
    case 5: return "(\(part())) ? (\(part())) : (\(part()))"
    case 6: return "\(pick(["!", "!!", "-", "--"]))(\(part()))"
    case 7: return "(\(part())).\(pick(["age", "name", "size", "x"]))"
    case 8: return "(\(part()))[\(part())]"
    case 9: return "[\(part()), \(part())]"
    case 10: return "{\"k\": \(part()), 1: \(part())}"
    default:
      return pick([
        "size(\(part()))", "has(\(part()))", "(\(part())).contains(\(part()))",
        "[1, 2].all(x, x > (\(part())))", "maybe(1, \(part()), 2)", "device.days(\(part()))",
        "foo(\(part()))", "[\(part())].map(y, y)", "string(\(part()))", "max(\(part()), 1)",
      ])
    }
  }
}
