// The standard functions and macros of the cel dialect (docs/spec/cel.md §8, §10–§12).

enum CELStandard {
  static let definitions: [FunctionDefinition] =
    sizes + conversions + moreConversions + texts + times + CELAccessors.definitions + macros

  /// The named types.
  static let types = [
    "bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type",
    "google.protobuf.Timestamp", "google.protobuf.Duration",
  ]

  private static let sizes: [FunctionDefinition] = [
    .cel(
      "size", "the number of code points, octets, elements or entries",
      [
        .init("size(string) -> int", #"size("åå")"#, "2") { $0.celSize($1[0]) },
        .init("size(bytes) -> int", #"size(b"åå")"#, "4") { $0.celSize($1[0]) },
        .init("size(list(A)) -> int", "size([1, 2])", "2") { $0.celSize($1[0]) },
        .init("size(map(K, V)) -> int", "size({1: 2})", "1") { $0.celSize($1[0]) },
        .init("string.size() -> int", #""abc".size()"#, "3") { $0.celSize($1[0]) },
        .init("bytes.size() -> int", #"b"abc".size()"#, "3") { $0.celSize($1[0]) },
        .init("list(A).size() -> int", "[].size()", "0") { $0.celSize($1[0]) },
        .init("map(K, V).size() -> int", "{}.size()", "0") { $0.celSize($1[0]) },
      ], intrinsic: .size)
  ]

  private static let conversions: [FunctionDefinition] = [
    .cel(
      "bool", "a truth value from one or from text",
      [
        .init("bool(bool) -> bool", "bool(true)", "true") { $1[0] },
        .init("bool(string) -> bool", #"bool("TRUE")"#, "true") { $0.celBool($1[0]) },
      ]),
    .cel(
      "int", "a number, its text or an instant as an int; fractions are cut off",
      [
        .init("int(int) -> int", "int(-3)", "-3") { $1[0] },
        .init("int(uint) -> int", "int(3u)", "3") { $0.celInt($1[0]) },
        .init("int(double) -> int", "int(-2.9)", "-2") { $0.celInt($1[0]) },
        .init("int(string) -> int", #"int("12")"#, "12") { $0.celInt($1[0]) },
        .init("int(timestamp) -> int", #"int(timestamp("1970-01-01T00:01:00Z"))"#, "60") {
          .int($1[0].intValue)
        },
      ]),
    .cel(
      "uint", "a number or its text as a uint; fractions are cut off",
      [
        .init("uint(uint) -> uint", "uint(3u)", "3u") { $1[0] },
        .init("uint(int) -> uint", "uint(3)", "3u") { $0.celUInt($1[0]) },
        .init("uint(double) -> uint", "uint(2.9)", "2u") { $0.celUInt($1[0]) },
        .init("uint(string) -> uint", #"uint("12")"#, "12u") { $0.celUInt($1[0]) },
      ]),
    .cel(
      "double", "a number or its text as a double",
      [
        .init("double(double) -> double", "double(1.5)", "1.5") { $1[0] },
        .init("double(int) -> double", "double(2)", "2.0") { .double($1[0].asDouble) },
        .init("double(uint) -> double", "double(2u)", "2.0") { .double($1[0].asDouble) },
        .init("double(string) -> double", #"double("1e3")"#, "1000.0") { machine, arguments in
          guard let number = try? DoubleText.parseCEL(arguments[0].byteBuffer) else {
            return machine.fail(.invalidArgument, arguments[0])
          }
          return .double(number)
        },
      ]),
  ]

  private static let moreConversions: [FunctionDefinition] = [
    .cel(
      "string", "a value as text",
      [
        .init("string(string) -> string", #"string("a")"#, #""a""#) { $1[0] },
        .init("string(bool) -> string", "string(true)", #""true""#) { $0.celString($1[0]) },
        .init("string(int) -> string", "string(-5)", #""-5""#) { $0.celString($1[0]) },
        .init("string(uint) -> string", "string(5u)", #""5""#) { $0.celString($1[0]) },
        .init("string(double) -> string", "string(1.50)", #""1.5""#) { $0.celString($1[0]) },
        .init("string(bytes) -> string", #"string(b"abc")"#, #""abc""#) { $0.celString($1[0]) },
        .init(
          "string(timestamp) -> string", #"string(timestamp(0))"#, #""1970-01-01T00:00:00Z""#
        ) { $0.celString($1[0]) },
        .init("string(duration) -> string", #"string(duration("1.5h"))"#, #""5400s""#) {
          $0.celString($1[0])
        },
      ]),
    .cel(
      "bytes", "the UTF-8 of a text",
      [
        .init("bytes(bytes) -> bytes", #"bytes(b"a")"#, #"b"a""#) { $1[0] },
        .init("bytes(string) -> bytes", #"bytes("å")"#, #"b"\xc3\xa5""#) {
          Slot(.bytes, at: $1[0].address, count: $1[0].aux)
        },
      ]),
    .cel(
      "type", "the type of a value",
      [
        .init("type(A) -> type(A)", "type(1u)", "uint") { $0.celType($1[0]) }
      ]),
    .cel(
      "dyn", "the same value, whose type is left to evaluation",
      [
        .init("dyn(A) -> dyn", "dyn(1) == 1.0", "true") { $1[0] }
      ]),
  ]

  private static let texts: [FunctionDefinition] = [
    .cel(
      "contains", "whether a text has another one in it",
      [
        .init("string.contains(string) -> bool", #""hello".contains("ell")"#, "true") {
          .bool($1[1].occurs(in: $1[0]))
        }
      ], intrinsic: .contains),
    .cel(
      "startsWith", "whether a text begins with another one",
      [
        .init("string.startsWith(string) -> bool", #""hello".startsWith("he")"#, "true") {
          .bool($1[0].hasPrefix($1[1]))
        }
      ], intrinsic: .startsWith),
    .cel(
      "endsWith", "whether a text ends with another one",
      [
        .init("string.endsWith(string) -> bool", #""hello".endsWith("lo")"#, "true") {
          .bool($1[0].hasSuffix($1[1]))
        }
      ], intrinsic: .endsWith),
    .cel(
      "matches", "whether a regular expression (RE2 syntax) matches anywhere in a text",
      [
        .init("string.matches(string) -> bool", #""hello".matches("^h.*o$")"#, "true") {
          $0.matches($1[0], $1[1])
        },
        .init("matches(string, string) -> bool", #"matches("hello", "l{2}")"#, "true") {
          $0.matches($1[0], $1[1])
        },
      ], intrinsic: .matches),
  ]

  private static let times: [FunctionDefinition] = [
    .cel(
      "timestamp", "an instant from RFC 3339 text or from seconds since 1970",
      [
        .init(
          "timestamp(timestamp) -> timestamp", "timestamp(timestamp(0)) == timestamp(0)", "true"
        ) {
          $1[0]
        },
        .init(
          "timestamp(string) -> timestamp", #"timestamp("2026-11-21T09:00:00+01:00")"#,
          #"timestamp("2026-11-21T08:00:00Z")"#
        ) { $0.celTimestamp($1[0]) },
        .init(
          "timestamp(int) -> timestamp", "timestamp(60)", #"timestamp("1970-01-01T00:01:00Z")"#
        ) { $0.celTimestamp($1[0]) },
      ]),
    .cel(
      "duration", "a span of time from numbers with the units h, m, s, ms, us and ns",
      [
        .init("duration(duration) -> duration", #"duration(duration("1s"))"#, #"duration("1s")"#) {
          $1[0]
        },
        .init("duration(string) -> duration", #"duration("1h30m")"#, #"duration("5400s")"#) {
          machine, arguments in
          guard let duration = try? DurationText.parseCEL(arguments[0].byteBuffer) else {
            return machine.fail(.invalidArgument, arguments[0])
          }
          return .duration(duration)
        },
      ]),
  ]

  private static let macros: [FunctionDefinition] = [
    .celMacro(
      "has", "whether a map has a field", ["has(expression) -> bool"],
      [.init(#"has({"a": 1}.a)"#, "true")]),
    .celMacro(
      "all", "whether the condition holds for all elements or keys",
      ["list(A).all(variable, bool) -> bool", "map(K, V).all(variable, bool) -> bool"],
      [.init("[1, 2].all(x, x > 0)", "true"), .init("{1: 2}.all(k, k > 1)", "false")]),
    .celMacro(
      "exists", "whether the condition holds for an element or key",
      ["list(A).exists(variable, bool) -> bool", "map(K, V).exists(variable, bool) -> bool"],
      [.init("[1, 2].exists(x, x > 1)", "true"), .init("{1: 2}.exists(k, k > 1)", "false")]),
    .celMacro(
      "exists_one", "whether the condition holds for exactly one element or key",
      [
        "list(A).exists_one(variable, bool) -> bool",
        "map(K, V).exists_one(variable, bool) -> bool",
      ],
      [.init("[1, 2].exists_one(x, x > 1)", "true"), .init("{1: 2}.exists_one(k, k > 1)", "false")]),
    .celMacro(
      "filter", "the elements or keys for which the condition holds",
      ["list(A).filter(variable, bool) -> list(A)", "map(K, V).filter(variable, bool) -> list(K)"],
      [.init("[1, 2, 3].filter(x, x > 1)", "[2, 3]"), .init("{1: 2}.filter(k, k > 0)", "[1]")]),
    .celMacro(
      "map", "the values of an expression for each element or key, or for some of them",
      [
        "list(A).map(variable, B) -> list(B)", "list(A).map(variable, bool, B) -> list(B)",
        "map(K, V).map(variable, B) -> list(B)", "map(K, V).map(variable, bool, B) -> list(B)",
      ],
      [
        .init("[1, 2].map(x, x * 2)", "[2, 4]"), .init("[1, 2].map(x, x > 1, x * 2)", "[4]"),
        .init("{1: 2}.map(k, k + 1)", "[2]"), .init("{1: 2}.map(k, k > 1, k + 1)", "[]"),
      ]),
  ]
}
