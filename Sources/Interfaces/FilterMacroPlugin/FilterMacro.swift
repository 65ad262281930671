#if Macros
  import ExpressionEngine
  import ExpressionPrinting
  import ExpressionSyntax
  import FilterAnalysis
  import FilterAuthoring
  import SwiftDiagnostics
  public import SwiftSyntax
  import SwiftSyntaxBuilder
  public import SwiftSyntaxMacros

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Checks the filter of `#filter("…")` and expands to a call that compiles it.
  public struct FilterMacro: ExpressionMacro {
    /// Expands one use of the macro.
    public static func expansion(
      of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
      let arguments = Arguments(node.arguments)
      guard let literal = arguments.literal, let text = LiteralText(literal) else {
        throw MacroMistake("#filter takes a string literal without interpolations")
      }
      guard let dialect = arguments.dialect else {
        throw MacroMistake("#filter takes a dialect as `.superscript` or `.cel`")
      }
      let schema = try schema(arguments, node, context)
      var hasError = false
      for finding in findings(text.text, dialect, schema) {
        hasError = hasError || finding.severity == .error
        context.diagnose(diagnostic(finding, literal, text))
      }
      // The compiler stops at the errors; this gives the expression its type.
      if hasError { return "Filter.checked(\"false\", dialect: .superscript)" }
      return "Filter.checked(\(literal), dialect: .\(raw: dialect.rawValue))"
    }

    private static func findings(
      _ text: String, _ dialect: Dialect.Name, _ schema: AttributeSchema
    ) -> [ExpressionSyntax.Diagnostic] {
      Filter.check(
        text, environment: FilterEnvironment(dialect: .named(dialect)), schema: schema)
    }

    private static func diagnostic(
      _ finding: ExpressionSyntax.Diagnostic, _ literal: StringLiteralExprSyntax,
      _ text: LiteralText
    ) -> SwiftDiagnostics.Diagnostic {
      let message = FindingMessage(finding, in: text.text)
      let fixIts = finding.fixIts.map { fix -> SwiftDiagnostics.FixIt in
        var alone = finding
        alone.fixIts = [fix]
        let corrected = Filter.applyingFixes(of: [alone], to: text.text)
        let replacement = StringLiteralExprSyntax(content: corrected)
        return SwiftDiagnostics.FixIt(
          message: FixMessage(message: fix.message, id: finding.id.rawValue),
          changes: [
            .replace(
              oldNode: Syntax(literal),
              newNode: Syntax(replacement.with(\.leadingTrivia, literal.leadingTrivia)))
          ])
      }
      // A plugin can point at a piece of syntax only: the compiler shows the line of the literal,
      // and the message has the column. Other tools use the position.
      let start = Int(finding.primary.span.start)
      return SwiftDiagnostics.Diagnostic(
        node: text.segment(of: start).map { Syntax($0) } ?? Syntax(literal),
        position: text.position(of: start), message: message, fixIts: fixIts)
    }

    // MARK: Schemas

    private static func schema(
      _ arguments: Arguments, _ node: some FreestandingMacroExpansionSyntax,
      _ context: some MacroExpansionContext
    ) throws -> AttributeSchema {
      var schema = AttributeSchema.builtIn
      guard let literal = arguments.schema else { return schema }
      guard let name = LiteralText(literal)?.text else {
        throw MacroMistake("the path of a schema is a string literal without interpolations")
      }
      var path = name
      if !name.hasPrefix("/") {
        let source = context.location(of: node, at: .afterLeadingTrivia, filePathMode: .filePath)?
          .file.as(StringLiteralExprSyntax.self).flatMap { LiteralText($0)?.text }
        guard let source, let slash = source.lastIndex(of: "/") else {
          throw MacroMistake("the folder of the source file is unknown; write the path from `/` on")
        }
        path = source[...slash] + name
      }
      guard let text = read(path) else {
        throw MacroMistake("the schema \(path) cannot be read")
      }
      do {
        schema.merge(try AttributeSchema(json: text))
      } catch {
        throw MacroMistake("\(path): \(error)")
      }
      return schema
    }

    private static func read(_ path: String) -> String? {
      guard let file = fopen(path, "rb") else { return nil }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = fread(&chunk, 1, chunk.count, file)
        if count == 0 { break }
        bytes += chunk[..<count]
      }
      return String(validating: bytes, as: UTF8.self)
    }
  }

  /// The arguments of `#filter`.
  private struct Arguments {
    var literal: StringLiteralExprSyntax?
    var schema: StringLiteralExprSyntax?
    /// `nil` for an expression that is not the name of a dialect.
    var dialect: Dialect.Name? = .superscript

    init(_ arguments: LabeledExprListSyntax) {
      for argument in arguments {
        switch argument.label?.text {
        case nil: literal = argument.expression.as(StringLiteralExprSyntax.self)
        case "schema": schema = argument.expression.as(StringLiteralExprSyntax.self)
        case "dialect":
          let member = argument.expression.as(MemberAccessExprSyntax.self)
          dialect = member.flatMap { Dialect.Name(rawValue: $0.declName.baseName.text) }
        default: break
        }
      }
    }
  }

  /// A use of the macro that is wrong as a whole.
  struct MacroMistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// A finding of the library as a message of the compiler.
  private struct FindingMessage: DiagnosticMessage {
    let message: String
    let diagnosticID: MessageID
    let severity: DiagnosticSeverity

    init(_ finding: ExpressionSyntax.Diagnostic, in text: String) {
      let details = finding.notes + finding.helps
      let sentence = ([finding.message] + details).joined(separator: "; ")
      let excerpt = Self.excerpt(finding.primary.span, in: text)
      message = "\(sentence) (\(finding.id.rawValue))\n\(excerpt)"
      diagnosticID = MessageID(domain: "swexpr", id: finding.id.rawValue)
      severity = finding.severity == .error ? .error : .warning
    }
  }

  extension FindingMessage {
    /// Returns the line with a place, and carets below it.
    private static func excerpt(_ span: SourceSpan, in text: String) -> String {
      let bytes = Array(text.utf8)
      let start = min(Int(span.start), bytes.count)
      let lineStart = (bytes[..<start].lastIndex(of: 0x0A) ?? -1) + 1
      let lineEnd = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let end = min(max(Int(span.end), start), lineEnd)
      func piece(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
      let indent = String(repeating: " ", count: piece(lineStart..<start).count)
      let carets = String(repeating: "^", count: max(piece(start..<end).count, 1))
      return "  \(piece(lineStart..<lineEnd))\n  \(indent)\(carets)"
    }
  }

  /// The title of a fix.
  private struct FixMessage: FixItMessage {
    let message: String
    let id: String

    var fixItID: MessageID { MessageID(domain: "swexpr", id: id) }
  }
#endif
