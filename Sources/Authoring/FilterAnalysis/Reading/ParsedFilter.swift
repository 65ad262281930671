package import ExpressionEngine
package import ExpressionSyntax

/// A filter's text and what every reader of it needs, each part made once, when it is first needed.
///
/// Not `Sendable`, because the parts are kept: one thread at a time may use it.
package final class ParsedFilter {
  /// The text.
  package let source: SourceText
  /// The dialect, host functions and limits of the filter.
  package let environment: FilterEnvironment

  /// Creates the reading of a text, which takes no time.
  package init(_ source: SourceText, environment: FilterEnvironment) {
    self.source = source
    self.environment = environment
  }

  /// Creates the reading of a filter that has compiled already.
  package convenience init(_ filter: Filter) {
    self.init(SourceText(filter.text), environment: filter.environment)
    compiled = .success(filter)
  }

  /// Creates the reading of the same text with other functions of the app. What was parsed is kept.
  package convenience init(_ other: ParsedFilter, environment: FilterEnvironment) {
    self.init(other.source, environment: environment)
    parsed = other.parsed
  }

  private lazy var tokenList = try? tokenize(source, dialect: environment.dialect)

  /// The tokens; those that the dialect does not have are of kind `invalid`.
  package var tokens: [Token] { tokenList?.tokens ?? [] }

  /// The comments.
  package var comments: [SourceSpan] { tokenList?.comments ?? [] }

  private lazy var parsed: Result<SyntaxTree, SyntaxError> = {
    #if DEBUG
      ReadingCount.note(source.text) { $0.parses += 1 }
    #endif
    do throws(SyntaxError) {
      return .success(
        try parse(source, dialect: environment.dialect, limits: environment.parserLimits))
    } catch {
      return .failure(error)
    }
  }()

  /// The tree; `nil` while the text has mistakes of syntax.
  package var tree: SyntaxTree? { try? parsed.get() }

  /// The structure of the filter; `nil` while the text has mistakes of syntax.
  package private(set) lazy var outline: FilterOutline? = tree.map {
    FilterOutline($0, environment: environment)
  }

  /// The compiled filter, or what is wrong with the text.
  package private(set) lazy var compiled: Result<Filter, FilterError> = {
    #if DEBUG
      ReadingCount.note(source.text) { $0.compilations += 1 }
    #endif
    do throws(FilterError) {
      switch parsed {
      case .success(let tree): return .success(try Filter(tree, environment: environment))
      case .failure(let error): throw FilterError(source: source, diagnostics: error.diagnostics)
      }
    } catch {
      return .failure(error)
    }
  }()

  /// The compiled filter; `nil` if the text does not compile.
  package var filter: Filter? { try? compiled.get() }
}

#if DEBUG
  /// The number of times that a text was parsed and compiled, for tests.
  package struct ReadingCount: Hashable, Sendable {
    package var parses = 0
    package var compilations = 0

    package init(parses: Int = 0, compilations: Int = 0) {
      self.parses = parses
      self.compilations = compilations
    }

    /// The texts that are counted. A text that a test counts must be its own.
    private static let counts = Locked<[String: ReadingCount]>([:])

    /// Returns how often some work parses and compiles a text.
    package static func of(_ text: String, _ work: () throws -> Void) rethrows -> ReadingCount {
      counts.withLock { $0[text] = ReadingCount() }
      try work()
      return counts.withLock { $0.removeValue(forKey: text) } ?? ReadingCount()
    }

    fileprivate static func note(_ text: String, _ change: (inout ReadingCount) -> Void) {
      counts.withLock { if $0[text] != nil { change(&$0[text, default: ReadingCount()]) } }
    }
  }
#endif
