public import Foundation

/// A line of a shared file is not a JSON object.
private struct NotAnObject: Error {
  let line: String
}

/// The files that tests read: those of the repository, and shared ones that need not be there.
public enum TestFiles {
  /// The root of the repository, found from this file.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of shared documents: `SWEXPR_SHARED`, or `shared` beside the repository.
  public static let shared: URL = {
    let path = ProcessInfo.processInfo.environment["SWEXPR_SHARED"] ?? ""
    return path.isEmpty
      ? root.deletingLastPathComponent().appending(path: "shared") : URL(filePath: path)
  }()

  /// Returns the absolute path of a file of the repository.
  public static func path(_ path: String) -> String { root.appending(path: path).path }

  /// Returns the text of a file of the repository.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the absolute path of a shared file, or `nil` if it is not there.
  public static func sharedPath(_ path: String) -> String? {
    let file = shared.appending(path: path).path
    return FileManager.default.isReadableFile(atPath: file) ? file : nil
  }

  /// Returns the text of a shared file. Returns `nil` and prints a remark if it is not there.
  public static func sharedText(_ path: String) -> String? {
    guard let file = sharedPath(path), let text = try? String(contentsOfFile: file, encoding: .utf8)
    else {
      print("skipped: there is no shared/\(path) (SWEXPR_SHARED names its folder)")
      return nil
    }
    return text
  }

  /// Returns the objects of a shared JSON Lines file, or `nil` if it is not there.
  public static func sharedObjects(_ path: String) throws -> [[String: Any]]? {
    guard let text = sharedText(path) else { return nil }
    return try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      guard let object = object as? [String: Any] else { throw NotAnObject(line: String(line)) }
      return object
    }
  }
}
