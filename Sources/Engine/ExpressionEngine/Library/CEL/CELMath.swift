enum CELMath {
  static let definitions: [FunctionDefinition] =
    extremes + roundings + signs + tests + bits + shifts

  private static let extremes: [FunctionDefinition] = [
    extreme(
      "math.greatest", "the largest of several numbers or of a list of them; of equals the first",
      "3", "2.5"),
    extreme(
      "math.least", "the smallest of several numbers or of a list of them; of equals the first",
      "1", "1"),
  ]

  /// Defines `math.greatest` or `math.least`, with the results for 1, 3, 2 and for 1, 2.5, 2u.
  private static func extreme(
    _ name: String, _ summary: String, _ value: String, _ mixed: String
  ) -> FunctionDefinition {
    .celMacro(
      name, summary,
      [
        "\(name)(int, ...) -> int", "\(name)(uint, ...) -> uint", "\(name)(double, ...) -> double",
        "\(name)(...) -> dyn",
      ],
      [
        .init("\(name)(1, 3, 2)", value), .init("\(name)(1u, 3u, 2u)", "\(value)u"),
        .init("\(name)(1.0, 3.0, 2.0)", "\(value).0"), .init("\(name)(1, 2.5, 2u)", mixed),
      ])
  }

  private static let roundings: [FunctionDefinition] = [
    rounding("math.ceil", "the next whole number above", .up, "1.2", "2.0"),
    rounding("math.floor", "the next whole number below", .down, "-1.2", "-2.0"),
    rounding(
      "math.round", "the nearest whole number; halves away from zero", .toNearestOrAwayFromZero,
      "-1.5", "-2.0"),
    rounding("math.trunc", "the number without its fraction", .towardZero, "-1.7", "-1.0"),
  ]

  private static func rounding(
    _ name: String, _ summary: String, _ rule: FloatingPointRoundingRule, _ example: String,
    _ value: String
  ) -> FunctionDefinition {
    .cel(
      name, summary,
      [
        .init("\(name)(double) -> double", "\(name)(\(example))", value) { _, arguments in
          .double(arguments[0].doubleValue.rounded(rule))
        }
      ])
  }

  private static let signs: [FunctionDefinition] = [
    .cel(
      "math.abs", "the number without its sign",
      [
        .init("math.abs(int) -> int", "math.abs(-3)", "3") { machine, arguments in
          let value = arguments[0].intValue
          return value == .min ? machine.fail(.overflow, arguments[0]) : .int(Swift.abs(value))
        },
        .init("math.abs(uint) -> uint", "math.abs(3u)", "3u") { $1[0] },
        .init("math.abs(double) -> double", "math.abs(-1.5)", "1.5") {
          .double($1[0].doubleValue.magnitude)
        },
      ]),
    .cel(
      "math.sign", "-1, 0 or 1, as the number is negative, zero or positive",
      [
        .init("math.sign(int) -> int", "math.sign(-3)", "-1") { .int($1[0].intValue.signum()) },
        .init("math.sign(uint) -> uint", "math.sign(3u)", "1u") {
          .uint($1[0].uintValue.signum())
        },
        .init("math.sign(double) -> double", "math.sign(-0.5)", "-1.0") { _, arguments in
          let value = arguments[0].doubleValue
          if value.isNaN { return arguments[0] }
          return .double(value > 0 ? 1 : (value < 0 ? -1 : 0))
        },
      ]),
    .cel(
      "math.sqrt", "the square root; NaN of a negative number",
      [
        .init("math.sqrt(int) -> double", "math.sqrt(16)", "4.0") {
          .double($1[0].asDouble.squareRoot())
        },
        .init("math.sqrt(uint) -> double", "math.sqrt(16u)", "4.0") {
          .double($1[0].asDouble.squareRoot())
        },
        .init("math.sqrt(double) -> double", "math.sqrt(2.25)", "1.5") {
          .double($1[0].asDouble.squareRoot())
        },
      ]),
  ]

  private static let tests: [FunctionDefinition] = [
    .cel(
      "math.isNaN", "whether a double is not a number",
      [
        .init("math.isNaN(double) -> bool", "math.isNaN(0.0 / 0.0)", "true") {
          .bool($1[0].doubleValue.isNaN)
        }
      ]),
    .cel(
      "math.isInf", "whether a double is infinite",
      [
        .init("math.isInf(double) -> bool", "math.isInf(1.0 / 0.0)", "true") {
          .bool($1[0].doubleValue.isInfinite)
        }
      ]),
    .cel(
      "math.isFinite", "whether a double is a number and not infinite",
      [
        .init("math.isFinite(double) -> bool", "math.isFinite(1.5)", "true") {
          .bool($1[0].doubleValue.isFinite)
        }
      ]),
  ]

  private static let bits: [FunctionDefinition] = [
    bitwise("math.bitAnd", "the bits that both numbers have", "6, 3", "2", &),
    bitwise("math.bitOr", "the bits that one of the numbers has", "6, 3", "7", |),
    bitwise("math.bitXor", "the bits that only one of the numbers has", "6, 3", "5", ^),
    .cel(
      "math.bitNot", "the bits that a number does not have",
      [
        .init("math.bitNot(int) -> int", "math.bitNot(1)", "-2") { .int(~$1[0].intValue) },
        .init("math.bitNot(uint) -> uint", "math.bitNot(0u)", "18446744073709551615u") {
          .uint(~$1[0].uintValue)
        },
      ]),
  ]

  private static func bitwise(
    _ name: String, _ summary: String, _ example: String, _ value: String,
    _ combine: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> FunctionDefinition {
    let numbers = example.split(separator: "," as Character)
    let unsigned = numbers.map { "\($0)u" }.joined(separator: ",")
    return .cel(
      name, summary,
      [
        .init("\(name)(int, int) -> int", "\(name)(\(example))", value) { _, arguments in
          .int(Int64(bitPattern: combine(arguments[0].word0, arguments[1].word0)))
        },
        .init("\(name)(uint, uint) -> uint", "\(name)(\(unsigned))", "\(value)u") {
          _, arguments in
          .uint(combine(arguments[0].word0, arguments[1].word0))
        },
      ])
  }

  private static let shifts: [FunctionDefinition] = [
    shift("math.bitShiftLeft", "the bits of a number moved to the left", "1", "8") {
      $0 << $1
    },
    shift(
      "math.bitShiftRight", "the bits of a number moved to the right, with zeros in front", "16",
      "2"
    ) { $0 >> $1 },
  ]

  /// Defines a shift, by three in the examples; 64 and more shift every bit out.
  private static func shift(
    _ name: String, _ summary: String, _ example: String, _ value: String,
    _ move: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> FunctionDefinition {
    let moved: @Sendable (inout Machine, Slot, Slot, SlotTag) -> Slot = {
      machine, number, distance, tag in
      guard distance.intValue >= 0 else { return machine.fail(.invalidArgument, distance) }
      return Slot(tag, distance.intValue < 64 ? move(number.word0, distance.word0) : 0)
    }
    return .cel(
      name, summary,
      [
        .init("\(name)(int, int) -> int", "\(name)(\(example), 3)", value) {
          moved(&$0, $1[0], $1[1], .int)
        },
        .init("\(name)(uint, int) -> uint", "\(name)(\(example)u, 3)", "\(value)u") {
          moved(&$0, $1[0], $1[1], .uint)
        },
      ])
  }
}

extension FunctionDefinition {
  /// The function that `math.greatest` expands to.
  static let celGreatest = FunctionDefinition(
    "math.greatest", isVariadic: true, signatures: [], summary: "", examples: [],
    form: .function { $0.celExtreme($1, .less) })

  /// The function that `math.least` expands to.
  static let celLeast = FunctionDefinition(
    "math.least", isVariadic: true, signatures: [], summary: "", examples: [],
    form: .function { $0.celExtreme($1, .greater) })
}

extension Machine {
  /// Returns the greatest or least of several numbers or of one list, the first one of equal
  /// numbers.
  ///
  /// - Parameter order: The order of the number found so far to another one that replaces it.
  mutating func celExtreme(_ arguments: UnsafeBufferPointer<Slot>, _ order: SlotOrder) -> Slot {
    var values = arguments
    if values.count == 1, values[0].isA(.list) { values = values[0].elements }
    guard var best = values.first else {
      return fail(.invalidArgument, arguments.first ?? .null)
    }
    guard best.isNumber else { return fail(.unexpectedType, best) }
    for value in values.dropFirst() {
      guard value.isNumber else { return fail(.unexpectedType, value) }
      if Slot.numericOrder(best, value) == order { best = value }
    }
    return best
  }
}
