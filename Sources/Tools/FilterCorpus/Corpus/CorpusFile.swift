package import ExpressionEngine
package import ExpressionSyntax

/// A `.corpus` file: its cases, and every line as it was written.
///
/// `corpus/README.md` describes the format. ``text`` is the text that was read, byte for byte.
package struct CorpusFile: Sendable, Hashable {
  /// A stretch of the file.
  package enum Item: Sendable, Hashable {
    /// A comment, a header or a blank line, and what ``uses`` names.
    case line(String)
    /// A named context.
    case context(CorpusContext)
    /// A case.
    case entry(CorpusCase)
  }

  /// The path, as it was given.
  package var path: String
  /// The stretches in the order of the file.
  package var items: [Item]
  /// The fields of the header: `topic`, `description`, `dialect`.
  package var header: [String: String]
  /// The dialect of the cases, `superscript` unless the header names another one.
  package var dialect: Dialect.Name

  /// Creates a file from its parts.
  package init(
    path: String, items: [Item], header: [String: String] = [:],
    dialect: Dialect.Name = .superscript
  ) {
    self.path = path
    self.items = items
    self.header = header
    self.dialect = dialect
  }

  /// The cases in the order of the file.
  package var entries: [CorpusCase] {
    items.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
  }

  /// The text of the file.
  package var text: String {
    var lines: [String] = []
    for item in items {
      switch item {
      case .line(let line): lines.append(line)
      case .context(let context): lines += context.lines
      case .entry(let entry): lines += entry.lines
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The address of the file: its folder and its name without the ending, `superscript/strings`.
  package var address: String {
    let parts = path.split(separator: "/").suffix(2).map(String.init)
    var name = parts.joined(separator: "/")
    if name.hasSuffix(".corpus") { name.removeLast(7) }
    return name
  }

  /// The cases in the form that all formats share.
  package var cases: [ConformanceCase] {
    entries.map { entry in
      ConformanceCase(
        id: "\(address)#\(entry.name)", request: entry.request, expectation: entry.expectation,
        needs: entry.needs, skipReason: entry.skipReason)
    }
  }
}

/// A named context that cases of a file share: `@context NAME` and the indented lines below it.
package struct CorpusContext: Sendable, Hashable {
  /// The name.
  package var name: String
  /// The content.
  package var content: CorpusContextContent
  /// The lines as they are in the file.
  package var lines: [String]
}

/// The variables and host functions of a case.
package struct CorpusContextContent: Sendable, Hashable {
  /// The variables by name.
  package var variables: [String: Value] = [:]
  /// The device functions that exist.
  package var deviceFunctions: [String: [Value]] = [:]
  /// The computed functions that exist.
  package var computedFunctions: [String: [Value]] = [:]
  /// The results of host functions.
  package var hostAnswers: [String: HostAnswer] = [:]

  /// Creates an empty context.
  package init() {}

  /// The same context with the entries of `other`, which win.
  func merging(_ other: CorpusContextContent) -> CorpusContextContent {
    var result = self
    result.variables.merge(other.variables) { _, new in new }
    result.deviceFunctions.merge(other.deviceFunctions) { _, new in new }
    result.computedFunctions.merge(other.computedFunctions) { _, new in new }
    result.hostAnswers.merge(other.hostAnswers) { _, new in new }
    return result
  }
}

/// A case of a `.corpus` file.
package struct CorpusCase: Sendable, Hashable {
  /// The name, unique in its file.
  package var name: String
  /// The question with its context resolved.
  package var request: CaseRequest
  /// The answer.
  package var expectation: Expectation
  /// The features that an engine must have.
  package var needs: [String]
  /// Why the case is left out, if it is.
  package var skipReason: String?
  /// The number of the line with the name, counted from 1.
  package var line: Int
  /// The lines from the name to the end of the question.
  package var questionLines: [String]
  /// The lines of the answer.
  package var answerLines: [String]
  /// The lines after the answer: skip, comments and blank lines in between.
  package var trailingLines: [String]

  /// All lines of the case.
  package var lines: [String] { questionLines + answerLines + trailingLines }
}

/// A mistake in a `.corpus` or JSON Lines file.
package struct CorpusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  package var path: String
  /// The line, counted from 1.
  package var line: Int
  /// The mistake.
  package var message: String

  /// Creates an error.
  package init(path: String, line: Int, message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  /// `path:line: message`
  package var description: String { "\(path):\(line): \(message)" }
}
