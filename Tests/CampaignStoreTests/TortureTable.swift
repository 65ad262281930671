import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The table that `make torture` prints: `SWEXPR_TORTURE` names the file that gets a row for each
/// kind of harm.
enum TortureTable {
  private static let path = ProcessInfo.processInfo.environment["SWEXPR_TORTURE"]

  /// Whether the long run is wanted.
  static var isOn: Bool { path != nil }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - harm: What was done to the file.
  ///   - tried: How often.
  ///   - worked: How often nothing was missing afterwards.
  ///   - reported: How often an error told of it.
  ///   - note: What was counted.
  static func add(_ harm: String, tried: Int, worked: Int, reported: Int, _ note: String = "") {
    guard let path else { return }
    let row = "| \(harm) | \(tried) | \(worked) | \(reported) | \(note) |\n"
    // Suites run side by side; a write at the end of the file is whole.
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    guard file >= 0 else { return }
    _ = row.withCString { write(file, $0, strlen($0)) }
    close(file)
  }
}
