package import ExpressionSyntax
import FilterAnalysis

/// All rules of the linter, by what they look at, in the order in which they are asked.
package enum LintRules {
  static let names: [LintRule<LintedNode>] = [
    // In the cel dialect the type checker knows the names.
    LintRule(.unknownRoot, always: { if $0.isSuperscript { $0.checkRoot($1.id, $1.node) } })
  ]

  static let texts: [LintRule<LintedNode>] = [
    LintRule(.wildcardInText, .typeMismatch, always: { $0.checkLetters($1.id, $1.node) })
  ]

  static let members: [LintRule<LintedNode>] = [
    LintRule(
      .unknownAttribute, .deprecatedAttribute, .memberForFunction,
      always: { $0.checkAttribute($1.id) })
  ]

  static let indexes: [LintRule<LintedNode>] = [
    LintRule(.negativeIndex, .typeMismatch, always: { $0.checkIndex($1.id, $1.node) }),
    LintRule(.impossibleValue, .seldomMeant, always: { $0.checkKeys($1.node) }),
  ]

  static let signs: [LintRule<LintedNode>] = [
    LintRule(.typeMismatch, always: { $0.checkSign($1.node) })
  ]

  static let arithmetic: [LintRule<LintedNode>] = [
    LintRule(.boolWordAsText, always: { $0.checkArithmetic($1.node) }),
    LintRule(.typeMismatch, always: { $0.checkAddedBools($1.node) }),
    LintRule(.typeMismatch, .alwaysFalse, always: { $0.checkOperands($1.id, $1.node) }),
    LintRule(.typeMismatch, always: { $0.checkJoinedNumber($1.node) }),
    LintRule(.failsWhenMissing, always: { $0.checkZeroDivisor($1.node) }),
    LintRule(.typeMismatch, always: { $0.checkConstantQuotient($1.id, $1.node) }),
    LintRule(.seldomMeant, always: { $0.checkMean($1.id, $1.node) }),
    LintRule(.seldomMeant, always: { $0.checkNestedWindows($1.node) }),
    LintRule(.repeatedCondition, always: { $0.checkRepeatedTerm($1.node) }),
  ]

  static let conditionals: [LintRule<LintedNode>] = [
    LintRule(
      .alwaysTrue, .alwaysFalse, .repeatedCondition, always: { $0.checkBranches($1.node) }),
    LintRule(.mixedLogic, always: { $0.checkLooseConditional($1.id, $1.node) }),
    LintRule(.seldomMeant, always: { $0.checkSwappedBranches($1.node) }),
    LintRule(
      .otherPlatform, .impossibleValue, always: { $0.checkPlatformsOfBranches($1.node) }),
  ]

  /// Rules about nodes of which only the truth matters.
  static let conditions: [LintRule<LintedNode>] = [
    LintRule(.operandNotCondition, always: { $0.checkOperand($1.id, $1.node) }),
    LintRule(.operandNotCondition, always: { $0.checkNumberOrList($1.id, $1.node) }),
    LintRule(.seldomMeant, always: { $0.checkNegatedTimeSince($1.id, $1.node) }),
    LintRule(.missingCountsAsZero, always: { $0.checkNeverSubscribed($1.id, $1.node) }),
    LintRule(.seldomMeant, always: { linter, it in linter.checkNameOfPurchase(it.id) }),
    LintRule(
      .seldomMeant, .redundantCondition,
      always: {
        $0.checkNotBoth($1.id, $1.node)
        $0.checkNegatedInequality($1.node)
      }),
  ]

  // MARK: Comparisons

  static let comparisons: [LintRule<LintedComparison>] = [
    LintRule(
      .alwaysTrue, .alwaysFalse, .typeMismatch, check: { $0.checkConstants($1.id, $1.node) }),
    LintRule(
      .alwaysTrue, .alwaysFalse, check: { $0.checkSameSides($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkNegatedIn($1.node) }),
    LintRule(.redundantCondition, always: { $0.checkDoubleNegation($1.node) }),
    LintRule(.typeMismatch, always: { $0.checkRangeAsDifference($1.node) }),
    LintRule(
      .wildcardInText, .seldomMeant, .impossibleValue,
      always: {
        $0.checkWildcardElement($1.node)
        $0.checkPartOfValue($1.node)
        $0.checkPartOfElement($1.node)
      }),
    LintRule(.alwaysFalse, always: { $0.checkBirthday($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkNegatedLiteral($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkListSought($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkQueryOfValue($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkNestedList($1.node, $1.left, $1.right) }),
    LintRule(.alwaysTrue, .alwaysFalse, check: { $0.checkWindows($1.node, $1.left, $1.right) }),
    LintRule(.otherUnit, check: { $0.checkProduct($1.node, $1.left, $1.right) }),
    LintRule(.otherUnit, check: { $0.checkUnits($1.node, $1.left, $1.right) }),
    LintRule(.alwaysFalse, check: { $0.checkExchangedMoments($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkMoments($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkSoughtElement($1.node, $1.left, $1.right) }),
    LintRule(.typeMismatch, check: { $0.checkKinds($1.node, $1.left, $1.right) }),
    LintRule(.seldomMeant, always: { $0.checkVersions($1.node, $1.left, $1.right) }),
    LintRule(
      .typeMismatch, .missingAgainstAttribute,
      always: { $0.checkAttributes($1.node, $1.left, $1.right) }),
    LintRule(.alwaysFalse, always: { $0.checkBeforeInstall($1.node) }),
  ]

  static let constantComparisons: [LintRule<LintedConstant>] = [
    LintRule(
      .missingCountsAsZero, .typeMismatch,
      check: { $0.checkPartOfText($1.id, $1.node, $1.comparison) }),
    LintRule(
      .seldomMeant, .typeMismatch, .repeatedCondition, .wrongCase, .impossibleValue,
      .alwaysFalse, .missingCountsAsZero,
      check: { $0.checkMembership($1.id, $1.comparison) }),
    LintRule(
      .boolWordAsText, .wrongCase, .impossibleValue,
      check: { $0.checkBoolWord($1.node, $1.comparison) }),
    LintRule(
      .alwaysFalse, .alwaysTrue, .typeMismatch,
      check: { $0.checkNeverNull($1.node, $1.comparison, $1.attribute) }),
    LintRule(.typeMismatch, check: { $0.checkSumOfText($1.comparison) }),
    LintRule(.typeMismatch, check: { $0.checkType($1.node, $1.comparison) }),
    LintRule(
      .wrongCase, .impossibleValue, .unpaddedVersion,
      always: { linter, it in
        if let attribute = it.attribute { linter.checkValue(it.comparison, attribute) }
      }),
    LintRule(.impossibleValue, always: { $0.checkJoinedTexts($1.comparison) }),
    LintRule(.otherUnit, check: { $0.checkUnit($1.comparison, $1.attribute) }),
    LintRule(.alwaysFalse, always: { $0.checkClockEnd($1.comparison, $1.attribute) }),
    LintRule(
      .alwaysTrue, .alwaysFalse,
      check: { linter, it in
        guard let attribute = it.attribute else { return false }
        return linter.checkRange(it.id, it.comparison, attribute)
      }),
    LintRule(.typeMismatch, always: { $0.checkOrderOfTexts($1.comparison, $1.attribute) }),
    LintRule(.typeMismatch, always: { $0.checkOrderOfDigits($1.comparison) }),
    LintRule(.otherUnit, always: { $0.checkPriceInCents($1.comparison) }),
    LintRule(
      .otherUnit,
      always: {
        $0.checkYearOfBirth($1.comparison)
        $0.checkYears($1.comparison)
      }),
    LintRule(.typeMismatch, always: { $0.checkNumberInText($1.comparison) }),
    LintRule(.typeMismatch, check: { $0.checkListEquality($1.comparison) }),
    LintRule(.typeMismatch, always: { $0.checkUnknownText($1.comparison, $1.attribute) }),
    LintRule(.wildcardInText, always: { $0.checkPatternInEquality($1.comparison) }),
    LintRule(.otherUnit, always: { $0.checkNamedUnit($1.comparison) }),
    LintRule(.missingCountsAsZero, always: { $0.checkIndexedZero($1.node, $1.comparison) }),
    LintRule(.failsWhenMissing, always: { $0.checkNegatedTime($1.id, $1.comparison) }),
    LintRule(.typeMismatch, .otherUnit, always: { $0.checkPlainWord($1.comparison) }),
    LintRule(
      .typeMismatch,
      always: {
        $0.checkKindByName($1.comparison)
        $0.checkCapitalBool($1.comparison)
        $0.checkTextForList($1.comparison)
      }),
    LintRule(.alwaysFalse, always: { $0.checkNegativeCount($1.comparison) }),
    LintRule(
      .alwaysFalse, .alwaysTrue,
      always: {
        $0.checkBoolAgainstNull($1.node, $1.comparison)
        $0.checkSizeOfMap($1.node, $1.comparison)
      }),
    LintRule(.seldomMeant, always: { $0.checkOneSecond($1.comparison, $1.attribute) }),
    LintRule(
      .seldomMeant,
      always: {
        $0.checkOneSeed($1.comparison)
        $0.checkLastSeed($1.id, $1.comparison)
        $0.checkJoinedText($1.comparison)
        $0.checkOrderOfList($1.comparison)
        $0.checkJoinedAttributes($1.comparison)
        $0.checkOneMinute($1.comparison, $1.attribute)
      }),
    LintRule(.seldomMeant, always: { $0.checkSharedSymbol($1.comparison, $1.attribute) }),
    LintRule(.seldomMeant, always: { $0.checkExactDecimal($1.comparison) }),
    LintRule(
      .impossibleValue,
      always: {
        $0.checkTypographicID($1.comparison)
        $0.checkRelativeMoment($1.comparison)
      }),
    LintRule(
      .seldomMeant, .impossibleValue, .wrongCase,
      always: {
        $0.checkPathOfLink($1.comparison, $1.attribute)
        $0.checkCountryAsCity($1.comparison, $1.attribute)
      }),
    LintRule(
      .impossibleValue, .seldomMeant,
      always: { $0.checkJoinedIDs($1.comparison, $1.attribute) }),
    LintRule(.impossibleValue, always: { $0.checkAnonymousID($1.comparison, $1.attribute) }),
    LintRule(.missingCountsAsZero, always: { $0.checkUnknownDate($1.comparison, $1.attribute) }),
    LintRule(.failsWhenMissing, always: { $0.checkSizeOfMissing($1.id, $1.node, $1.comparison) }),
    LintRule(.typeMismatch, always: { $0.checkQuotient($1.comparison) }),
    LintRule(
      .alwaysTrue, .alwaysFalse, .typeMismatch,
      check: { $0.checkSizeRange($1.node, $1.comparison) }),
    LintRule(
      .alwaysTrue, .alwaysFalse, check: { $0.checkComputedRange($1.node, $1.comparison) }),
    LintRule(
      .missingCountsAsZero, always: { $0.checkZeroOnTheLeft($1.node, $1.comparison) }),
    LintRule(
      .alwaysTrue, .alwaysFalse, always: { $0.checkOldestSDK($1.comparison, $1.attribute) }),
    LintRule(.missingCountsAsZero, always: { $0.checkUnequalTime($1.id, $1.comparison) }),
    LintRule(.otherUnit, always: { $0.checkBuildNumber($1.comparison, $1.attribute) }),
    LintRule(.seldomMeant, always: { $0.checkLastMajor($1.comparison, $1.attribute) }),
    LintRule(.missingCountsAsZero, always: { $0.checkMissing($1.id, $1.comparison) }),
  ]

  // MARK: Calls

  static let calls: [LintRule<LintedCall>] = [
    LintRule(
      .invalidPattern, .patternNeverMatches, .slowPattern, .alwaysTrue, .patternMeansOther,
      .impossibleValue,
      always: { $0.checkPattern($1.node, $1.name) }),
    LintRule(.boolWordAsText, always: { $0.checkTextFunction($1.node, $1.name) }),
    LintRule(
      .wildcardInText, .wrongCase, .impossibleValue, .unpaddedVersion, .alwaysTrue,
      always: { $0.checkSoughtText($1.node, $1.name) }),
    LintRule(.impossibleValue, always: { $0.checkPartOfElement($1.node) }),
    LintRule(
      .seldomMeant, .patternMeansOther, always: { $0.checkOpenEnd($1.node, $1.name) }),
    LintRule(.impossibleValue, .wrongCase, always: { $0.checkEventName($1.node) }),
    LintRule(
      .seldomMeant,
      always: {
        $0.checkOwner($1.node)
        $0.checkNamedListInList($1.node, $1.name)
        $0.checkLargestCondition($1.node)
      }),
    LintRule(
      .typeMismatch,
      always: {
        $0.checkSizeByName($1.node)
        $0.checkTextOfNumber($1.node)
        $0.checkTextOfList($1.node)
      }),
    LintRule(.seldomMeant, always: { $0.checkContainsOfRoot($1.id, $1.node) }),
    LintRule(.typeMismatch, always: { $0.checkConversion($1.node, $1.name) }),
    LintRule(.missingCountsAsZero, always: { $0.checkReversedSearch($1.id, $1.node, $1.name) }),
    LintRule(.missingCountsAsZero, always: { $0.checkAllOfEmptyList($1.id, $1.node) }),
    LintRule(.alwaysTrue, .alwaysFalse, always: { $0.checkLoopOverNothing($1.node) }),
    LintRule(.operandNotCondition, always: { $0.checkSizeOfMap($1.node, $1.name) }),
    LintRule(
      .seldomMeant, .alwaysTrue, .alwaysFalse, always: { $0.checkOtherElement($1.id, $1.node) }),
    LintRule(
      .typeMismatch, .alwaysFalse, always: { $0.checkSizeOfJoinedText($1.id, $1.node, $1.name) }),
  ]

  /// Rules about calls in the superscript dialect, without those of functions of `device` and
  /// `computed` that the app has.
  static let libraryCalls: [LintRule<LintedCall>] = [
    LintRule(
      .uncallableFunction, .wrongArgumentCount, .typeMismatch, .noMatchingOverload,
      check: { $0.checkCallable($1.node, $1.name) }),
    LintRule(.functionAsMethod, check: { $0.checkMethod($1.node, $1.name) }),
    LintRule(.wrongArgumentCount, always: { $0.checkArgumentCount($1.node, $1.name) }),
    LintRule(.uselessGuard, always: { if $1.name == "maybe" { $0.checkTriedConstant($1.node) } }),
    LintRule(.typeMismatch, check: { $0.checkArgumentTypes($1.id, $1.node, $1.name) }),
    LintRule(.alwaysTrue, always: { if $1.name == "has" { $0.checkHas($1.node) } }),
    LintRule(.alwaysFalse, always: { if $1.name == "hasFn" { $0.checkHasFunction($1.node) } }),
  ]

  static let loops: [LintRule<LintedCall>] = [
    LintRule(
      .operandNotCondition, .unknownRoot, .typeMismatch, always: { $0.checkLoopBody($1.node) }),
    LintRule(.unusedVariable, always: { $0.checkVariable($1.node) }),
    LintRule(.seldomMeant, always: { $0.checkHiddenElement($1.id, $1.node) }),
    LintRule(.seldomMeant, always: { $0.checkNotAll($1.id, $1.node) }),
    LintRule(.alwaysFalse, always: { $0.checkActiveElements($1.node) }),
  ]

  // MARK: Chains

  static let chains: [LintRule<LintedChain>] = [
    LintRule(.repeatedCondition, always: { $0.checkRepeatedConditions($1.operands) }),
    LintRule(
      .alwaysTrue, .alwaysFalse, .redundantCondition,
      always: { $0.checkOpposites($1.node, $1.operands) }),
    LintRule(
      .mixedLogic, .redundantCondition, always: { $0.checkMixedLogic($1.node, $1.operands) }),
    LintRule(always: { if $1.node.op == .or { $0.noteLooseAlternative($1.operands) } }),
    LintRule(.mixedLogic, always: { $0.checkSplitPair($1.node, $1.operands) }),
    LintRule(
      .seldomMeant,
      always: { if $1.node.op == .or { $0.checkOnlyElements($1.operands) } }),
    LintRule(.mixedLogic, always: { $0.checkTrailingConditions($1.node, $1.operands) }),
    LintRule(
      .typeMismatch, .alwaysFalse, .redundantCondition,
      always: {
        guard $1.node.op == .and else { return }
        $0.checkTextAndNumber($1.operands)
        $0.checkSizeOfNumber($1.operands)
        $0.checkLoopOverEmpty($1.operands)
      }),
    LintRule(
      .seldomMeant, .redundantCondition, .alwaysTrue, .alwaysFalse, .missingCountsAsZero,
      .otherUnit, .failsWhenMissing,
      always: {
        if $1.node.op == .and {
          $0.checkClocks($1.operands)
          $0.checkSetAndEmpty($1.operands)
          $0.checkZeroAllowed($1.operands)
          $0.checkNeighboursOfCounts($1.operands)
          $0.checkNeverAndTime($1.operands)
          $0.checkFirstSeed($1.operands)
          $0.checkIndexOfShortList($1.operands)
          $0.checkDatesApart($1.operands)
          $0.checkPurchaseToday($1.operands)
          $0.checkTwoElements($1.operands)
          $0.checkViews($1.operands)
          $0.checkPlaceholder($1.operands)
          $0.checkSizeInBytes($1.operands)
          $0.checkClockOfPlace($1.operands)
          $0.checkSignOfOffset($1.operands)
        }
        if $1.node.op == .or {
          $0.checkOddRoot($1.operands)
          $0.checkEitherMissing($1.operands)
          $0.checkPresenceOrValue($1.operands)
          $0.checkOnlyInequalities($1.id)
          $0.checkDefaultOfTime($1.id, $1.node)
        }
      }),
    LintRule(
      .alwaysTrue, .alwaysFalse, always: { $0.checkDecided($1.node, $1.operands) }),
    LintRule(
      .operandNotCondition, always: { $0.checkAlternatives($1.id, $1.node, $1.operands) }),
    LintRule(
      .operandNotCondition, always: { $0.checkJoinedTexts($1.id, $1.node, $1.operands) }),
    LintRule(.resultNotBool, .mixedLogic, always: { $0.checkLastAlternative($1) }),
    LintRule(
      .alwaysFalse, always: { if $1.node.op == .and { $0.checkNoneLeft($1.operands) } }),
    LintRule(
      .redundantCondition, always: { if $1.node.op == .or { $0.checkEmptyOrNull($1.operands) } }),
    LintRule(
      .alwaysTrue, .alwaysFalse, .redundantCondition,
      always: { linter, chain in
        linter.checkProofs(chain)
      }),
    LintRule(.uncoveredValue, always: { $0.checkUncovered($1) }),
    LintRule(
      .alwaysFalse, .alwaysTrue,
      always: { $0.checkExclusion($1.operands, isAnd: $1.node.op == .and) }),
    LintRule(
      .alwaysFalse, .seldomMeant,
      always: {
        guard $1.node.op == .and else { return }
        $0.checkComputedRanges($1.operands)
        $0.checkNeighbours($1.operands)
        $0.checkEmptyTexts($1.operands)
        $0.checkLists($1.operands)
        $0.checkRelated($1.operands)
        $0.checkCurrentPlacement($1.operands)
        $0.checkCountAndTime($1.operands)
        $0.checkFirstOpening($1.operands)
        $0.checkExcludedElement($1.operands)
        $0.checkPeriods($1.operands)
        $0.checkNamesakes($1.operands)
        $0.checkBeforeInstall($1.operands)
        $0.checkOlderSDK($1.operands)
      }),
    LintRule(
      .alwaysTrue, .alwaysFalse,
      always: { $0.checkRemainders($1.operands, isAnd: $1.node.op == .and) }),
    LintRule(
      .otherPlatform, .impossibleValue,
      always: {
        guard $1.node.op == .and else { return }
        $0.checkPlatforms($1.operands)
        $0.checkPlacements($1.operands)
      }),
    LintRule(
      .failsWhenMissing,
      always: {
        guard $1.node.op == .or else { return }
        $0.checkNeverHappened($1.operands)
        $0.checkFailingAlternatives($1.operands)
      }),
    LintRule(
      .uselessGuard,
      always: { if $1.node.op == .and { $0.checkGuards($1.id, $1.operands) } }),
  ]

  // MARK: Whole filters

  /// Rules about a whole filter, which see what the others have found.
  static let filters: [LintRule<Void>] = [
    LintRule(
      .resultNotBool,
      always: { linter, _ in
        linter.checkResult()
        linter.checkCommentedCode()
      }),
    // Errors of the type checker in the cel dialect.
    LintRule(always: { linter, _ in linter.checkTypes() }),
    // Errors that parts without attributes cause.
    LintRule(always: { linter, _ in linter.checkConstantParts() }),
    LintRule(.alwaysTrue, .alwaysFalse, always: { linter, _ in linter.checkConstantConditions() }),
    LintRule(
      .alwaysTrue, .alwaysFalse, .failsWhenMissing,
      always: { linter, _ in linter.checkSamples() }),
    LintRule(always: { linter, _ in linter.noteFailures() }),
  ]

  /// The ids that the rules report by themselves, without those of the type checker and the engine.
  package static var ids: Set<DiagnosticID> {
    var ids: Set<DiagnosticID> = []
    for rule in names + texts + members + indexes + signs + arithmetic + conditionals + conditions {
      ids.formUnion(rule.ids)
    }
    for rule in comparisons { ids.formUnion(rule.ids) }
    for rule in constantComparisons { ids.formUnion(rule.ids) }
    for rule in calls + libraryCalls + loops { ids.formUnion(rule.ids) }
    for rule in chains { ids.formUnion(rule.ids) }
    for rule in filters { ids.formUnion(rule.ids) }
    return ids
  }
}
