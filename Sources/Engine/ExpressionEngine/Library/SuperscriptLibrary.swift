// The functions of the superscript dialect (docs/spec/superscript.md §3, §10, §11, §13).

extension FunctionLibrary {
  /// The functions that a superscript filter can call, besides the host's.
  static let superscript = FunctionLibrary(
    SuperscriptText.definitions + SuperscriptConversions.definitions
      + SuperscriptTime.definitions + SuperscriptMacros.definitions)

  /// The functions of the reference's interpreter itself, without those of the SDK.
  static let superscriptCore = FunctionLibrary(
    superscript.definitions.filter { definition in
      ![
        "maybe", "hasFn", "unknownFunction", "test_custom_func", "intToString", "uintToString",
        "floatToString", "boolToString",
      ].contains(definition.name)
    })
}

/// Sizes, searches and the largest of several values.
private enum SuperscriptText {
  static let definitions: [FunctionDefinition] = [
    FunctionDefinition(
      "size", parameters: [.any],
      signatures: ["size(string | bytes | list | map) -> int"],
      summary: "number of UTF-8 bytes, elements or entries",
      examples: [.init(#"size("abc")"#, "3"), .init("size([1, 2])", "2")],
      form: .function { machine, arguments in machine.size(arguments[0]) }, intrinsic: .size),
    FunctionDefinition(
      "contains", subject: .any, parameters: [.any],
      signatures: [
        "string.contains(string) -> bool", "list.contains(any) -> bool",
        "map(K, V).contains(K) -> bool", "bytes.contains(bytes) -> bool",
      ],
      summary: "whether a text, list, map or byte string has a part, element, key or run",
      examples: [.init(#""hello".contains("ell")"#, "true"), .init("[1, 2].contains(3)", "false")],
      form: .function { machine, arguments in
        machine.superscriptContains(arguments[0], arguments[1])
      }, intrinsic: .contains),
    FunctionDefinition(
      "startsWith", subject: .string, parameters: [.string],
      signatures: ["string.startsWith(string) -> bool"],
      summary: "whether a text begins with another",
      examples: [.init(#""hello".startsWith("he")"#, "true")],
      form: .function { _, arguments in .bool(arguments[0].hasPrefix(arguments[1])) },
      intrinsic: .startsWith),
    FunctionDefinition(
      "endsWith", subject: .string, parameters: [.string],
      signatures: ["string.endsWith(string) -> bool"],
      summary: "whether a text ends with another",
      examples: [.init(#""hello".endsWith("lo")"#, "true")],
      form: .function { _, arguments in .bool(arguments[0].hasSuffix(arguments[1])) },
      intrinsic: .endsWith),
    FunctionDefinition(
      "matches", subject: .string, parameters: [.string],
      signatures: ["string.matches(string) -> bool"],
      summary: "whether a regular expression matches anywhere in a text",
      examples: [.init(#""hello".matches("^h.*o$")"#, "true")],
      form: .function { machine, arguments in machine.matches(arguments[0], arguments[1]) },
      intrinsic: .matches),
    FunctionDefinition(
      "max", isVariadic: true,
      signatures: ["max(any, ...) -> any", "max(list) -> any"],
      summary: "the largest argument, or the largest element of one list; of equals the last",
      examples: [.init("max(1, 3, 2)", "3"), .init("max([1.5, 2.5])", "2.5")],
      form: .function { machine, arguments in machine.superscriptMax(arguments) }),
    FunctionDefinition(
      "unknownFunction", isVariadic: false,
      signatures: ["unknownFunction() -> null"], summary: "null; for tests of the reference",
      examples: [.init("unknownFunction()", "null")],
      form: .function { _, _ in .null }),
    FunctionDefinition(
      "test_custom_func", isVariadic: false,
      signatures: ["test_custom_func() -> null"], summary: "null; for tests of the reference",
      examples: [.init("test_custom_func()", "null")],
      form: .function { _, _ in .null }),
  ]
}

/// Conversions between kinds.
private enum SuperscriptConversions {
  static let definitions: [FunctionDefinition] = [
    FunctionDefinition(
      "string", subject: .any,
      signatures: ["string(string | int | uint | double | bytes | timestamp | duration) -> string"],
      summary: "a value as text",
      examples: [.init("string(5.0)", #""5""#), .init(#"string(duration("90m"))"#, #""1h30m0s""#)],
      form: .function { machine, arguments in machine.superscriptString(arguments[0]) }),
    FunctionDefinition(
      "bytes", parameters: [.string],
      signatures: ["bytes(string) -> bytes"], summary: "the UTF-8 of a text",
      examples: [.init(#"bytes("hi")"#, #"b"hi""#)],
      form: .function { _, arguments in
        Slot(.bytes, at: arguments[0].address, count: arguments[0].aux)
      }),
    FunctionDefinition(
      "double", subject: .any,
      signatures: ["double(string | int | uint | double) -> double"],
      summary: "a number or a text as a floating-point number",
      examples: [.init(#"double("1e3")"#, "1000.0")],
      form: .function { machine, arguments in machine.superscriptDouble(arguments[0]) }),
    FunctionDefinition(
      "int", subject: .any,
      signatures: ["int(string | int | uint | double) -> int"],
      summary: "a number or a text as a signed integer; fractions are cut off",
      examples: [.init(#"int("42")"#, "42"), .init("int(-5.9)", "-5")],
      form: .function { machine, arguments in machine.superscriptInt(arguments[0]) }),
    FunctionDefinition(
      "uint", subject: .any,
      signatures: ["uint(string | int | uint | double) -> uint"],
      summary: "a number or a text as an unsigned integer; fractions are cut off",
      examples: [.init(#"uint("5")"#, "5u")],
      form: .function { machine, arguments in machine.superscriptUInt(arguments[0]) }),
    exact("intToString", .int, "int", example: .init("intToString(5)", #""5""#)),
    exact("uintToString", .uint, "uint", example: .init("uintToString(uint(5))", #""5""#)),
    exact("floatToString", .double, "double", example: .init("floatToString(5.0)", #""5""#)),
    exact("boolToString", .bool, "bool", example: .init("boolToString(true)", #""true""#)),
  ]

  /// Defines a conversion to text that takes exactly one kind.
  private static func exact(
    _ name: String, _ kinds: SlotKinds, _ kind: String, example: FunctionDefinition.Example
  ) -> FunctionDefinition {
    FunctionDefinition(
      name, subject: kinds, signatures: ["\(name)(\(kind)) -> string"],
      summary: "the text of a value that must be of type \(kind)", examples: [example],
      form: .function { machine, arguments in
        arguments[0].isA(.bool)
          ? machine.string(arguments[0].boolValue ? "true" : "false")
          : machine.superscriptString(arguments[0])
      })
  }
}

/// Durations and timestamps.
private enum SuperscriptTime {
  static let definitions: [FunctionDefinition] = [
    FunctionDefinition(
      "duration", parameters: [.string],
      signatures: ["duration(string) -> duration"],
      summary: "a span of time from numbers with the units h, m, s, ms, us and ns",
      examples: [.init(#"string(duration("1.5h"))"#, #""1h30m0s""#)],
      form: .function { machine, arguments in
        guard let duration = try? DurationText.parseSuperscript(arguments[0].byteBuffer) else {
          return machine.fail(.invalidArgument, arguments[0])
        }
        return .duration(duration)
      }),
    FunctionDefinition(
      "timestamp", parameters: [.string],
      signatures: ["timestamp(string) -> timestamp"],
      summary: "an instant from RFC 3339 text",
      examples: [
        .init(
          #"string(timestamp("2024-02-29T12:34:56Z"))"#, #""2024-02-29T12:34:56+00:00""#)
      ],
      form: .function { machine, arguments in
        guard
          let instant = try? TimestampText.parse(arguments[0].byteBuffer, rules: .superscript)
        else {
          // The reference's text for this does not quote the argument.
          return machine.fail(.invalidArgument)
        }
        return .timestamp(instant)
      }),
  ]
}

/// Constructs that receive their arguments unevaluated.
private enum SuperscriptMacros {
  static let definitions: [FunctionDefinition] = [
    FunctionDefinition(
      "has", signatures: ["has(expression) -> bool"],
      summary: "whether an attribute is there",
      examples: [.init(#"has({"a": 1}.a)"#, "true"), .init(#"has({"a": 1}.b)"#, "false")],
      form: .macro(.has)),
    FunctionDefinition(
      "hasFn", signatures: ["hasFn(string) -> bool"],
      summary: "whether the host offers a function",
      examples: [.init(#"hasFn("device.absent")"#, "false")], form: .macro(.hasFunction)),
    FunctionDefinition(
      "maybe", signatures: ["maybe(any, expression, expression) -> any"],
      summary: "an expression, or another one where it fails; the first argument is ignored",
      examples: [.init(#"maybe(0, int("x"), 7)"#, "7")], form: .macro(.maybe)),
    loop(
      "all", .all, "bool", "whether no element makes the body false",
      .init("[1, 2].all(x, x > 0)", "true")),
    loop(
      "exists", .exists, "bool", "whether an element makes the body true",
      .init("[1, 2].exists(x, x > 1)", "true")),
    loop(
      "exists_one", .existsOne, "bool", "whether exactly one element makes the body true",
      .init("[1, 2].exists_one(x, x > 1)", "true")),
    loop(
      "filter", .filter, "list", "the elements that make the body true",
      .init("[1, 2, 3].filter(x, x > 1)", "[2, 3]")),
    loop(
      "map", .map, "list", "the values of the body for each element",
      .init("[1, 2].map(x, x * 2)", "[2, 4]")),
  ]

  private static func loop(
    _ name: String, _ kind: LoopKind, _ result: String, _ summary: String,
    _ example: FunctionDefinition.Example
  ) -> FunctionDefinition {
    let receiver = result == "bool" ? "list | map" : "list"
    return FunctionDefinition(
      name, signatures: ["(\(receiver)).\(name)(variable, expression) -> \(result)"],
      summary: summary, examples: [example], form: .macro(.loop(kind)))
  }
}

extension FunctionDefinition {
  /// `hasFn` for the functions of an environment (docs/spec/superscript.md §3).
  static func hasFunction(in environment: FilterEnvironment) -> FunctionDefinition {
    let device = Set(environment.deviceFunctions.keys)
    let computed = Set(environment.computedFunctions.keys)
    let always: Set<String> = ["has", "hasFn", "maybe", "toString"]
    return FunctionDefinition(
      "hasFn", parameters: [.any], signatures: [], summary: "", examples: [],
      form: .function { machine, arguments in
        guard arguments[0].isA(.string) else { return machine.fail(.invalidArgument) }
        let name = arguments[0].text
        if name.hasPrefix("device.") {
          return .bool(device.contains(name.removing("device.")))
        }
        if name.hasPrefix("computed.") {
          return .bool(computed.contains(name.removing("computed.")))
        }
        return .bool(device.contains(name) || computed.contains(name) || always.contains(name))
      })
  }
}

extension String {
  /// Returns the text without any occurrence of `part`.
  fileprivate func removing(_ part: String) -> String {
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    let part = Array(part.utf8)
    while !rest.isEmpty {
      if rest.starts(with: part) {
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
