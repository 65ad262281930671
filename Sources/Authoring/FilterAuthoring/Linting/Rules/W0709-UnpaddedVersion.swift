import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports versions that are compared letter by letter.

extension FilterLinter {
  mutating func checkVersion(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard case .string(let text) = comparison.value else { return }
    if attribute.format == .paddedVersion {
      checkPadding(text, at: comparison.constant, attribute)
      checkSuffix(text, at: comparison.constant, attribute)
      checkVersionOfSDK(text, comparison, attribute)
      return checkWholeVersion(text, comparison, attribute)
    }
    guard attribute.format == .version || attribute.format == .systemVersion,
      AttributeSchema.Attribute.Format.isVersion(text)
        || (Int(text) != nil && comparison.isOrdering)
    else { return }
    let span = tree[comparison.constant].span
    let padded = Self.padded(text)
    guard comparison.isOrdering else {
      return checkPlainVersion(
        text, at: comparison.constant, attribute,
        condition: "\(comparison.op.spelling) \"\(text)\"")
    }
    let sibling = attribute.path + "Padded"
    let subject = tree[comparison.subject]
    let isKnown = schema[sibling] != nil && subject.kind == .select
    if !isKnown, isRightAsText(text, comparison) { return }
    report(
      Diagnostic(
        .unpaddedVersion, "versions are compared letter by letter here", at: span,
        label: "as text, \"10.0\" comes before \"9.0\"",
        secondary: [Diagnostic.Label(subject.span, "not padded")],
        helps: isKnown
          ? []
          : [
            AttributeSchema.builtIn[attribute.path] == nil
              ? "compare a padded version if the app sends one"
              : isAboutAndroid && comparison.isConstantRight
                && (comparison.isLowerBound || hasLowerBoundOfOneDigit(comparison))
                ? helpForAndroid(comparison)
                : helpForVersion(comparison, text) ?? "list the versions that you mean"
          ],
        fixIts: isKnown
          ? [
            Diagnostic.FixIt(
              "compare padded versions: `\(sibling) \(comparison.op.spelling) \"\(padded)\"`",
              [
                Diagnostic.Edit(tree.nameSpan(of: subject), tree.name(of: subject) + "Padded"),
                Diagnostic.Edit(span, "\"\(padded)\""),
              ].sorted { $0.span.start < $1.span.start })
          ] : []))
  }

  /// Returns whether versions are ordered rightly as texts: operating systems have long had
  /// two-digit versions, and `"17.4" >= "17"` is right as text too.
  private func isRightAsText(_ text: String, _ comparison: ConstantComparison) -> Bool {
    // `… && device.osVersion.matches("^[0-9][0-9]")` leaves out those of one digit.
    let hasPattern = tree.nodes.contains {
      $0.kind == .call && tree.name(of: $0) == "matches"
        && $0.receiver.map { self.text($0) } == self.text(comparison.subject)
    }
    let hasTwoDigits = text.utf8.prefix { $0 != 0x2E }.count >= 2 && !text.contains(".")
    return hasPattern || hasTwoDigits && !isAboutAndroid
  }

  private var isAboutAndroid: Bool { mentions("Android") }

  /// Returns whether the filter has `device.osVersion >= "9"`, too.
  private func hasLowerBoundOfOneDigit(_ upper: ConstantComparison) -> Bool {
    tree.nodes.contains { node in
      guard let lower = ConstantComparison(node, in: tree), lower.isLowerBound,
        case .string(let version) = lower.value,
        version.utf8.prefix(while: { $0 != 0x2E }).count == 1
      else { return false }
      return text(lower.subject) == text(upper.subject)
    }
  }

  /// Returns whether a number of a version has three digits, or more if it needs them.
  private static func isPadded(_ number: Substring) -> Bool {
    number.utf8.count == 3 || number.utf8.count > 3 && number.first != "0"
  }

  /// Returns advice for the versions of Android, of which those of one digit are still in use.
  private func helpForAndroid(_ comparison: ConstantComparison) -> String {
    let subject = text(comparison.subject)
    let condition = "\(subject) \(comparison.op.spelling) \(text(comparison.constant))"
    if !comparison.isLowerBound {
      return "take in versions of one digit: "
        + "`(\(condition) || \(subject).matches(\"^[0-9]([.]|$)\"))`"
    }
    if case .string(let version) = comparison.value,
      version.utf8.prefix(while: { $0 != 0x2E }).count == 1
    {
      return "take in versions of two digits: "
        + "`(\(condition) || \(subject).matches(\"^[0-9][0-9]\"))`"
    }
    return "leave out versions of one digit: "
      + "`\(condition) && \(subject).matches(\"^[0-9][0-9]\")`"
  }

  /// Reports a version that is not padded like those of the attribute, or has more numbers.
  mutating func checkPadding(
    _ text: String, at argument: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard attribute.format == .paddedVersion,
      AttributeSchema.Attribute.Format.isVersion(text) || Int(text) != nil
    else { return }
    let numbers = text.split(separator: ".")
    // An ordering may compare with the beginning of a version.
    guard
      numbers.count > 3 || !numbers.allSatisfy(Self.isPadded) && !numbers.isEmpty
    else { return }
    let padded = Self.padded(numbers.prefix(3).joined(separator: "."))
    let span = tree[argument].span
    let isPadded = numbers.allSatisfy(Self.isPadded)
    let plain = plainVersion(numbers, at: argument, attribute)
    if numbers.count == 4, plain == nil, let build = numbers.last.flatMap({ Int($0) }), build > 0 {
      return reportBuild(padded, build, at: argument, attribute)
    }
    report(
      Diagnostic(
        .unpaddedVersion,
        isPadded
          ? "versions of `\(attribute.path)` have three numbers"
          : "`\(attribute.path)` is compared with an unpadded version", at: span,
        label: isPadded ? "one more" : "not padded",
        notes: [
          isPadded
            ? "as text, \"\(padded)\" itself comes before this"
            : "its versions look like \"\(padded)\""
        ],
        helps: plain.map { ["the plain version has all of them: `\($0)`"] } ?? [],
        fixIts: plain == nil ? [Diagnostic.FixIt(write: "\"\(padded)\"", at: span)] : []))
  }

  /// Reports `device.appVersionPadded >= "002.010.000.005"`, which ends with the number of a build.
  private mutating func reportBuild(
    _ padded: String, _ build: Int, at argument: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    let subject = attribute.path
    let comparison = ConstantComparison(tree[parent(of: argument)], in: tree)
    let op = comparison?.op ?? .equal
    var help = "compare the three numbers: `\"\(padded)\"`"
    if subject == "device.appVersionPadded", schema["device.appBuildStringNumber"] != nil {
      let this = "\(subject) == \"\(padded)\" && device.appBuildStringNumber"
      help =
        comparison?.isOrdering == true
        ? "for the build, write `(\(subject) \(op.strict.spelling) \"\(padded)\" || "
          + "\(this) \(op.spelling) \(build))`"
        : "for the build, write `\(this) \(op.spelling) \(build)`"
    }
    report(
      Diagnostic(
        .unpaddedVersion, "versions of `\(subject)` have three numbers",
        at: tree[argument].span, label: "one more",
        notes: ["as text, \"\(padded)\" itself comes before this"], helps: [help]))
  }

  /// Reports `device.osVersion <= "18"`, which leaves 18.1 out.
  mutating func checkLastMajor(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard attribute?.format == .systemVersion, comparison.op == .lessEqual,
      comparison.isConstantRight, case .string(let text) = comparison.value,
      let major = Int(text), (1..<99).contains(major)
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "\(major).0 and all that follow come after `\"\(text)\"`",
        at: tree[comparison.constant].span, label: "without these",
        helps: ["to include them, write `\(self.text(comparison.subject)) < \"\(major + 1)\"`"]))
  }

  /// Reports `device.sdkVersionPadded >= "012.004.000"`, rather a version of the app.
  private mutating func checkVersionOfSDK(
    _ text: String, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    guard attribute.path == "device.sdkVersionPadded",
      let first = text.split(separator: ".").first.flatMap({ Int($0) }), first > 9,
      comparison.isLowerBound || comparison.op == .equal
    else { return }
    report(
      Diagnostic(
        .seldomMeant, "`\(attribute.path)` is the version of the SDK, which is not so high",
        at: tree[comparison.constant].span, label: "not a version of it",
        helps: [
          "for the app, write `device.appVersionPadded`; for the system, read `device.osVersion`"
        ]))
  }

  /// Reports `device.sdkVersionPadded > "004.010.001-rc.5"`: the number of a suffix is padded, too.
  mutating func checkSuffix(
    _ text: String, at argument: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard attribute.format == .paddedVersion, let dash = text.firstIndex(of: "-"),
      case let suffix = text[text.index(after: dash)...].split(separator: "."), suffix.count == 2,
      suffix[1].utf8.count < 3, suffix[1].allSatisfy({ $0.isNumber })
    else { return }
    let right = "\(text[..<dash])-\(suffix[0]).\(Self.paddedNumber(suffix[1]))"
    report(
      Diagnostic(
        .unpaddedVersion, "the number of the suffix is padded, too", at: tree[argument].span,
        label: "not padded", notes: ["versions are compared letter by letter"],
        fixIts: [Diagnostic.FixIt(write: "\"\(right)\"", at: tree[argument].span)]))
  }

  /// Returns the comparison of the version that is not padded with one of four numbers.
  private func plainVersion(
    _ numbers: [Substring], at argument: NodeID, _ attribute: AttributeSchema.Attribute
  ) -> String? {
    let comparison = tree[parent(of: argument)]
    let path = attribute.path.dropLast("Padded".count)
    let plain = numbers.compactMap { Int($0) }.map { "\($0)" }
    guard comparison.isBinary(.equal) || comparison.isBinary(.notEqual), plain.count == 4,
      numbers.count == 4, schema[String(path)] != nil
    else { return nil }
    return "\(path) \(comparison.op.spelling) \"\(plain.joined(separator: "."))\""
  }

  /// Reports `device.appVersionPadded == "003.001"`, only the beginning of a version.
  private mutating func checkWholeVersion(
    _ text: String, _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute
  ) {
    let numbers = text.split(separator: ".")
    guard numbers.count < 3, !numbers.isEmpty, numbers.allSatisfy({ $0.utf8.count == 3 }) else {
      return
    }
    guard comparison.isEquality else { return checkBeginning(text, comparison) }
    let starts = "\(self.text(comparison.subject)).startsWith(\"\(text).\")"
    report(
      Diagnostic(
        .unpaddedVersion, "versions of `\(attribute.path)` have three numbers",
        at: tree[comparison.constant].span, label: "only the beginning",
        notes: ["so this is always \(comparison.op == .notEqual)"],
        helps: [
          "write `\(comparison.op == .equal ? starts : "!\(starts)")`",
          "for this version alone, write `\"\(Self.padded(text))\"`",
        ]))
  }

  /// Reports `device.appVersionPadded <= "003.002"`: all versions 3.2 come after their beginning.
  private mutating func checkBeginning(_ text: String, _ comparison: ConstantComparison) {
    let op = comparison.isConstantRight ? comparison.op : comparison.op.mirrored
    guard op == .lessEqual || op == .greater && text.contains("."),
      let last = text.split(separator: ".").last.flatMap({ Int($0) }), last < 999
    else { return }
    let next = "\(text.dropLast(3))\(Self.paddedNumber("\(last + 1)"))"
    let subject = self.text(comparison.subject)
    report(
      Diagnostic(
        .unpaddedVersion, "every version \(text) comes after this beginning of it",
        at: tree[comparison.constant].span, label: "only the beginning",
        notes: ["so these versions \(op == .greater ? "match, too" : "do not match")"],
        helps: ["write `\(subject) \(op == .greater ? ">=" : "<") \"\(next)\"`"]))
  }

  /// Reports `device.appVersion == "003.002.001"`, a padded version.
  ///
  /// - Parameter condition: The operator and the constant.
  mutating func checkPlainVersion(
    _ text: String, at argument: NodeID, _ attribute: AttributeSchema.Attribute,
    condition: String
  ) {
    let numbers = text.split(separator: ".")
    guard attribute.format == .version || attribute.format == .systemVersion, numbers.count > 1,
      numbers.allSatisfy({ $0.utf8.count == 3 }), numbers.contains(where: { $0.first == "0" })
    else { return }
    let plain = numbers.map { number in
      let digits = number.drop { $0 == "0" }
      return digits.isEmpty ? "0" : String(digits)
    }
    let literal = "\"\(plain.joined(separator: "."))\""
    let sibling = attribute.path + "Padded"
    report(
      Diagnostic(
        .unpaddedVersion, "versions of `\(attribute.path)` are not padded",
        at: tree[argument].span, label: "padded",
        helps: schema[sibling] == nil
          ? [] : ["or compare the padded version: `\(sibling) \(condition)`"],
        fixIts: [Diagnostic.FixIt(write: literal, at: tree[argument].span)]))
  }

  /// Returns a number of a version with three digits.
  static func paddedNumber(_ digits: Substring) -> String {
    String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  /// Returns a version with three digits for every number, and at least three numbers.
  static func padded(_ version: String) -> String {
    // "004002000" lacks its dots.
    if version.utf8.count == 9, version.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
      return "\(version.prefix(3)).\(version.dropFirst(3).prefix(3)).\(version.suffix(3))"
    }
    var parts = version.split(separator: ".").map { part in
      paddedNumber(part.count > 3 ? part.drop { $0 == "0" } : part)
    }
    while parts.count < 3 { parts.append("000") }
    return parts.joined(separator: ".")
  }
}

extension Operator {
  /// The comparison without equality.
  fileprivate var strict: Operator {
    switch self {
    case .lessEqual: .less
    case .greaterEqual: .greater
    default: self
    }
  }
}
