import CampaignCore

extension PaywallScriptRunner {
  /// The timeline of a story: when each step happened, and its effects.
  ///
  /// - Parameters:
  ///   - title: The title of the script.
  ///   - outcomes: The outcomes of its steps.
  public static func timeline(_ title: String, _ outcomes: [Outcome]) -> String {
    var text = title + "\n\n"
    for outcome in outcomes {
      let step = outcome.step
      // The time of day, without the date and the letter of the zone.
      let time = outcome.instant.description.dropFirst(11).dropLast()
      text += "\(time)  \(step.command)\(step.argument.isEmpty ? "" : " " + step.argument)\n"
      for line in outcome.lines { text += "                \(line)\n" }
    }
    return text
  }
}
