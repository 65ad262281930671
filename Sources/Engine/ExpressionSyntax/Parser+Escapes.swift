// Escapes in strings.

extension Parser {
  /// Diagnoses a bad escape.
  func diagnosis(of finding: LiteralDecoder.Finding, isBytes: Bool) -> Diagnostic {
    let written = text(finding.span)
    switch finding.problem {
    case .unknown where written.contains(where: { $0.isNewline }):
      return Diagnostic(
        .unknownEscape, "a backslash at the end of a line is not an escape",
        at: SourceSpan(start: finding.span.start, length: 1), label: "not an escape",
        helps: ["write a line break as `\\n`"])
    case .unknown:
      return Diagnostic(
        .unknownEscape, "unknown escape `\(written)`", at: finding.span, label: "not an escape",
        notes: [validEscapes(isBytes: isBytes)],
        helps: ["for a backslash write `\\\\`; for a regular expression use a raw string, `r\"…\"`"]
      )
    case .tooFewDigits(let needed, let octal):
      return Diagnostic(
        .malformedEscape,
        "`\(written)` needs \(octal ? "three octal" : "\(needed) hexadecimal") digits",
        at: finding.span, label: "too few digits")
    case .notACharacter:
      return Diagnostic(
        .malformedEscape, "`\(written)` is not a character", at: finding.span,
        label: "a surrogate, or above 10FFFF",
        helps: ["write characters above FFFF with `\\U` and eight digits"])
    case .notInBytes:
      return Diagnostic(
        .unknownEscape, "`\(written)` is not an escape in bytes", at: finding.span,
        label: "exists in strings only", notes: [validEscapes(isBytes: isBytes)])
    }
  }

  private func validEscapes(isBytes: Bool) -> String {
    let letters = #"`\\` `\"` `\'` `\?` `\a` `\b` `\f` `\n` `\r` `\t` `\v`"#
    let unicode = isBytes ? "" : #" `\uHHHH` `\UHHHHHHHH`"#
    let lettersExist = !isBytes || dialect.lexical.contains(.letterEscapesInBytes)
    return "escapes are \(lettersExist ? letters + " " : "")`\\xHH` `\\ooo` (octal)\(unicode)"
  }
}
