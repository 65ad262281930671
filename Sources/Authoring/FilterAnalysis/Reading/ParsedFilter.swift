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

  private lazy var tokenList = try? tokenize(source, dialect: environment.dialect)

  /// The tokens; those that the dialect does not have are of kind `invalid`.
  package var tokens: [Token] { tokenList?.tokens ?? [] }

  /// The comments.
  package var comments: [SourceSpan] { tokenList?.comments ?? [] }

  private lazy var parsed: Result<SyntaxTree, SyntaxError> = {
    do throws(SyntaxError) {
      return .success(
        try parse(source, dialect: environment.dialect, limits: environment.parserLimits))
    } catch {
      return .failure(error)
    }
  }()

  /// The tree; `nil` while the text has mistakes of syntax.
  package var tree: SyntaxTree? { try? parsed.get() }

  /// The compiled filter, or what is wrong with the text.
  package private(set) lazy var compiled: Result<Filter, FilterError> = {
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
