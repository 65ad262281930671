/// A condition on the characters before and after a position.
enum Assertion: UInt8, Hashable, Sendable, CaseIterable {
  case textStart, textEnd
  /// Lines end with LF.
  case lineStart, lineEnd
  /// Lines end with CR, LF or CR LF.
  case lineStartCRLF, lineEndCRLF
  case wordBoundary, notWordBoundary, wordStart, wordEnd, wordStartHalf, wordEndHalf
  case asciiWordBoundary, asciiNotWordBoundary, asciiWordStart, asciiWordEnd
  case asciiWordStartHalf, asciiWordEndHalf

  /// The same assertion about ASCII words.
  var ascii: Assertion {
    switch self {
    case .wordBoundary: .asciiWordBoundary
    case .notWordBoundary: .asciiNotWordBoundary
    case .wordStart: .asciiWordStart
    case .wordEnd: .asciiWordEnd
    case .wordStartHalf: .asciiWordStartHalf
    case .wordEndHalf: .asciiWordEndHalf
    default: self
    }
  }

  /// The properties of neighbours that matter.
  var relevant: Neighbor {
    switch self {
    case .textStart, .textEnd: .edge
    case .lineStart, .lineEnd: [.edge, .lineFeed]
    case .lineStartCRLF, .lineEndCRLF: [.edge, .lineFeed, .carriageReturn]
    case .wordBoundary, .notWordBoundary, .wordStart, .wordEnd, .wordStartHalf, .wordEndHalf: .word
    default: .asciiWord
    }
  }

  /// Whether the character before decides alone.
  var looksBehindOnly: Bool {
    switch self {
    case .textStart, .lineStart, .wordStartHalf, .asciiWordStartHalf: true
    default: false
    }
  }

  /// Whether the assertion holds between two neighbours.
  func holds(before: Neighbor, after: Neighbor) -> Bool {
    switch self {
    case .textStart: return before.contains(.edge)
    case .textEnd: return after.contains(.edge)
    case .lineStart: return !before.isDisjoint(with: [.edge, .lineFeed])
    case .lineEnd: return !after.isDisjoint(with: [.edge, .lineFeed])
    case .lineStartCRLF:
      return !before.isDisjoint(with: [.edge, .lineFeed])
        || before.contains(.carriageReturn) && !after.contains(.lineFeed)
    case .lineEndCRLF:
      return !after.isDisjoint(with: [.edge, .carriageReturn])
        || after.contains(.lineFeed) && !before.contains(.carriageReturn)
    default:
      let word: Neighbor = relevant
      let isBefore = before.contains(word)
      let isAfter = after.contains(word)
      switch self {
      case .wordBoundary, .asciiWordBoundary: return isBefore != isAfter
      case .notWordBoundary, .asciiNotWordBoundary: return isBefore == isAfter
      case .wordStart, .asciiWordStart: return !isBefore && isAfter
      case .wordEnd, .asciiWordEnd: return isBefore && !isAfter
      case .wordStartHalf, .asciiWordStartHalf: return !isBefore
      default: return !isAfter
      }
    }
  }
}

/// The properties that assertions ask of the character at one side of a position.
struct Neighbor: OptionSet, Hashable, Sendable {
  var rawValue: UInt8
  /// There is no character: the text starts or ends here.
  static let edge = Neighbor(rawValue: 1)
  static let lineFeed = Neighbor(rawValue: 2)
  static let carriageReturn = Neighbor(rawValue: 4)
  static let word = Neighbor(rawValue: 8)
  static let asciiWord = Neighbor(rawValue: 16)
}
