import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine

/// The commands of a case that ask a pure function, for the tables of the specification.
enum CaseFunction {
  /// `pad iOS 3.65.0`; the version may be in quotes.
  static let pad: CaseCommand.Command = { _, text throws(CaseProblem) in
    let (platform, version) = split(text)
    guard let padding = VersionPadding(rawValue: platform.lowercased() == "ios" ? "iOS" : "android")
    else { throw .input("`pad` needs a platform") }
    return ["\"\(padding.padded(unquoted(version)))\""]
  }

  /// `seed iOS user_1`
  static let seed: CaseCommand.Command = { _, text throws(CaseProblem) in
    let (platform, userID) = split(text)
    return [String((platform == "iOS" ? UserSeed.iOS : .android).seed(of: userID))]
  }

  /// `between days FROM TO`, on the clock of the case's platform and zone.
  static let between: CaseCommand.Command = { runner, text throws(CaseProblem) in
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 3, let unit = CalendarUnit(rawValue: parts[0]),
      let start = WallTime(rfc3339: parts[1]), let end = WallTime(rfc3339: parts[2])
    else { throw .input("`between` needs a unit and two instants") }
    return [
      String(runner.options.calendar.difference(unit, from: start, to: end, in: runner.zone))
    ]
  }

  /// `versions A B` compares by SemVer precedence.
  static let versions: CaseCommand.Command = { _, text throws(CaseProblem) in
    let (first, second) = split(text)
    guard let left = SemanticVersion(first), let right = SemanticVersion(second) else {
      return ["no version"]
    }
    return [left < right ? "earlier" : left == right ? "same" : "later"]
  }

  /// `parse URL` lists the parameters of a deep link.
  static let parse: CaseCommand.Command = { runner, text throws(CaseProblem) in
    let parameters = DeepLink(text).parameters(platform: runner.options.platform)
    return parameters.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.jsonText())" }
  }

  /// `sanitize user JSON` or `sanitize params JSON`; a removed attribute shows as `removed`.
  static let sanitize: CaseCommand.Command = { runner, text throws(CaseProblem) in
    let (kind, json) = split(text)
    let values = try CaseCommand.object(json)
    let sanitizer = AttributeSanitizer(options: runner.options)
    if kind == "params" { return [CaseText.json(sanitizer.placementParameters(values))] }
    return sanitizer.userAttributeChanges(values).sorted { $0.key < $1.key }.map { name, value in
      "\(name) " + (value.map { "= \($0.jsonText())" } ?? "removed")
    }
  }

  /// `bucket UNIT EXPERIMENT` chooses among the variants of the config by hash.
  static let bucket: CaseCommand.Command = { runner, text throws(CaseProblem) in
    let (unit, experiment) = split(text)
    let audience = runner.matcher.config?.triggers.flatMap(\.audiences).first {
      $0.experimentID.isExactly(experiment)
    }
    guard let audience else { throw .input("there is no experiment `\(experiment)`") }
    let variant = DeterministicBucketing.choose(
      from: audience.variants, unitID: unit, experimentID: experiment)
    return [variant?.id ?? "none"]
  }

  private static func split(_ text: String) -> (String, String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    return (parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : "")
  }

  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast())
  }
}
