import Foundation
import Testing

/// Finds the conformance data that lies beside the project, when it does.
enum SharedData {
  /// The root of the repository.
  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The shared folder: `SWEXPR_SHARED`, or `shared` beside the repository.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SWEXPR_SHARED"], !path.isEmpty {
      return URL(fileURLWithPath: path)
    }
    return repository.deletingLastPathComponent().appendingPathComponent("shared")
  }()

  /// The objects of a JSON Lines file, or `nil` (and a remark) when the data is not there.
  static func cases(_ file: String) throws -> [[String: Any]]? {
    let url = folder.appendingPathComponent("conformance").appendingPathComponent(file)
    guard FileManager.default.fileExists(atPath: url.path) else {
      print("skipped: no conformance data at ../shared (set SWEXPR_SHARED to its folder)")
      return nil
    }
    let text = try String(contentsOf: url, encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any])
    }
  }
}
