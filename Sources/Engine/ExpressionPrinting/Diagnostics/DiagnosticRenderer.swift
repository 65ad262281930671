public import ExpressionSyntax

/// Writes diagnostics for people, with the source line and carets, or in sentences.
public struct DiagnosticRenderer: Sendable, Hashable {
  /// The form of the text.
  public enum Style: String, Sendable, Hashable {
    /// The source line with carets under it.
    case rich
    /// Full sentences without drawings, for screen readers.
    case plain
  }

  /// The form of the text.
  public var style: Style
  /// Whether to colour `Style/rich` text with terminal escapes; colour never carries meaning alone.
  public var usesColor: Bool

  /// Creates a renderer.
  public init(style: Style = .rich, usesColor: Bool = false) {
    self.style = style
    self.usesColor = usesColor
  }

  /// Returns diagnostics of a text, an empty line between two, with a line break at the end.
  ///
  /// - Parameters:
  ///   - diagnostics: The diagnostics.
  ///   - text: The text that they are about.
  ///   - name: The name of the text, such as a file name, to show before line and column.
  public func render(
    _ diagnostics: [Diagnostic], in text: String, named name: String? = nil
  ) -> String {
    render(diagnostics, in: SourceText(text, name: name))
  }

  /// All diagnostics, an empty line between two, with a line break at the end.
  package func render(_ diagnostics: [Diagnostic], in source: SourceText) -> String {
    let lines = SourceLines(source)
    return diagnostics.map { render($0, lines) }.joined(separator: "\n")
  }

  /// One diagnostic, with a line break at the end.
  package func render(_ diagnostic: Diagnostic, in source: SourceText) -> String {
    render(diagnostic, SourceLines(source))
  }

  private func render(_ diagnostic: Diagnostic, _ lines: SourceLines) -> String {
    switch style {
    case .rich: rich(diagnostic, lines)
    case .plain: plain(diagnostic, lines)
    }
  }

  /// The helps and, after them, those fixes that no label and no help has named.
  package static func helps(of diagnostic: Diagnostic) -> [String] {
    var helps = diagnostic.helps
    for fixIt in diagnostic.fixIts
    where diagnostic.primary.message != fixIt.message && !helps.contains(fixIt.message) {
      helps.append(fixIt.message)
    }
    return helps
  }

  // MARK: - Plain

  private func plain(_ diagnostic: Diagnostic, _ lines: SourceLines) -> String {
    let severity = diagnostic.severity == .error ? "Error" : "Warning"
    var out = "\(severity) \(diagnostic.id.rawValue): \(diagnostic.message).\n"
    out += "At \(place(diagnostic.primary, lines))"
    out += ", in \(lines.source.name ?? "the filter").\n"
    for label in diagnostic.secondary { out += "See \(place(label, lines)).\n" }
    for note in diagnostic.notes { out += "Note: \(note).\n" }
    for help in Self.helps(of: diagnostic) { out += "Help: \(help).\n" }
    return out
  }

  /// "line 1, column 17, `"Pixel 9`: opened here".
  private func place(_ label: Diagnostic.Label, _ lines: SourceLines) -> String {
    let location = lines.location(of: label.span.start)
    var out = "line \(location.line), column \(location.column)"
    // Sixty characters are shown, and a part may be as long as the filter.
    let start = SourceSpan(start: label.span.start, length: min(label.span.length, 1_024))
    let text = lines.source.text(of: start).prefix(60).prefix { !$0.isNewline }
    if !text.isEmpty { out += ", `\(text)`" }
    if !label.message.isEmpty { out += ": \(label.message)" }
    return out
  }

  // MARK: - Rich

  private func rich(_ diagnostic: Diagnostic, _ sourceLines: SourceLines) -> String {
    let location = sourceLines.location(of: diagnostic.primary.span.start)
    let excerpt = SourceExcerpt(diagnostic: diagnostic, lines: sourceLines)
    let gutter = String(repeating: " ", count: excerpt.numberWidth)
    let code = "\(diagnostic.severity.rawValue)[\(diagnostic.id.rawValue)]"
    let tint = diagnostic.severity == .error ? "31" : "33"
    let bar = colored("|", "34")
    var lines = ["\(colored(code, "1;" + tint)): \(colored(diagnostic.message, "1"))"]
    let name = sourceLines.source.name ?? "<filter>"
    lines.append("\(gutter)\(colored("-->", "34")) \(name):\(location)")
    lines.append("\(gutter) \(bar)")
    for row in excerpt.rows {
      switch row {
      case .source(let number, let text):
        let padded = String(repeating: " ", count: max(0, gutter.count - "\(number)".count))
        lines.append(trimmed("\(colored("\(padded)\(number)", "34")) \(bar) \(text)"))
      case .marks(let text, let isPrimary):
        lines.append(trimmed("\(gutter) \(bar) \(colored(text, isPrimary ? tint : "34"))"))
      case .gap: lines.append("...")
      }
    }
    let helps = Self.helps(of: diagnostic)
    if !diagnostic.notes.isEmpty || !helps.isEmpty { lines.append("\(gutter) \(bar)") }
    for note in diagnostic.notes { lines.append("\(gutter) \(colored("=", "34")) note: \(note)") }
    for help in helps { lines.append("\(gutter) \(colored("=", "34")) help: \(help)") }
    return lines.map { $0 + "\n" }.joined()
  }

  private func colored(_ text: String, _ code: String) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
