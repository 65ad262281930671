/// Changes a story line by line: steps are dropped, repeated, exchanged, and taken from earlier
/// stories.
///
/// A story in which one line cannot be read has no outcome at all, so that nearly all mutations of
/// bytes say nothing.
struct StoryMutator {
  private var random: SeededGenerator

  init(seed: UInt32) { random = SeededGenerator(seed: UInt64(seed)) }

  /// Returns another story; `nil` for a text of fewer than two lines.
  mutating func mutated(_ text: String) -> String? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .filter { !$0.hasPrefix("  >") }
    guard lines.count > 1 else { return nil }
    // Settings come before the first empty line.
    let first = (lines.firstIndex(of: "") ?? 0) + 1
    guard first < lines.count else { return nil }
    for _ in 0...next(3) {
      let index = first + next(lines.count - first)
      Self.pool[next(Self.poolCount)] = lines[index]
      switch next(5) {
      case 0 where lines.count - first > 1: lines.remove(at: index)
      case 1: lines.insert(lines[index], at: first + next(lines.count - first))
      case 2: lines.swapAt(index, first + next(lines.count - first))
      case 3: lines.insert(step(), at: index)
      default: lines.insert(Self.pool[next(Self.poolCount)] ?? step(), at: index)
      }
    }
    return lines.joined(separator: "\n")
  }

  private mutating func step() -> String { Self.steps[next(Self.steps.count)] }

  private mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private static let steps = [
    "load config.json", "install", "launch", "leave", "reset", "identify ann", "identify ben",
    "register workout", "register stretch", "register warm_up", "register run", "register nowhere",
    "getPaywall workout", "getPaywall warm_up", "close manualClose", "close systemLogic",
    "buy primary",
    "buy primary and stay", "restore", "app restores", "app buys monthly", "device", "device +pro",
    "device -pro", "web +pro", "status inactive", "status unknown", "status active pro",
    "the store answers purchased t1", "the store answers cancelled", "the store answers pending",
    "the store answers failed offline", "the store answers restored",
    "the store answers nothing to restore", "the screen fails 103", "the screen works",
    "the screen loads paywalls", "the screen has paywalls", "wait 1s", "wait 1d", "relaunch",
    "relaunch", "customerInfo", "offline subscribed", "offline unsubscribed",
    "testMode always", "tester purchase", "tester restores pro", "no config",
    "foreground 2026-03-01T12:00:00Z", "link myapp://redeem?code=abc", "server unreachable",
  ]

  private static let poolCount = 512
  // libFuzzer runs everything on one thread.
  private nonisolated(unsafe) static var pool = [String?](repeating: nil, count: poolCount)
}
