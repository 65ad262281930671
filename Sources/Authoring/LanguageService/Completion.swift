import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension AnalyzedFilter {
  /// Returns the words that may be meant at an offset, best first.
  ///
  /// Attributes come from the schema and from `samples`, values from the schema, and from `samples`
  /// where the schema lists none. Inside a comment there are none. The text need not parse.
  ///
  /// - Parameters:
  ///   - offset: The position of the cursor in bytes.
  ///   - samples: Attributes that sample users have.
  ///   - events: The names of events, for functions such as `device.daysSince`.
  /// - Complexity: O(length of the text + number of attributes).
  package func completions(
    at offset: UInt32, samples: SampleAttributes = SampleAttributes([]), events: [String] = []
  ) -> [CompletionItem] {
    guard let place = CompletionPlace(self, offset) else { return [] }
    var finder = CompletionFinder(
      language: language, source: source, place: place, samples: samples, events: events)
    finder.find()
    return finder.items.sorted { ($0.rank, $0.label) < ($1.rank, $1.label) }
  }
}

/// The text before a cursor: the word that is being typed, and the tokens before it.
struct CompletionPlace {
  /// The kind of word that is being typed.
  enum Word {
    /// A name, maybe still empty.
    case name
    /// A string that is not closed, with the quote that opened it.
    case string(quote: UInt8)
  }

  let word: Word
  /// The text to replace, without quotes: the typed part of a name; of a string that is closed,
  /// also the part after the cursor.
  let span: SourceSpan
  /// The tokens before the word.
  let tokens: ArraySlice<Token>
  /// Whether the string has its closing quote.
  let isClosed: Bool

  /// Returns `nil` where nothing can be completed: in comments, numbers and complete strings.
  init?(_ filter: AnalyzedFilter, _ offset: UInt32) {
    let bytes = filter.source.bytes
    let end = min(Int(offset), bytes.count)
    let prefix = SourceText(bytes: Array(bytes[..<end]))
    let dialect = Dialect.named(filter.language.dialect)
    guard let list = try? tokenize(prefix, dialect: dialect) else { return nil }
    if let comment = list.comments.last, comment.end == prefix.span.end { return nil }
    let atEnd = SourceSpan(start: prefix.span.end, length: 0)
    guard let last = list.tokens.last else {
      self.init(word: .name, span: atEnd, tokens: [], isClosed: false)
      return
    }
    let before = list.tokens.dropLast()
    if last.kind == .invalid {
      guard last.problem == .unclosedString else { return nil }
      let text = prefix.bytes[Int(last.start)..<Int(last.end)]
      // A prefix such as `r` makes a string that is never the value of an attribute.
      guard let quote = text.first, quote == 0x22 || quote == 0x27 else { return nil }
      let rest = bytes[end...].prefix { Self.isPartOfWord($0) }
      let isClosed = rest.endIndex < bytes.count && bytes[rest.endIndex] == quote
      let start = min(last.start + 1, last.end)
      self.init(
        word: .string(quote: quote),
        span: SourceSpan(start: start, end: isClosed ? UInt32(rest.endIndex) : prefix.span.end),
        tokens: before, isClosed: isClosed)
    } else if last.end == prefix.span.end, last.kind.isWord {
      self.init(word: .name, span: last.span, tokens: before, isClosed: false)
    } else if last.end == prefix.span.end, [.int, .uint, .float].contains(last.kind) {
      return nil
    } else {
      self.init(word: .name, span: atEnd, tokens: list.tokens[...], isClosed: false)
    }
  }

  /// Returns whether a byte after the cursor belongs to the text that is being completed. A quote
  /// after anything else probably opens the next string.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte >= 0x80
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }

  private init(word: Word, span: SourceSpan, tokens: ArraySlice<Token>, isClosed: Bool) {
    self.word = word
    self.span = span
    self.tokens = tokens
    self.isClosed = isClosed
  }
}
