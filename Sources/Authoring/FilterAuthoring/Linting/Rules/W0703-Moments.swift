import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports moments and lengths of time that are compared with other values, and conversions that
// fail.

extension FilterLinter {
  /// The kind of a value of time.
  private enum Moment: String {
    case timestamp
    case duration
  }

  /// Reports a timestamp or a duration that is compared with a number, a text or a bool.
  ///
  /// - Returns: Whether it did.
  mutating func checkMoments(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard isSuperscript, node.op != .in else { return false }
    if wasReported(tree[left].span) || wasReported(tree[right].span) { return false }
    let (first, second) = (moment(left, 0), moment(right, 0))
    guard let moment = first ?? second else { return false }
    let (subject, other) = first == nil ? (right, left) : (left, right)
    let otherName: String
    if let otherMoment = first == nil ? nil : second {
      guard otherMoment != moment else { return false }
      otherName = otherMoment.rawValue
    } else {
      let type = staticType(other)
      guard type != .any else { return false }
      otherName = type.name
    }
    let names = first == nil ? (otherName, moment.rawValue) : (moment.rawValue, otherName)
    report(
      Diagnostic(
        .typeMismatch, "`\(node.op.spelling)` cannot compare \(names.0) with \(names.1)",
        at: tree[other].span, label: otherName,
        secondary: [Diagnostic.Label(tree[subject].span, moment.rawValue)],
        notes: [Self.failsAtRunTime],
        helps: helpForMoment(moment, subject, other, node.op).map { [$0] } ?? []))
    return true
  }

  private static let secondsOfLetters: [Character: Double] = [
    "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
  ]

  private func helpForMoment(
    _ moment: Moment, _ subject: NodeID, _ other: NodeID, _ op: Operator
  ) -> String? {
    switch (moment, tree.constant(of: other)) {
    case (.duration, .int(let number)?):
      guard (1...366).contains(number) else {
        return "a length of time has a unit: for seconds, write `duration(\"\(number)s\")`"
      }
      return "a length of time has a unit: for days, write `duration(\"\(number * 24)h\")`; for "
        + "seconds, `duration(\"\(number)s\")`"
    case (.duration, .double(let seconds)?): return "write `duration(\"\(seconds)s\")`"
    case (.timestamp, .string(let text)?):
      let isDay = text.utf8.count == 10 && CalendarDate.exists(text)
      return "write `timestamp(\"\(text)\(isDay ? "T00:00:00Z" : "")\")`"
    default: break
    }
    if moment == .timestamp, knownAttribute(other)?.unit == .referenceDate {
      return "it counts seconds since 2001-01-01T00:00:00Z: compare it with a number"
    }
    if moment == .duration,
      let unit = knownAttribute(other)?.unit ?? historyFunction(tree[other])?.unit,
      let seconds = unit.seconds,
      case .string(let written)? = tree.arguments(of: tree[subject]).first
        .flatMap({ tree.constant(of: $0) }),
      let letter = written.last, let length = Self.secondsOfLetters[letter],
      let number = Double(String(written.dropLast())), number > 0,
      case let count = number * length / seconds, count == count.rounded(), count < 1e9
    {
      return "it is in \(unit.meaning): write `\(count.formatted)`"
    }
    if moment == .duration, let unit = historyFunction(tree[other])?.unit {
      return "it is in \(unit.meaning): compare it with a number"
    }
    if moment == .timestamp, let attribute = knownAttribute(other), attribute.format == .dateTime,
      attribute.path.nameWords.contains("local")
    {
      let sought = tree.arguments(of: tree[subject]).first.flatMap { tree.constant(of: $0) }
      guard case .string(let text)? = sought, text.utf8.count >= 19 else {
        return "it has no time zone: compare it with a text"
      }
      let comparison = "\(attribute.path) \(op.spelling) \"\(text.prefix(19))\""
      return "it has no time zone: compare texts: `\(comparison)`"
    }
    if moment == .timestamp, let format = knownAttribute(other)?.format, format == .dateTime {
      return "make it a timestamp: `timestamp(\(text(other)))`"
    }
    return nil
  }

  private func moment(_ id: NodeID, _ depth: Int) -> Moment? {
    let node = tree[id]
    if isMoment(node) { return Moment(rawValue: tree.name(of: node)) }
    guard node.kind == .binary, depth < 8 else { return nil }
    let (left, right) = (moment(node.left, depth + 1), moment(node.right, depth + 1))
    switch (node.op, left, right) {
    case (.subtract, .timestamp?, .timestamp?): return .duration
    case (.add, .duration?, .duration?), (.subtract, .duration?, .duration?): return .duration
    case (.add, .timestamp?, .duration?), (.subtract, .timestamp?, .duration?): return .timestamp
    default: return nil
    }
  }

  /// Reports a conversion that fails for the texts of an attribute: `timestamp(device.localDate)`,
  /// `double(device.appVersion)`, `int(params.abandoned_product_raw_price)`.
  mutating func checkConversion(_ node: SyntaxNode, _ name: String) {
    guard node.receiver == nil, node.childCount == 1, let argument = tree.arguments(of: node).first
    else { return }
    if name == "duration", staticType(argument).isNumeric, !tree.isLiteral(argument) {
      return reportConversion(
        "`duration` needs a text", of: argument, label: staticType(argument).name,
        help: knownAttribute(argument)?.unit.map {
          "it is in \($0.meaning): compare it with a number"
        } ?? "compare the number itself")
    }
    if ["int", "uint", "double"].contains(name), isSuperscript,
      staticType(argument) == .bool || freePath(argument) != nil && isCondition(byName: argument)
    {
      return reportConversion(
        "`\(name)` cannot use a bool", of: argument, label: "a bool",
        help: "write `(\(text(argument)) ? 1 : 0)`")
    }
    if name == "timestamp", isSuperscript, staticType(argument).isNumeric,
      !tree.isLiteral(argument)
    {
      return reportConversion(
        "`timestamp` needs a text", of: argument, label: staticType(argument).name,
        help: "compare the number itself")
    }
    if name == "duration", case .string(let text)? = tree.constant(of: argument),
      let whole = Self.lengthWithoutBlanks(text)
    {
      return report(
        Diagnostic(
          .typeMismatch, "a length of time has no blanks", at: tree[argument].span,
          label: isSuperscript ? "read up to the first one" : "not a length of time",
          fixIts: [Diagnostic.FixIt(write: "\"\(whole)\"", at: tree[argument].span)]))
    }
    if ["int", "uint", "double"].contains(name), isMoment(tree[argument]) {
      let moment = tree.name(of: tree[argument])
      return reportConversion(
        "`\(name)` cannot use a \(moment)", of: argument, label: moment,
        help: "compare moments: `\(text(argument)) > timestamp(\"…\")`")
    }
    guard let attribute = knownAttribute(argument), attribute.type == .string else { return }
    if name == "double" || name == "int", attribute.format == nil, attribute.values.isEmpty,
      let help = helpForValues(of: argument, without: "")
    {
      return reportConversion(
        "`\(name)` fails for \(attribute.example ?? "such a text")", of: argument,
        label: "a text", help: help)
    }
    guard fails(name, for: attribute) else { return }
    let sample = attribute.example ?? attribute.format?.sample.map { "\"\($0)\"" } ?? "such a text"
    reportConversion(
      "`\(name)` fails for \(sample)", of: argument,
      label: name == "timestamp" && attribute.path.nameWords.contains("local")
        ? "a time without a zone" : attribute.format.map { "\($0.meaning)" } ?? "a text",
      help: helpForConversion(node, name, of: attribute, argument, sample))
  }

  /// Returns a text such as `24h 30m` without its blanks, if each of its parts is a length of time.
  private static func lengthWithoutBlanks(_ text: String) -> String? {
    let parts = text.split(separator: " ")
    let units = ["h", "m", "s", "ms"]
    guard parts.count > 1,
      parts.allSatisfy({ part in
        let digits = part.prefix { $0.isNumber || $0 == "." }
        return !digits.isEmpty && units.contains(String(part[digits.endIndex...]))
      })
    else { return nil }
    return parts.joined()
  }

  private mutating func reportConversion(
    _ message: String, of argument: NodeID, label: String, help: String?
  ) {
    report(
      Diagnostic(
        .typeMismatch, message, at: tree[argument].span, label: label,
        notes: [Self.failsAtRunTime], helps: help.map { [$0] } ?? []))
  }

  /// Returns whether a conversion fails for every text that an attribute has.
  private mutating func fails(_ name: String, for attribute: AttributeSchema.Attribute) -> Bool {
    let accepted: String
    switch name {
    case "int", "uint": accepted = "^[+-]?[0-9]+$"
    case "double": accepted = "^[+-]?[0-9]*[.]?[0-9]*(e[+-]?[0-9]+)?$"
    case "timestamp": accepted = "^[0-9-]+T[0-9:.]+(Z|[+-][0-9:]+)$"
    default: return false
    }
    if isVersion(attribute, in: name) { return true }
    if isLocalMoment(attribute, in: name), attribute.format == .dateTime { return true }
    if attribute.format == .decimal, name != "double" { return true }
    let result = textForms.result(
      of: .matches(accepted), for: attribute, dialect: tree.dialect.name)
    return result == false
  }

  func isVersion(_ attribute: AttributeSchema.Attribute, in conversion: String) -> Bool {
    attribute.format == .version
      // On Android it is a whole number.
      || attribute.format == .systemVersion && conversion == "double"
        && tree.source.text.firstOccurrence(of: "Android") == nil
      || attribute.format == .systemVersion && conversion == "int"
        && ["\"iOS\"", "\"iphone\"", "\"ipad\"", "\"macOS\""].contains {
          tree.source.text.firstOccurrence(of: $0) != nil
        }
  }

  func isLocalMoment(
    _ attribute: AttributeSchema.Attribute, in conversion: String
  ) -> Bool {
    conversion == "timestamp" && attribute.path.hasPrefix("device.local")
      && attribute.example.map { !$0.hasSuffix("Z\"") } == true
  }

  /// Returns the version that the number of a comparison means: `>= "005.000.000"`.
  func comparedVersion(_ comparison: ConstantComparison?) -> String {
    guard let comparison, let number = comparison.value.plainNumber, (0..<1_000).contains(number)
    else { return ">= \"002.010.000\"" }
    let (op, next): (Operator, Double) =
      switch comparison.op {
      // More than 5 is from 6 on.
      case .greater: (.greaterEqual, 1)
      case .lessEqual: (.less, 1)
      default: (comparison.op == .equal ? .greaterEqual : comparison.op, 0)
      }
    // 5.1 is a version of two numbers.
    if case .double = comparison.value, number != number.rounded() {
      return "\(comparison.op == .equal ? ">=" : comparison.op.spelling) "
        + "\"\(Self.padded(text(comparison.constant)))\""
    }
    return "\(op.spelling) \"\(Self.padded("\(Int(number + next))"))\""
  }

  /// Returns whether a part is an attribute that no schema lists, an element's member, or a sum of
  /// such.
  private func isOfAttributes(_ id: NodeID) -> Bool {
    let node = tree[id]
    switch node.kind {
    case .select: return staticType(id) == .any
    case .binary where node.op == .add:
      return tree[node.left].kind == .select && tree[node.right].kind == .select
        && staticType(node.left) == .any && staticType(node.right) == .any
    default: return false
    }
  }

  /// Reports `60 / 100`, which is 0.
  mutating func checkConstantQuotient(_ id: NodeID, _ node: SyntaxNode) {
    guard node.isBinary(.divide), case .int(let a)? = tree.constant(of: node.left),
      case .int(let b)? = tree.constant(of: node.right), b != 0, a != .min, a % b != 0
    else { return }
    let outer = tree[parent(of: id)]
    let isCompared = outer.kind == .binary && outer.op.info.isComparison
    let other = isCompared ? (outer.left == id ? outer.right : outer.left) : nil
    // A whole number is below 33.3 as it is below 33, roughly; but nothing is below 0.
    let isWhole = other.map { staticType($0) == .int } ?? false
    if isWhole, abs(a) > abs(b) { return }
    let isShare = other.flatMap { knownAttribute($0)?.unit } == .points && a > 0 && a < b
    report(
      Diagnostic(
        .typeMismatch, "the quotient of whole numbers is whole: this is \(a / b)", at: node.span,
        label: "divided without a remainder",
        helps: [
          isShare
            ? "in points of a hundred, write `\(a * 100 / b)`"
            : isWhole
              ? "it is compared with whole numbers: write the whole number that is meant"
              : "write `\(a).0 / \(b).0`"
        ]))
  }

  /// Reports `user.done / user.all * 100 >= 80`, which multiplies 0 or 1.
  private mutating func checkPercentage(_ comparison: ConstantComparison) -> Bool {
    let product = tree[comparison.subject]
    guard product.isBinary(.multiply), comparison.isOrdering else { return false }
    let isFactorRight = tree.constant(of: product.right) == .int(100)
    guard isFactorRight || tree.constant(of: product.left) == .int(100) else { return false }
    let quotient = tree[isFactorRight ? product.left : product.right]
    guard quotient.isBinary(.divide) else { return false }
    let (done, all) = (quotient.left, quotient.right)
    guard freePath(done) != nil, freePath(all) != nil, staticType(done) != .number,
      staticType(all) != .number
    else { return false }
    report(
      Diagnostic(
        .typeMismatch, "the quotient of whole numbers is whole, and 30 / 40 is 0",
        at: quotient.span, label: "divided without a remainder",
        helps: ["multiply first: `\(text(done)) * 100 / \(text(all))`"]))
    return true
  }

  /// Reports `device.placementsSinceInstall("x") / 3 == 0`, which is true for the first two.
  private mutating func checkQuotientOfCount(_ comparison: ConstantComparison) -> Bool {
    let node = tree[comparison.subject]
    guard node.isBinary(.divide), comparison.op == .equal, comparison.value == .int(0),
      case .int(let divisor)? = tree.constant(of: node.right), divisor > 1,
      historyFunction(tree[node.left])?.isTime == false
        || knownAttribute(node.left).map({ $0.type == .int && $0.unit == nil }) == true
    else { return false }
    let (count, number) = (text(node.left), text(node.right))
    report(
      Diagnostic(
        .typeMismatch, "a quotient is 0 below \(number) only", at: node.span,
        label: "divided without a remainder",
        helps: [
          "for every multiple, write `\(count) % \(number) == 0`; for fewer, `\(count) < \(number)`"
        ]))
    return true
  }

  /// Reports `user.wins / user.games > 0.5`: the quotient of whole numbers is whole.
  mutating func checkQuotient(_ comparison: ConstantComparison) {
    if checkQuotientOfCount(comparison) || checkPercentage(comparison) { return }
    let node = tree[comparison.subject]
    guard node.isBinary(.divide), case .double(let constant) = comparison.value,
      constant != constant.rounded()
    else { return }
    let (left, right) = (node.left, node.right)
    let isWhole = [left, right].allSatisfy { id in
      staticType(id) == .int
        || isOfAttributes(id) && constant > 0 && constant < 1
    }
    // An amount of cents is whole, though no schema says so.
    let isNamed =
      staticType(right) == .int
      && freePath(left)?.names.last?.nameWords.contains {
        ["cent", "cents", "cm", "mm", "ms", "minutes", "seconds", "points"].contains($0)
      } == true
    guard isWhole || isNamed else { return }
    let isKnown = [left, right].allSatisfy { staticType($0) == .int || isCountByName($0) }
    let divisor = tree.constant(of: right).flatMap { value -> String? in
      if case .int(let number) = value { "\(number).0" } else { nil }
    }
    let fixed = "double(\(text(left))) / \(divisor ?? "double(\(text(right)))")"
    // 1.5 weeks are 10.5 days, and days are whole.
    let isNever =
      comparison.isEquality && isKnown
      && tree.constant(of: right)?.plainNumber.map { $0 * constant != ($0 * constant).rounded() }
        == true
    report(
      Diagnostic(
        .typeMismatch,
        isKnown
          ? "the quotient of whole numbers is whole"
          : "the quotient of whole numbers is whole, and 30 / 40 is 0",
        at: node.span, label: "divided without a remainder",
        secondary: [Diagnostic.Label(tree[comparison.constant].span, "not whole")],
        helps: isNever
          ? ["compare `\(text(left))` itself with a whole number"]
          : comparison.isEquality && isKnown
            ? ["compare the quotient with a whole number: `\(text(comparison.subject)) == …`"]
            : ["write `\(fixed) \(comparison.op.spelling) \(text(comparison.constant))`"]))
  }
}
