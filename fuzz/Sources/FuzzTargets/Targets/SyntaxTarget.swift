import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax

/// Every text compiles, or has diagnostics whose places are in it and which can be printed.
enum SyntaxTarget {
  static func run(_ input: FuzzInput) {
    let nesting = [80, 80, 8, 1][Int(input.choice % 4)]
    for name in Dialect.Name.allCases {
      var environment = FilterEnvironment(dialect: .named(name))
      environment.parserLimits = ParserLimits(nesting: nesting)
      environment.expandsMacros = input.choice & 16 == 0
      let text = input.text
      do throws(FilterError) {
        let filter = try Filter(text, environment: environment)
        require(filter.text == text, "the filter has another text")
        for attribute in filter.requirements.attributes {
          require(!attribute.path.isEmpty, "an attribute without a path")
        }
        require(filter.approximateByteCount > 0, "a filter without a size")
      } catch {
        require(!error.diagnostics.isEmpty, "an error without a diagnostic")
        check(error.diagnostics, in: text)
      }
    }
  }

  /// Checks the places of diagnostics, and prints them.
  static func check(_ diagnostics: [Diagnostic], in text: String) {
    let count = text.utf8.count
    for diagnostic in diagnostics {
      var spans = [diagnostic.primary.span] + diagnostic.secondary.map(\.span)
      spans += diagnostic.fixIts.flatMap(\.edits).map(\.span)
      for span in spans {
        require(
          Int(span.start) + Int(span.length) <= count,
          "\(diagnostic) is at \(span), beyond the \(count) bytes of the text")
      }
      require(!diagnostic.message.isEmpty, "\(diagnostic.id) has no message")
    }
    for style in [DiagnosticRenderer.Style.rich, .plain] {
      let rendered = DiagnosticRenderer(style: style).render(diagnostics, in: text)
      require(rendered.isEmpty == diagnostics.isEmpty, "diagnostics are printed as nothing")
    }
    let json = DiagnosticRenderer.json(diagnostics, in: text)
    require((try? Value(json: json)) != nil, "diagnostics are printed as broken JSON: \(json)")
  }
}
