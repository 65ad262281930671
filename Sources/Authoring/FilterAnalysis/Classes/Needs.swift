package import ExpressionEngine

/// A text as its code points, whose order is that of the engine.
package typealias Text = [UInt32]

extension String {
  package var codePoints: Text { unicodeScalars.map { $0.value } }
}

extension Sequence<UInt32> {
  /// The text, without values that are not code points.
  package var string: String {
    var text = String.UnicodeScalarView()
    for value in self { if let scalar = Unicode.Scalar(value) { text.append(scalar) } }
    return String(text)
  }
}

/// The things that conditions compare a value with: they decide into which classes values are cut.
package struct Needs: Hashable {
  /// Something that a list is searched for.
  package enum Element: Hashable {
    case number(Double)
    case text(Text)
    case bool(Bool)
    case null

    /// The element of a constant; `nil` for what does not compare exactly.
    package init?(_ value: Value) {
      switch value {
      case .null: self = .null
      case .bool(let truth): self = .bool(truth)
      case .string(let text): self = .text(text.codePoints)
      default:
        guard let number = value.exactNumber else { return nil }
        self = .number(number)
      }
    }

    package var value: Value {
      switch self {
      case .null: .null
      case .bool(let truth): .bool(truth)
      case .text(let text): .string(text.string)
      case .number(let number): Value.number(number)
      }
    }
  }

  /// Numbers that it is compared with.
  package var numbers: Set<Double> = []
  /// Texts that it is compared with.
  package var texts: Set<Text> = []
  /// Texts that it may start with.
  package var prefixes: Set<Text> = []
  /// Texts that it may end with.
  package var suffixes: Set<Text> = []
  /// Texts that it may contain.
  package var infixes: Set<Text> = []
  /// Elements or keys that it may contain.
  package var elements: Set<Element> = []
  /// Sizes that its size is compared with.
  package var sizes: Set<Int> = []
  /// The kinds of values that the conditions seem to expect.
  package var expected: Set<ValueClass.Kind> = []

  /// Creates the needs of a condition that does not depend on the value.
  package init() {}

  package mutating func formUnion(_ other: Needs) {
    numbers.formUnion(other.numbers)
    texts.formUnion(other.texts)
    prefixes.formUnion(other.prefixes)
    suffixes.formUnion(other.suffixes)
    infixes.formUnion(other.infixes)
    elements.formUnion(other.elements)
    sizes.formUnion(other.sizes)
    expected.formUnion(other.expected)
  }

  /// Whether texts are told apart by more than their order.
  package var searchesTexts: Bool {
    !prefixes.isEmpty || !suffixes.isEmpty || !infixes.isEmpty
  }

  /// Notes a comparison with a constant.
  ///
  /// - Returns: Why the values cannot be cut into classes by it; `nil` if they can.
  package mutating func compare(with value: Value) -> FreePart.Reason? {
    switch value {
    case .null: return nil
    case .bool:
      expected.insert(.bool)
      return nil
    case .int, .uint, .double:
      guard let number = value.exactNumber else { return .largeNumber }
      numbers.insert(number)
      expected.insert(.number)
      return nil
    case .string(let text):
      texts.insert(text.codePoints)
      expected.insert(.text)
      // A numeric string means a number, too (docs/spec/superscript.md §5).
      if let number = Double(text.trimmedForNumber) {
        guard number.isFinite else { return nil }
        guard number.magnitude < Value.exactNumberLimit else { return .largeNumber }
        numbers.insert(number)
      }
      return nil
    case .list(let elements):
      sizes.insert(0)
      expected.insert(.list)
      return elements.isEmpty ? nil : .structure
    case .map(let entries):
      sizes.insert(0)
      expected.insert(.map)
      return entries.isEmpty ? nil : .structure
    // The classes have no values of these kinds.
    case .bytes, .timestamp, .duration, .function, .type, .optional, .network: return .structure
    }
  }

  /// Adds the numbers and sizes beside those that are there.
  package mutating func addNeighbours() {
    for number in numbers { numbers.formUnion([number - 1, number + 1]) }
    for size in sizes { sizes.formUnion([max(0, size - 1), size + 1]) }
  }

  /// Notes that the truth of the value counts.
  package mutating func test() {
    numbers.insert(0)
    texts.insert([])
    sizes.insert(0)
    if expected.isEmpty { expected.insert(.bool) }
  }
}

extension String {
  /// The text without what the engine's numbers may have and Swift's may not, or the reverse.
  fileprivate var trimmedForNumber: String {
    var text = self
    if text.hasPrefix("+") { text.removeFirst() }
    if text.hasPrefix(".") { text = "0" + text }
    if text.hasPrefix("-.") { text = "-0" + text.dropFirst() }
    if text.hasSuffix(".") { text += "0" }
    return text
  }
}

extension Value {
  /// Numbers of this magnitude and more are not compared exactly: ints and doubles meet as doubles.
  package static let exactNumberLimit = 9_007_199_254_740_992.0

  /// A number that compares exactly with every other; `nil` for others and for other kinds.
  package var exactNumber: Double? {
    guard let number = plainNumber else { return nil }
    return number.isFinite && number.magnitude < Self.exactNumberLimit ? number : nil
  }

  /// The nearest double of a number; `nil` for other kinds.
  package var plainNumber: Double? {
    switch self {
    case .int(let number): Double(number)
    case .uint(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// A number as an int if it is whole.
  package static func number(_ number: Double) -> Value {
    if let int = Int64(exactly: number) { return .int(int) }
    return .double(number)
  }
}
