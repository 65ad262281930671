import CampaignCore

extension PaywallScriptRunner {
  /// The timeline of a story: when each step happened, and its effects.
  ///
  /// - Parameters:
  ///   - title: The title of the script.
  ///   - outcomes: The outcomes of its steps.
  public static func timeline(_ title: String, _ outcomes: [StepOutcome]) -> String {
    var text = title + "\n\n"
    var day = outcomes.first?.instant?.description.prefix(10)
    for outcome in outcomes {
      let step = outcome.step
      // The time of day, without the letter of the zone; the date where it changes.
      let instant = outcome.instant?.description ?? ""
      if day != instant.prefix(10) {
        day = instant.prefix(10)
        text += "\(instant.prefix(10))\n"
      }
      let argument = step.argument.isEmpty ? "" : " " + step.argument
      text += "\(instant.dropFirst(11).dropLast())  \(step.command)\(argument)\n"
      for line in outcome.lines { text += "                \(line)\n" }
    }
    return text
  }
}
