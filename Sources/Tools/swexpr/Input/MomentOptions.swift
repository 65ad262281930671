import ArgumentParser
import CampaignCore
import CampaignMatcher

/// The platform whose behaviour a command reproduces.
enum PlatformName: String, ExpressibleByArgument, CaseIterable {
  case ios
  case android

  var options: MatchingOptions {
    switch self {
    case .ios: .iOS
    case .android: .android
    }
  }
}

/// The setting of the platform.
struct PlatformOptions: ParsableArguments {
  @Option(help: "Whose behaviour is reproduced where platforms differ.")
  var platform: PlatformName = .ios

  /// The behaviour of the platform.
  var options: MatchingOptions { platform.options }
}

/// The settings of the clock and of randomness.
struct MomentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The time of the clock, such as 2026-03-01T10:00:00Z; the offset decides local times. \
      Without it, the clock and zone of this machine.
      """, valueName: "rfc3339"))
  var now: String?

  @Option(
    help: ArgumentHelp(
      "Draw variants and seeds from this sequence, the same in every run.", valueName: "number"))
  var seed: UInt64?

  @OptionGroup var platform: PlatformOptions

  /// Returns the instant, and the time zone of local times.
  func moment() throws(InputError) -> (instant: WallTime, zone: ZoneRules) {
    guard let now else { return (SystemClock().now(), .system) }
    guard let instant = WallTime(rfc3339: now) else {
      throw InputError(
        "--now: `\(now)` is not a date and time such as 2026-03-01T10:00:00Z or …T10:00:00+02:00")
    }
    return (instant, .fixed(rfc3339: now))
  }

  /// A new sequence for every run, unless `--seed` is given. It is never the operating system's own
  /// source, which takes a system call per number, because a simulation draws millions.
  var random: any RandomSource {
    SeededRandomSource(seed: seed ?? .random(in: .min ... .max))
  }
}
