import ExpressionSyntax

@testable import ExpressionEngine

// What generated cel programs are made of, and the contexts that have those names.

extension CELProgramGenerator {
  /// Literals and names of each kind. Some of the names are missing or of other kinds in some of
  /// the contexts.
  static let words: [Kind: [String]] = [
    .bool: [
      "true", "false", "flag", "user.on", "1 / 0 > 0", "missing", "d.flag", "1.0 == 1", "none.flag",
    ],
    .int: [
      "0", "1", "2", "3", "-1", "7", "9223372036854775807", "-9223372036854775808", "i", "n", "big",
      "user.age", "a.b.c", "a.b.d", "user.none", "0x10", "size(l)",
    ],
    .uint: ["0u", "1u", "3u", "18446744073709551615u", "u", "0xffu", "user.count"],
    .double: [
      "0.0", "-0.0", "1.0", "1.5", "-2.5", "1e300", "9007199254740993.0", "9223372036854775808.0",
      "0.0 / 0.0", "1.0 / 0.0", "f", "user.score", ".5",
    ],
    .string: [
      "''", "'a'", "'ab'", "'é😀'", "'7'", "'true'", "'1.5'", "'x,y,z'", "'^h.*o$'", "'('", "'UTC'",
      "'Europe/Stockholm'", "'1h'", "'2024-02-29T12:34:56Z'", "'10.0.0.1'", "'%s'", "'%d %s'", "s",
      "user.name", "text", "'aGk='", "r'\\d+'",
    ],
    .bytes: ["b''", "b'hi'", "b'\\xff\\x00'", "by", "b'é'"],
    .list: [
      "[]", "[1]", "[1, 2, 3]", "['a', 'b']", "[1, 1u, 1.0]", "[null]", "[true, 1]", "l", "mixed",
      "user.tags", "[[1], [2, 3]]", "['b', 'a']", "[0, 2]",
    ],
    .map: [
      "{}", "{'a': 1}", "{'a': {'b': 2}}", "{1: 'x'}", "{1u: 2}", "{true: 0}", "m", "user",
      "{'a': null}", "a.b", "keyed",
    ],
    .timestamp: [
      "timestamp(0)", "timestamp('2024-02-29T12:34:56.789Z')", "ts",
      "timestamp('9999-12-31T23:59:59.999999999Z')", "timestamp('0001-01-01T00:00:00Z')",
    ],
    .duration: [
      "duration('0s')", "duration('1h')", "duration('-1.5s')", "du", "duration('2562047h')",
      "duration('1ns')",
    ],
    .optional: [
      "optional.none()", "optional.of(1)", "optional.of('a')", "optional.of({'a': 1})", "o",
      "optional.of([1, 2])", "user.?age", "m.?k", "l[?0]", "l[?9]", "{}.?a",
    ],
    .other: ["null", "int", "type(1)", "nul", "ip('10.0.0.1')", "cidr('10.0.0.0/8')", "ty", "dyn"],
  ]

  /// The names after dots.
  static let fields = ["a", "b", "age", "name", "k", "tags", "none", "c", "`a`"]

  /// Functions with what they take, the receiver first if they are methods, by what they answer.
  static let functions: [Kind: [(name: String, isMethod: Bool, takes: [Kind])]] = [
    .bool: [
      ("contains", true, [.string, .string]), ("startsWith", true, [.string, .string]),
      ("endsWith", true, [.string, .string]), ("matches", true, [.string, .string]),
      ("matches", false, [.string, .string]), ("bool", false, [.string]),
      ("hasValue", true, [.optional]), ("isIP", false, [.string]),
      ("sets.contains", false, [.list, .list]), ("sets.intersects", false, [.list, .list]),
      ("sets.equivalent", false, [.list, .list]), ("math.isNaN", false, [.double]),
      ("math.isFinite", false, [.double]), ("containsIP", true, [.other, .string]),
    ],
    .int: [
      ("size", false, [.string]), ("size", true, [.list]), ("size", false, [.map]),
      ("size", true, [.bytes]), ("int", false, [.string]), ("int", false, [.double]),
      ("int", false, [.uint]), ("int", false, [.timestamp]), ("indexOf", true, [.string, .string]),
      ("indexOf", true, [.string, .string, .int]), ("lastIndexOf", true, [.string, .string]),
      ("getFullYear", true, [.timestamp]), ("getHours", true, [.timestamp, .string]),
      ("getHours", true, [.duration]), ("getMilliseconds", true, [.duration]),
      ("getDayOfWeek", true, [.timestamp, .string]), ("math.abs", false, [.int]),
      ("math.sign", false, [.int]), ("math.bitAnd", false, [.int, .int]),
      ("math.bitShiftLeft", false, [.int, .int]), ("math.greatest", false, [.int, .double]),
      ("math.least", false, [.list]), ("math.bitNot", false, [.int]), ("family", true, [.other]),
    ],
    .uint: [
      ("uint", false, [.int]), ("uint", false, [.string]), ("uint", false, [.double]),
      ("math.bitOr", false, [.uint, .uint]), ("math.abs", false, [.uint]),
      ("math.bitShiftRight", false, [.uint, .int]),
    ],
    .double: [
      ("double", false, [.int]), ("double", false, [.string]), ("double", false, [.uint]),
      ("math.round", false, [.double]), ("math.floor", false, [.double]),
      ("math.sqrt", false, [.int]), ("math.greatest", false, [.double, .double, .int]),
    ],
    .string: [
      ("string", false, [.int]), ("string", false, [.double]), ("string", false, [.bytes]),
      ("string", false, [.duration]), ("string", false, [.timestamp]),
      ("charAt", true, [.string, .int]), ("substring", true, [.string, .int]),
      ("substring", true, [.string, .int, .int]), ("replace", true, [.string, .string, .string]),
      ("lowerAscii", true, [.string]), ("trim", true, [.string]), ("reverse", true, [.string]),
      ("join", true, [.list]), ("join", true, [.list, .string]),
      ("strings.quote", false, [.string]), ("format", true, [.string, .list]),
      ("base64.encode", false, [.bytes]), ("regex.replace", false, [.string, .string, .string]),
    ],
    .bytes: [("bytes", false, [.string]), ("base64.decode", false, [.string])],
    .list: [
      ("split", true, [.string, .string]), ("slice", true, [.list, .int, .int]),
      ("flatten", true, [.list]), ("flatten", true, [.list, .int]), ("distinct", true, [.list]),
      ("reverse", true, [.list]), ("sort", true, [.list]), ("lists.range", false, [.int]),
      ("regex.extractAll", false, [.string, .string]), ("unwrapOpt", true, [.list]),
    ],
    .map: [("dyn", false, [.map])],
    .timestamp: [("timestamp", false, [.string]), ("timestamp", false, [.int])],
    .duration: [("duration", false, [.string])],
    .optional: [
      ("optional.of", false, [.any]), ("optional.ofNonZeroValue", false, [.any]),
      ("first", true, [.list]), ("last", true, [.list]), ("or", true, [.optional, .optional]),
      ("regex.extract", false, [.string, .string]),
    ],
    .other: [("type", false, [.any]), ("ip", false, [.string]), ("masked", true, [.other])],
    .any: [
      ("dyn", false, [.any]), ("value", true, [.optional]), ("orValue", true, [.optional, .any]),
      ("unknown", false, [.any]), ("device.echo", false, [.any]),
      ("device.fails", false, [.any]), ("size", false, [.any]), ("string", true, [.any]),
      ("cel.block", false, [.list, .any]),
    ],
  ]

  static let contexts = [full, sparse, odd]

  static let full = OracleContext(
    "the full context",
    common.merging([
      "user": [
        "age": 25, "name": "Ann", "on": true, "count": .uint(3), "score": 7.5,
        "tags": ["a", "b", "c"],
      ],
      "m": ["a": 1, "b": ["c": [1, 2]], "k": "v"], "d.flag": true,
      "o": .optional(["a": ["b": 1]]), "text": "hello", "flag": true, "a.b": ["c": 2, "d": 3],
      "a.b.c": 1,
    ]) { _, new in new })

  /// Much is missing or empty.
  static let sparse = OracleContext(
    "the sparse context",
    common.merging([
      "user": ["name": "", "tags": [], "age": 0], "m": [:], "o": .optional(nil), "text": "",
      "flag": false, "a": ["b": ["c": 5, "k": [:]]],
    ]) { _, new in new })

  /// Much is of another kind.
  static let odd = OracleContext(
    "the odd context",
    common.merging([
      "user": .list([1, ["age": 2]]), "m": 5, "o": 1, "text": 3, "flag": "true", "i": 2.0,
      "l": .map([.int(0): 1]), "s": .bytes([104]), "d": ["flag": 1], "a": .map(["b": ["d": 1]]),
      "none": ["flag": true], "u": -1, "ts": "x", "missing": .null,
    ]) { _, new in new })

  private static let common: [String: Value] = [
    "i": 5, "n": -3, "big": .int(.max), "u": .uint(7), "f": 2.5, "s": "hello",
    "by": .bytes([104, 105]), "l": [1, 2, 3],
    "mixed": [1, "a", .null, .double(1.5), [1], .uint(1)],
    "ts": .timestamp(.init(seconds: 1_700_000_000, nanoseconds: 5_000_000)),
    "du": .duration(.init(seconds: 90)), "nul": .null, "ty": .type("int"),
    "keyed": .map([.int(1): "x", .uint(2): "y", .bool(true): "z", "a": 1]),
  ]

  static let environment = FilterEnvironment(
    dialect: .cel,
    deviceFunctions: [
      "echo": { arguments, _ in arguments.first ?? .null },
      "fails": { _, _ in throw HostFailure() },
    ])

  private struct HostFailure: Error {}
}
