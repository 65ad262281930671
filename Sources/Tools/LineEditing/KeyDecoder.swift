/// Turns the bytes that a terminal sends into keys.
///
/// Any sequence of bytes is accepted. Bytes that are not UTF-8, and escape sequences without a
/// meaning here, give no key.
package struct KeyDecoder: Sendable {
  private enum State: Sendable {
    case ground
    /// After an Escape.
    case escape
    /// In a control sequence, after its introducer.
    case sequence
  }

  /// The bytes that parameters of a control sequence may have; longer ones are cut.
  private static let maximumParameters = 32

  private var state = State.ground
  private var parameters: [UInt8] = []
  /// Bytes of text whose keys are not known yet.
  private var text: [UInt8] = []

  package init() {}

  /// Whether an Escape came last, which is a key by itself if nothing follows.
  package var hasOpenEscape: Bool { state == .escape }

  /// Forgets an Escape that nothing followed.
  package mutating func closeEscape() { state = .ground }

  /// Returns the keys that some bytes complete.
  package mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      switch state {
      case .ground where byte >= 0x20 && byte != 0x7F: text.append(byte)
      case .ground:
        flush(text.count, into: &keys)
        if byte == 0x1B { state = .escape } else if let key = Key.control(byte) { keys.append(key) }
      case .escape: decodeMeta(byte, into: &keys)
      case .sequence: decodeSequence(byte, into: &keys)
      }
    }
    // The end of the bytes may cut a character.
    flush(text.count - Self.openBytes(text), into: &keys)
    return keys
  }

  private mutating func decodeMeta(_ byte: UInt8, into keys: inout [Key]) {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      state = .sequence
      parameters = []
    case 0x1B: break
    default:
      state = .ground
      if let key = Key.meta(byte) ?? Key.control(byte) { keys.append(key) }
    }
  }

  private mutating func decodeSequence(_ byte: UInt8, into keys: inout [Key]) {
    switch byte {
    case 0x20...0x3F:
      if parameters.count < Self.maximumParameters { parameters.append(byte) }
    case 0x40...0x7E:
      state = .ground
      if let key = Key.sequence(byte, parameters: parameters) { keys.append(key) }
    default:
      // A sequence that another key interrupts has no meaning; the key has.
      state = byte == 0x1B ? .escape : .ground
      if let key = Key.control(byte) { keys.append(key) }
    }
  }

  /// Makes a key of the first bytes of the text.
  private mutating func flush(_ count: Int, into keys: inout [Key]) {
    guard count > 0 else { return }
    let decoded = String(decoding: text.prefix(count), as: UTF8.self)
    text.removeFirst(count)
    let scalars = decoded.unicodeScalars.filter {
      $0 != "\u{FFFD}" && $0.properties.generalCategory != .control
    }
    if !scalars.isEmpty { keys.append(.text(String(String.UnicodeScalarView(scalars)))) }
  }

  /// Returns how many bytes at the end begin a character that is not complete.
  private static func openBytes(_ text: [UInt8]) -> Int {
    for count in 1...3 where count <= text.count {
      let byte = text[text.count - count]
      if byte & 0xC0 == 0x80 { continue }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > count ? count : 0
    }
    return 0
  }
}
