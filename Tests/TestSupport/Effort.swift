import Foundation

/// How much random work the tests do.
public enum Effort {
  /// `SWEXPR_EFFORT`: 1 unless it is set; `make test-thorough` sets 10.
  public static let factor = max(
    1, ProcessInfo.processInfo.environment["SWEXPR_EFFORT"].flatMap { Int($0) } ?? 1)

  /// Returns how often to repeat random work that `make unit` repeats `count` times.
  public static func times(_ count: Int) -> Int { count * factor }
}
