@testable import ExpressionEngine

/// The contexts and the host of generated programs: attributes that are there, missing and null at
/// several depths, and roots that are not what filters expect.
enum OracleContexts {
  static let all = [full, sparse, odd]

  static let full = OracleContext(
    "the full context",
    base.merging([
      "user": [
        "age": 25, "name": "Ann", "nul": .null, "flag": "true", "no": "false", "score": "42",
        "tags": ["a", "b", "false"], "list": [10, 20],
        "deep": ["a": ["b": ["c": 1], "nul": .null], "list": [["a": 1], ["b": 2]]],
        "phrase": "Undeclared reference", "ts": .timestamp(.init(seconds: 1_700_000_000)),
      ],
      "device": [
        "platform": "iOS", "ver": "002.010.000", "daysSince": 4, "tags": ["x"], "gone": .null,
      ],
      "params": ["on": true, "k": "v", "a": 0, "score": 7.5],
      "deep": ["a": ["b": ["a": ["c": ["a": "true"]], "b": 5], "size": 3], "b": .null],
      "odd": ["a": .double(.nan), "b": .double(.infinity), "k": .bytes([1, 2])],
    ]) { _, new in new })

  /// Roots without attributes, or not there at all.
  static let sparse = OracleContext(
    "the sparse context",
    base.merging([
      "user": ["nul": .null, "deep": .null, "tags": [], "age": 0, "name": ""], "deep": [:],
      "odd": .null,
    ]) { _, new in new })

  /// Roots and attributes of unexpected kinds.
  static let odd = OracleContext(
    "the odd context",
    base.merging([
      "user": .list([1, ["age": 2]]), "device": 5, "params": "Null can not be compared",
      "deep": ["a": "text", "b": [1, 2], "size": 9],
      "odd": .map([.int(1): "x", .uint(2): "y", .bool(true): "z", "phrase": "Unknown function"]),
      "n": "5", "s": ["size": 5], "l": .map(["k": 1]), "t": .null,
    ]) { _, new in new })

  private static let base: [String: Value] = [
    "n": 5, "u": .uint(5), "f": 2.5, "s": "hello", "nul": .null, "l": [1, 2, 3],
    "m": ["k": 1, "j": 2], "x": 99, "mx": .int(.max), "mn": .int(.min), "by": .bytes([104, 105]),
    "ts": .timestamp(.init(seconds: 1_700_000_000)), "dt": "2024-02-29T12:34:56.789Z",
    "uf": "Unknown function", "pad": "007", "sz": ["k": 1], "t": true,
    "mixed": [1, "a", .null, .double(1.5), ["a": 1], "true"],
  ]

  static let environment = FilterEnvironment(
    deviceFunctions: [
      "daysSince": { arguments, _ in
        arguments.first == .string("app_install") ? 3 : .int(Int64(arguments.count))
      },
      "none": { _, _ in .null },
      "txt": { _, _ in "7" },
      "echo": { arguments, _ in arguments.first ?? .null },
      "obj": { _, _ in ["a": "false", "b": ["a": 1], "t": .timestamp(.init(seconds: 9))] },
      "fails": { _, _ in throw HostFailure() },
    ],
    computedFunctions: ["daysSince": { _, _ in 77 }, "onlyC": { _, _ in 11 }],
    hostFunctionArguments: ["device.daysSince": ["event_name"], "device.echo": []])

  private struct HostFailure: Error {}
}
