import Foundation

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// Files that tests read: the repository's own, and shared ones that need not be there.
enum TestFiles {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of shared specifications and cases; `SWEXPR_SHARED` moves it.
  static let shared: URL =
    ProcessInfo.processInfo.environment["SWEXPR_SHARED"].map { URL(filePath: $0) }
    ?? root.deletingLastPathComponent().appending(path: "shared")

  /// The text of a shared file, or `nil`, with a word about it, when it is not there.
  static func sharedText(_ path: String) -> String? {
    guard let text = try? String(contentsOf: shared.appending(path: path), encoding: .utf8) else {
      print("not here, so not tested: shared/\(path)")
      return nil
    }
    return text
  }
}
