import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Comparisons that make users match who lack the attribute.

extension FilterLinter {
  /// Reports a comparison because of which users match who lack its attribute.
  mutating func checkMissing(_ id: NodeID, _ comparison: ConstantComparison) {
    guard isSuperscript, comparison.value != .null, let path = freePath(comparison.subject) else {
      return
    }
    // As a value that is compared with another condition, both results are meant.
    let outer = tree[parent(of: id)]
    if id != tree.root, outer.kind == .binary, outer.op.info.isComparison { return }
    // A `!` around the comparison turns its result around.
    var condition = id
    while condition != tree.root, tree[parent(of: condition)].isUnary(.not) {
      condition = parent(of: condition)
    }
    // `user.age >= 0 && user.age <= 120` is a range; that it includes users without an age is said
    // about its upper bound.
    if hasOtherBound(id, comparison) {
      if schema.attribute(at: path) == nil, makesMatch(condition, without: .unknown) {
        openAttributes[path] = tree[condition].span
      }
      return
    }
    let question = MissingQuestion(comparison, knownAttribute(comparison.subject))
    guard let missing = question.missing(path) else {
      if schema.attribute(at: path) == nil, makesMatch(condition, without: .unknown) {
        openAttributes[path] = tree[condition].span
      }
      return
    }
    guard makesMatch(condition, without: missing) else { return }
    reportMissing(condition, comparison, path)
  }

  private mutating func reportMissing(
    _ condition: NodeID, _ comparison: ConstantComparison, _ path: AttributePath
  ) {
    // `has(user.age > 3)` does not ask for the result.
    let outer = tree[parent(of: condition)]
    if outer.kind == .call, tree.name(of: outer) == "has" { return }
    let subject = text(comparison.subject)
    let isTrue = ask { $0.outcome(condition, in: $1) } != .false
    let message =
      if MissingQuestion.holdsFromZero(comparison, path) {
        "this is true for 0 and more, and when `\(subject)` is missing"
      } else if isTrue {
        "this is true when `\(subject)` is missing"
      } else {
        "this is false when `\(subject)` is missing, and the filter matches"
      }
    let written = text(condition)
    func joined(_ presence: String, _ op: Operator) -> String {
      let isOther = condition != tree.root && outer.kind == .binary && outer.op != op
      let both = "\(presence) \(op.spelling) \(written)"
      return isOther ? "`(\(both))`" : "`\(both)`"
    }
    let (with, without) = (
      joined("has(\(subject))", .and), joined("!has(\(subject))", .or)
    )
    let helps = [
      "if that is not meant, write " + (isTrue ? with : without),
      "if it is meant, write " + (isTrue ? without : with),
    ]
    var diagnostic = Diagnostic(
      .missingCountsAsZero, message, at: tree[condition].span, label: Self.label(comparison))
    let edits = triesFixes ? guardEdits(condition, subject: comparison.subject, isTrue: isTrue) : []
    let fixes = zip(helps, edits).map { Diagnostic.FixIt($0, $1) }
    if !fixes.isEmpty, fixes.allSatisfy({ isRight($0) }) {
      diagnostic.fixIts = fixes
    } else {
      diagnostic.helps = helps
    }
    if MissingQuestion.holdsFromZero(comparison, path) {
      diagnostic.notes.append("for one and more, write `\(subject) > 0`")
    }
    report(diagnostic)
  }

  private static func label(_ comparison: ConstantComparison) -> String {
    if comparison.op == .in { return "a missing attribute is in no list" }
    return switch comparison.value {
    case .string: "a missing text counts as empty"
    case .bool: "a missing bool counts as false"
    case .int, .uint, .double: "a missing number counts as 0"
    default: "a missing attribute is equal to none"
    }
  }

  // MARK: Fixes

  /// The longest filter in which fixes are tried out, in bytes, and the most that are.
  private static let longestTried = 2_000
  private static let mostTried = 8

  /// Returns the edits that leave users without an attribute out, and those that take them in on
  /// purpose.
  private func guardEdits(
    _ condition: NodeID, subject: NodeID, isTrue: Bool
  ) -> [[Diagnostic.Edit]] {
    guard isCondition[Int(condition.index)],
      tree[tree.root].span.length <= Self.longestTried,
      diagnostics.count(where: { $0.id == .missingCountsAsZero }) < Self.mostTried
    else { return [] }
    let span = tree[condition].span
    let parent = tree[parent(of: condition)]
    let isOperand = condition != tree.root && parent.kind == .binary
    let presence = "has(\(tree.text(ofNode: subject)))"
    func edits(_ before: String, within op: Operator) -> [Diagnostic.Edit] {
      let start = SourceSpan(start: span.start, length: 0)
      guard isOperand, parent.op != op else { return [Diagnostic.Edit(start, before)] }
      return [
        Diagnostic.Edit(start, "(" + before),
        Diagnostic.Edit(SourceSpan(start: span.end, length: 0), ")"),
      ]
    }
    let both = [
      edits("\(presence) && ", within: .and), edits("!\(presence) || ", within: .or),
    ]
    return isTrue ? both : both.reversed()
  }

  /// Returns whether a fix leaves a filter that compiles, no longer has the finding, and has no new
  /// one.
  private func isRight(_ fix: Diagnostic.FixIt) -> Bool {
    guard let changed = try? parse(tree.source.applying(fix), dialect: tree.dialect),
      (try? Filter(changed, environment: environment)) != nil
    else { return false }
    var counts: [DiagnosticID: Int] = [:]
    let after = FilterOutline(changed, environment: environment)
    for (outline, sign) in [(outline, 1), (after, -1)] {
      var linter = FilterLinter(outline, schema: schema)
      linter.triesFixes = false
      linter.check()
      for diagnostic in linter.diagnostics { counts[diagnostic.id, default: 0] += sign }
    }
    return counts.values.allSatisfy { $0 >= 0 } && counts[.missingCountsAsZero, default: 0] > 0
  }

  // MARK: Influence

  /// Returns whether users who lack attributes match because of a condition.
  mutating func makesMatch(
    _ condition: NodeID, without missing: MissingOutcomes.Missing
  ) -> Bool {
    ask { $0.makesMatch(condition, without: missing, in: $1) }
  }

  /// Returns whether the filter does not depend on a condition for users who lack an attribute,
  /// because other conditions exclude or accept them.
  mutating func isGuarded(_ condition: NodeID, _ path: AttributePath) -> Bool {
    !ask { $0.matters(condition, without: .absence(of: path), in: $1) }
  }

  /// Returns whether users who lack an attribute do not match because of a condition, and would if
  /// the attribute was 0 or empty.
  mutating func excludes(_ condition: NodeID, without path: AttributePath) -> Bool {
    ask { $0.excludes(condition, without: path, in: $1) }
  }

  /// Returns the outcome of a condition for users without any attributes; `nil` if it reads
  /// anything else.
  mutating func outcomeWithoutAttributes(of condition: NodeID) -> Outcome? {
    ask { $0.outcome(condition, in: $1) }
  }

  private mutating func ask<Answer>(
    _ question: (inout MissingOutcomes, FilterLinter) -> Answer
  ) -> Answer {
    var outcomes = missingOutcomes ?? MissingOutcomes(tree.dialect.name)
    missingOutcomes = nil
    defer { missingOutcomes = outcomes }
    return question(&outcomes, self)
  }
}

/// What a comparison says about users who lack its attribute.
///
/// | attribute | reported |
/// |---|---|
/// | optional in a schema of the app | every comparison because of which they match |
/// | of the SDKs, set for some users or fetched from a server | orderings, and numbers: to exclude a text is to mean everybody else |
/// | always set, or not known | what is true from 0 on, as counts are: `user.age >= 0` |
struct MissingQuestion {
  private let comparison: ConstantComparison
  private let attribute: AttributeSchema.Attribute?

  init(_ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?) {
    self.comparison = comparison
    self.attribute = attribute
  }

  /// Returns the attributes that the users lack who should not match; `nil` if nothing is said.
  func missing(_ path: AttributePath) -> MissingOutcomes.Missing? {
    guard let attribute, attribute.isOptional else {
      let isBounded = attribute.map {
        !$0.type.isNumeric || $0.minimum != nil || path.root == "device"
      }
      return isBounded != true && Self.holdsFromZero(comparison, path) ? .one(path) : nil
    }
    if AttributeSchema.builtIn[attribute.path] == nil { return .one(path) }
    // A count of events is zero where none was noted.
    if attribute.path.hasSuffix("_*"), attribute.unit == nil { return nil }
    let absence: MissingOutcomes.Missing =
      Self.beforeFirstPaywall.contains(path) ? .together(Self.beforeFirstPaywall) : .optional
    if comparison.isOrdering || attribute.isFetched && attribute.type.isNumeric { return absence }
    // `== false` of a bool is how people ask for what is not so, missing or not.
    return comparison.op == .equal && attribute.type.isNumeric ? absence : nil
  }

  /// The attributes that are missing, or 0, for users who have seen no paywall:
  /// `device.totalPaywallViews > 0` leaves these users out.
  private static let beforeFirstPaywall = Set(
    ["daysSinceLastPaywallView", "minutesSinceLastPaywallView", "totalPaywallViews"]
      .compactMap { AttributePath("device.\($0)") })

  /// Returns whether a comparison of an attribute of the app is true for 0 and everything above,
  /// as counts and ages are: `user.age >= 0`, `user.age > -1`.
  static func holdsFromZero(_ comparison: ConstantComparison, _ path: AttributePath) -> Bool {
    guard case .int(let bound) = comparison.value, comparison.isConstantRight,
      (comparison.op == .greaterEqual && bound == 0)
        || (comparison.op == .greater && bound == -1),
      let name = path.names.last?.lowercased()
    else { return false }
    return !signedNames.contains { name.firstOccurrence(of: $0) != nil }
  }

  /// Parts of names of numbers that are often negative.
  private static let signedNames = [
    "balance", "change", "delta", "diff", "offset", "score", "temp", "net", "profit", "margin",
    "lat", "lon", "lng", "level", "trend", "growth", "rank", "timezone",
  ]
}
