/// The kind of mistake that a ``Diagnostic`` reports. Ids are stable and never reused.
///
/// E01xx tokens, E02xx syntax and types, E03xx names, E04xx calls, E05xx evaluation, E06xx limits,
/// W07xx warnings. To add one, add a case here and its entry to `DiagnosticCatalog`; a test checks
/// that every case has an entry.
public enum DiagnosticID: String, Sendable, Hashable, CaseIterable {
  /// Unexpected character.
  case unexpectedCharacter = "E0101"
  /// Text is not UTF-8.
  case invalidUTF8 = "E0102"
  /// Invisible character.
  case invisibleCharacter = "E0103"
  /// Typographic quotes.
  case typographicQuotes = "E0104"
  /// String is not closed.
  case unclosedString = "E0105"
  /// Unknown escape.
  case unknownEscape = "E0106"
  /// Malformed escape.
  case malformedEscape = "E0107"
  /// Number too large.
  case numberTooLarge = "E0109"
  /// Unsupported number.
  case unsupportedNumber = "E0110"
  /// Malformed name in backticks.
  case malformedQuotedName = "E0111"
  /// Comment of another language.
  case foreignComment = "E0112"
  /// Unsupported string.
  case unsupportedString = "E0113"

  /// Empty filter.
  case emptyFilter = "E0201"
  /// Unexpected text.
  case trailingText = "E0202"
  /// Bracket is not closed.
  case unclosedBracket = "E0204"
  /// Closing bracket without an opening one.
  case unmatchedBracket = "E0205"
  /// Comparisons in a row.
  case chainedComparison = "E0206"
  /// Sign belongs to the number.
  case signBelongsToNumber = "E0207"
  /// Prefix operators in a row.
  case repeatedPrefixOperator = "E0208"
  /// Reserved word.
  case reservedWord = "E0209"
  /// Operator of another language.
  case foreignOperator = "E0210"
  /// Missing operand.
  case missingOperand = "E0211"
  /// Conditional without `:`.
  case incompleteConditional = "E0212"
  /// Conditional inside a conditional.
  case nestedConditional = "E0213"
  /// Expected a name.
  case expectedName = "E0214"
  /// Not a function.
  case notCallable = "E0215"
  /// Malformed entry.
  case malformedEntry = "E0216"
  /// Optional syntax.
  case optionalSyntax = "E0217"
  /// Fields after a value.
  case fieldsAfterOperand = "E0218"
  /// Comma after the last argument.
  case trailingComma = "E0219"

  /// Operator does not take these types.
  case operandTypes = "E0220"
  /// Value has no members.
  case noMembers = "E0221"
  /// Macro does not take this type.
  case notIterable = "E0222"
  /// Branches have different types.
  case differentBranches = "E0223"
  /// Expected an optional.
  case notOptional = "E0224"
  /// Condition has the wrong type.
  case conditionType = "E0225"
  /// Type that a map key cannot have.
  case unusableKeyType = "E0226"

  /// Filter is too long.
  case sourceTooLong = "E0601"
  /// Brackets are nested too deeply.
  case nestingTooDeep = "E0603"

  case undeclaredName = "E0301"

  case unknownFunction = "E0401"
  case argumentCount = "E0402"
  case failedArgument = "E0403"
  /// Function does not take these types.
  case noMatchingOverload = "E0404"
  /// Macro is written wrongly.
  case malformedMacro = "E0405"

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
  case evaluationCancelled = "E0608"
  case deadlineExceeded = "E0609"

  /// Attribute that is not in the schema.
  case unknownAttribute = "W0701"
  /// Deprecated attribute.
  case deprecatedAttribute = "W0702"
  /// Comparison of an attribute with a constant of another type.
  case typeMismatch = "W0703"
  /// Condition that is never true.
  case alwaysFalse = "W0704"
  /// Condition that is always true.
  case alwaysTrue = "W0705"
  /// Filter whose result is not a bool.
  case resultNotBool = "W0706"
  /// Value that is not a condition, as an operand of `&&` or `||`.
  case operandNotCondition = "W0707"
  /// The text "true" or "false" where a text is needed.
  case boolWordAsText = "W0708"
  /// Versions compared as text.
  case unpaddedVersion = "W0709"
  /// Missing attribute that counts as zero and matches.
  case missingCountsAsZero = "W0710"
  /// `has` before `&&`.
  case uselessGuard = "W0711"
  /// Comparison of two attributes that is false when one is missing.
  case missingAgainstAttribute = "W0712"
  /// Constant that differs in case from the attribute's values.
  case wrongCase = "W0713"
  /// Constant that the attribute never has.
  case impossibleValue = "W0714"
  /// Regular expression that never matches.
  case patternNeverMatches = "W0715"
  /// Regular expression that may be slow.
  case slowPattern = "W0716"
  /// Function that does not exist.
  case uncallableFunction = "W0717"
  /// Variable that does not exist.
  case unknownRoot = "W0718"
  /// Function called as a method.
  case functionAsMethod = "W0719"
  /// Repeated condition.
  case repeatedCondition = "W0720"
  /// Member whose name is a function in other languages.
  case memberForFunction = "W0721"
  /// Call with too many or too few arguments that runs all the same.
  case wrongArgumentCount = "W0722"
  /// `&&` and `||` mixed without parentheses.
  case mixedLogic = "W0723"
  /// Condition that another one makes needless.
  case redundantCondition = "W0724"
  /// Index before the first element.
  case negativeIndex = "W0725"
  /// `*` in a text that is looked for letter by letter.
  case wildcardInText = "W0726"
  /// Condition that fails for users without an attribute, although its opposite is asked for.
  case failsWhenMissing = "W0727"
  /// Number in another unit than that of the attribute.
  case otherUnit = "W0728"
  /// Attribute that the platform of the filter does not have.
  case otherPlatform = "W0729"
  /// Loop whose condition does not read the element.
  case unusedVariable = "W0730"
  /// Regular expression that means something else than it seems to.
  case patternMeansOther = "W0731"
  /// Value that no alternative covers.
  case uncoveredValue = "W0732"
  /// Condition that is seldom what is meant.
  case seldomMeant = "W0733"

  /// Ids of errors start with `E`, ids of warnings with `W`.
  public var severity: Diagnostic.Severity { rawValue.first == "W" ? .warning : .error }
}
