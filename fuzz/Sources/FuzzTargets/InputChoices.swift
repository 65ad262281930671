/// Choices that follow from the bytes of an input, one after the other.
///
/// A changed byte changes one choice, so that libFuzzer can vary what is made of an input step by
/// step. After the last byte every choice is the first.
struct InputChoices {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  /// - Parameter bytes: The bytes; they must stay valid as long as choices are made.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }

  /// Whether all bytes have been used.
  var isAtEnd: Bool { rest.isEmpty }

  /// The next byte; 0 at the end.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// A number below a bound of at least 1, of two bytes where one is too few.
  mutating func below(_ bound: Int) -> Int {
    if bound <= 1 << 8 { return Int(byte()) % bound }
    return (Int(byte()) << 8 | Int(byte())) % bound
  }

  /// One of the elements, of which there must be one at least.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// The next bytes as text, as many as there are.
  mutating func text(_ count: Int) -> String {
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return String(decoding: bytes, as: UTF8.self)
  }
}
