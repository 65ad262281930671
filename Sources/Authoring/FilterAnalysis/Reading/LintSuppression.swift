package import ExpressionSyntax

/// The warnings that comments in a filter silence.
///
///     user.seed < 120   // swexpr:ignore W0705
///     // swexpr:ignore-filter
package struct LintSuppression {
  /// The ids silenced on a line; `nil` means all.
  private var lines: [Int: [Set<String>?]] = [:]
  private var filter: [Set<String>?] = []
  private let source: SourceText
  private let sourceLines: SourceLines

  /// Reads the comments of a filter.
  package init(_ tree: SyntaxTree) {
    source = tree.source
    sourceLines = SourceLines(source)
    for comment in tree.comments {
      let words = source.text(of: comment).dropFirst(2)
        .split { !($0.isLetter || $0.isNumber || $0 == ":" || $0 == "-") }
      guard let first = words.first else { continue }
      let codes = Set(words.dropFirst().map { $0.uppercased() }.filter { $0.isCode })
      let ids: Set<String>? = codes.isEmpty ? nil : codes
      switch first {
      case "swexpr:ignore-filter": filter.append(ids)
      case "swexpr:ignore":
        let line = sourceLines.line(of: Int(comment.start))
        // A comment alone on its line applies to the next one.
        lines[isAlone(comment) ? line + 1 : line, default: []].append(ids)
      default: break
      }
    }
  }

  /// Returns whether only white space precedes a comment on its line.
  private func isAlone(_ comment: SourceSpan) -> Bool {
    source.bytes[..<Int(comment.start)].reversed().prefix { $0 != 0x0A && $0 != 0x0D }
      .allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  /// Returns whether a diagnostic is silenced. Errors never are.
  package func silences(_ diagnostic: Diagnostic) -> Bool {
    guard diagnostic.severity == .warning, !filter.isEmpty || !lines.isEmpty else { return false }
    let line = sourceLines.line(of: Int(diagnostic.primary.span.start))
    return (filter + (lines[line] ?? [])).contains { ids in
      ids?.contains(diagnostic.id.rawValue) ?? true
    }
  }
}

extension String {
  /// Whether the text looks like an id: a letter and four digits.
  fileprivate var isCode: Bool {
    utf8.count == 5 && (first == "W" || first == "E") && Int(dropFirst()) != nil
  }
}
