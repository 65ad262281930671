/// A regular expression that looks for a few plain texts: `^de`, `@acme[.]com$`, `^(pro|team)$`.
///
/// Classes of texts decide it, as they decide `startsWith`, `endsWith`, `contains` and `==`.
struct PlainPattern {
  /// Where a text is looked for.
  enum Place {
    case whole, start, end, anywhere
  }

  /// The texts that match, each in its place.
  private(set) var searches: [(text: Text, place: Place)] = []

  /// The most texts.
  private static let limit = 64

  /// Reads a pattern.
  ///
  /// - Returns: `nil` if it repeats something, has flags, classes with ranges, or too many texts.
  /// - Complexity: O(n) in its length.
  init?(_ pattern: String) {
    var reader = Reader(rest: pattern.unicodeScalars.map { $0.value }[...])
    repeat {
      let isStart = reader.skip("^")
      guard let texts = reader.sequence(), !texts.contains([]) else { return nil }
      let isEnd = reader.skip("$")
      let place: Place =
        isStart ? isEnd ? .whole : .start : isEnd ? .end : .anywhere
      searches += texts.map { ($0, place) }
      guard searches.count <= Self.limit else { return nil }
    } while reader.skip("|")
    guard reader.rest.isEmpty else { return nil }
  }

  private struct Reader {
    var rest: ArraySlice<UInt32>
    private static let special = Set("\\.+*?()|[]{}^$".codePoints)
    private static let quantifiers = Set("*+?{".codePoints)
    private static let ends = Set("|)$".codePoints)
    /// `[a&&b]`, `[a--b]` and `[a~~b]` compute with classes.
    private static let operatorsOfClasses = Set("^-[&~\\".codePoints)
    private static let groupWithoutCapture = "?:".codePoints

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard rest.first == scalar.value else { return false }
      rest.removeFirst()
      return true
    }

    /// Reads letters, classes and groups up to an anchor or an alternative; `nil` for other things.
    mutating func sequence(inGroup: Bool = false) -> [Text]? {
      var texts: [Text] = [[]]
      while let next = rest.first, !Self.ends.contains(next) {
        guard let parts = part(inGroup: inGroup),
          rest.first.map({ !Self.quantifiers.contains($0) }) ?? true,
          texts.count * parts.count <= PlainPattern.limit
        else { return nil }
        if parts.count == 1 {
          // In place, since most patterns are one long text.
          for index in texts.indices { texts[index] += parts[0] }
        } else {
          texts = texts.flatMap { text in parts.map { text + $0 } }
        }
      }
      return texts
    }

    /// Reads a letter, an escaped sign, a class or a group.
    private mutating func part(inGroup: Bool) -> [Text]? {
      guard let first = rest.popFirst() else { return nil }
      switch Unicode.Scalar(first) {
      case "\\": return escaped().map { [[$0]] }
      case "[": return characterClass()
      case "(" where !inGroup:
        if rest.starts(with: Self.groupWithoutCapture) { rest.removeFirst(2) }
        var texts: [Text] = []
        repeat {
          guard let more = sequence(inGroup: true) else { return nil }
          texts += more
        } while skip("|")
        return skip(")") ? texts : nil
      default: return Self.special.contains(first) ? nil : [[first]]
      }
    }

    /// Reads the sign after `\`; `nil` for a letter or a digit, which means something else, and for
    /// `\<` and `\>`, the ends of a word.
    private mutating func escaped() -> UInt32? {
      guard let sign = rest.popFirst(), let ascii = UInt8(exactly: sign), ascii < 0x80,
        !Unicode.Scalar(ascii).properties.isAlphabetic, !(0x30...0x39).contains(ascii),
        ascii != UInt8(ascii: "<"), ascii != UInt8(ascii: ">")
      else { return nil }
      return sign
    }

    /// Reads the rest of a class of single letters and signs.
    private mutating func characterClass() -> [Text]? {
      var members: [UInt32] = []
      while let next = rest.popFirst() {
        if next == 0x5D { return members.isEmpty ? nil : members.map { [$0] } }
        guard !Self.operatorsOfClasses.contains(next), members.count < PlainPattern.limit else {
          return nil
        }
        if !members.contains(next) { members.append(next) }
      }
      return nil
    }
  }
}
