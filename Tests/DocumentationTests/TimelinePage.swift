import Foundation
import TestSupport

/// `docs/paywall-timelines.md`, from `swexpr match --script` over all stories.
struct TimelinePage {
  let text: String

  init() throws {
    let folder = "corpus/paywall/stories"
    let files = try FileManager.default.contentsOfDirectory(
      atPath: TestFiles.root.appending(path: folder).path)
    var text = """
      # Timelines

      Generated from `corpus/paywall/stories` by `make reference`; do not edit. Each story is run \
      by `swexpr match --script`, with
      the matcher, the state machines of [After the match](paywall.md), and [one \
      config](../\(folder)/config.json).
      On the left is the time in UTC, then the step; below it are its effects, in order. The settings \
      of a story are above it.

      | a line | means |
      |---|---|
      | `delegate …`, `onPresent …` and the like | a call of the app's delegate, or of the handler of \
      the registration |
      | `track …` | an event; of those of loading a config only `config_refresh` is there, as the others \
      are the host's |
      | `PLACEMENT: shows paywall …`, `… no audience matched 5=OCCURRENCE` | the decision; a number is an \
      experiment, with the reason why its audience did not match. For `getPaywall` it is the paywall that \
      the app gets and has not shown yet |
      | `reload receipts` | the host reads the purchases; what it finds comes before the lines below. The \
      store of a story finds nothing new until a step `device` says so |
      | `redeem no codes` | requests the codes of this user from the service, although none is known here. \
      The service of a story never responds |
      | `look for exit offer`, `offer survey` | the host looks whether there is one |
      | `device +pro t1`, `!`, `@DATE/STORE` | the purchases on the device: entitlement and transaction; \
      `!` does not renew; the end and the store |

      """
    for file in files.filter({ $0.hasSuffix(".txt") }).sorted() {
      let timeline = try GeneratedPages.output(of: "swexpr match --script \(folder)/\(file)")
      let lines = timeline.split(separator: "\n", maxSplits: 1).map(String.init)
      text += "\n## \(lines[0])\n\n`\(file)`\n\n```text\n"
      let story = try String(
        contentsOf: TestFiles.root.appending(path: "\(folder)/\(file)"), encoding: .utf8)
      let settings = story.split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { !$0.isEmpty }.dropFirst().map { "\($0)\n" }.joined()
      if !settings.isEmpty { text += settings + "\n" }
      text += lines[1].drop { $0.isNewline } + "```\n"
    }
    self.text = text
  }
}
