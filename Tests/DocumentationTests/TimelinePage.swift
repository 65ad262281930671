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
      On the left is the time, then the step; below it are its effects, in order.

      """
    for file in files.filter({ $0.hasSuffix(".txt") }).sorted() {
      let timeline = try GeneratedPages.output(of: "swexpr match --script \(folder)/\(file)")
      let lines = timeline.split(separator: "\n", maxSplits: 1).map(String.init)
      text += "\n## \(lines[0])\n\n`\(file)`\n\n```text\n"
      text += lines[1].drop { $0.isNewline } + "```\n"
    }
    self.text = text
  }
}
