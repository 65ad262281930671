/// What kind of mistake a ``Diagnostic`` is about. Ids are stable and never used again.
///
/// E01xx tokens, E02xx syntax and types, E03xx names, E04xx calls, E05xx evaluation, E06xx limits,
/// W07xx warnings. To add one, add a case here and its entry to ``DiagnosticCatalog``; the compiler
/// asks for the latter.
public enum DiagnosticID: String, Sendable, Hashable, CaseIterable {
  case unexpectedCharacter = "E0101"
  case invalidUTF8 = "E0102"
  case invisibleCharacter = "E0103"
  case typographicQuotes = "E0104"
  case unclosedString = "E0105"
  case unknownEscape = "E0106"
  case malformedEscape = "E0107"
  case numberTooLarge = "E0109"
  case unsupportedNumber = "E0110"
  case malformedQuotedName = "E0111"
  case foreignComment = "E0112"
  case unsupportedString = "E0113"

  case emptyFilter = "E0201"
  case trailingText = "E0202"
  case unclosedBracket = "E0204"
  case unmatchedBracket = "E0205"
  case chainedComparison = "E0206"
  case signBelongsToNumber = "E0207"
  case repeatedPrefixOperator = "E0208"
  case reservedWord = "E0209"
  case foreignOperator = "E0210"
  case missingOperand = "E0211"
  case incompleteConditional = "E0212"
  case nestedConditional = "E0213"
  case expectedName = "E0214"
  case notCallable = "E0215"
  case malformedEntry = "E0216"
  case optionalSyntax = "E0217"
  case fieldsAfterOperand = "E0218"
  case trailingComma = "E0219"

  case sourceTooLong = "E0601"
  case nestingTooDeep = "E0603"

  case undeclaredName = "E0301"

  case unknownFunction = "E0401"
  case argumentCount = "E0402"
  case failedArgument = "E0403"

  case divisionByZero = "E0501"
  case overflow = "E0502"
  case notComparable = "E0503"
  case unsupportedOperands = "E0504"
  case unexpectedType = "E0505"
  case unusableKey = "E0506"
  case duplicateKey = "E0507"
  case unusableIndex = "E0508"
  case notIndexable = "E0509"
  case indexOutOfRange = "E0510"
  case missingKey = "E0511"
  case invalidArgument = "E0512"
  case invalidPattern = "E0513"
  case hostFunctionFailed = "E0514"
  case notBool = "E0515"
  case unsupportedConstruct = "E0516"

  case stepLimit = "E0602"
  case memoryLimit = "E0604"
  case patternLimit = "E0605"
  case expressionTooDeep = "E0606"
  case filterTooLarge = "E0607"

  /// Errors have an `E` in front, warnings a `W`.
  public var severity: Diagnostic.Severity { rawValue.first == "W" ? .warning : .error }

  /// What the catalogue says about it.
  public var entry: DiagnosticCatalog.Entry { DiagnosticCatalog.entry(for: self) }
}
