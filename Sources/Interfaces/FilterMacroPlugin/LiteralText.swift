#if Macros
  import SwiftSyntax

  /// The content of a string literal of Swift, and the way from its bytes back to the source.
  struct LiteralText {
    /// A piece of the content that the source spells byte by byte, or one escape.
    private struct Piece {
      var start: Int
      var position: AbsolutePosition
      var isEscape: Bool
      /// The segment of the literal, one for each line.
      var segment: StringSegmentSyntax
    }

    /// The content.
    private(set) var text = ""
    private var pieces: [Piece] = []
    private let end: AbsolutePosition

    /// Reads a literal; `nil` if it has interpolations or escapes that Swift does not know.
    init?(_ literal: StringLiteralExprSyntax) {
      end = literal.closingQuote.positionAfterSkippingLeadingTrivia
      let pounds = literal.openingPounds?.text.count ?? 0
      for segment in literal.segments {
        guard case .stringSegment(let segment) = segment else { return nil }
        guard append(segment, pounds: pounds) else { return nil }
      }
      // The last line break of a literal over several lines belongs to its closing quotes.
      if literal.openingQuote.tokenKind == .multilineStringQuote, text.hasSuffix("\n") {
        text.removeLast()
      }
    }

    private mutating func append(_ segment: StringSegmentSyntax, pounds: Int) -> Bool {
      let start = segment.content.positionAfterSkippingLeadingTrivia
      let bytes = Array(segment.content.text.utf8)
      let mark = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: pounds)
      var index = 0
      var plain: [UInt8] = []
      func position(_ index: Int) -> AbsolutePosition { start.advanced(by: index) }
      beginPlain(at: position(0), segment)
      while index < bytes.count {
        guard bytes[index...].starts(with: mark) else {
          plain.append(bytes[index])
          index += 1
          continue
        }
        text += String(decoding: plain, as: UTF8.self)
        plain = []
        guard let (character, length) = Self.escape(bytes[(index + mark.count)...]) else {
          return false
        }
        pieces.append(
          Piece(start: text.utf8.count, position: position(index), isEscape: true, segment: segment)
        )
        text += character
        index += mark.count + length
        beginPlain(at: position(index), segment)
      }
      text += String(decoding: plain, as: UTF8.self)
      return true
    }

    /// Begins a piece that the source spells byte by byte.
    private mutating func beginPlain(at position: AbsolutePosition, _ segment: StringSegmentSyntax)
    {
      pieces.append(
        Piece(start: text.utf8.count, position: position, isEscape: false, segment: segment))
    }

    /// Returns the text of an escape after its mark, and the number of its bytes.
    private static func escape(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int)? {
      switch bytes.first {
      case UInt8(ascii: "\""): return ("\"", 1)
      case UInt8(ascii: "'"): return ("'", 1)
      case UInt8(ascii: "\\"): return ("\\", 1)
      case UInt8(ascii: "n"): return ("\n", 1)
      case UInt8(ascii: "r"): return ("\r", 1)
      case UInt8(ascii: "t"): return ("\t", 1)
      case UInt8(ascii: "0"): return ("\0", 1)
      // A line break that the source has and the literal has not.
      case UInt8(ascii: "\n"): return ("", 1)
      case UInt8(ascii: "u"):
        guard let open = bytes.dropFirst().first, open == UInt8(ascii: "{"),
          let close = bytes.firstIndex(of: UInt8(ascii: "}")),
          let value = UInt32(
            String(decoding: bytes[(bytes.startIndex + 2)..<close], as: UTF8.self), radix: 16),
          let scalar = Unicode.Scalar(value)
        else { return nil }
        return (String(Character(scalar)), close - bytes.startIndex + 1)
      default: return nil
      }
    }

    /// Returns the segment of the literal, one for each line, that spells an offset in the content.
    func segment(of offset: Int) -> StringSegmentSyntax? {
      (pieces.last { $0.start <= offset && offset < text.utf8.count } ?? pieces.last)?.segment
    }

    /// Returns the place in the source of an offset in the content.
    func position(of offset: Int) -> AbsolutePosition {
      guard offset < text.utf8.count, let piece = pieces.last(where: { $0.start <= offset }) else {
        return end
      }
      return piece.isEscape ? piece.position : piece.position.advanced(by: offset - piece.start)
    }
  }
#endif
