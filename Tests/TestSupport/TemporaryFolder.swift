public import Foundation

/// A folder for a temporary store, removed at the end.
public final class TemporaryFolder {
  /// The folder.
  public let url: URL

  /// Makes an empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "campaigns-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a store in the folder.
  public var storePath: String { url.appending(path: "store.sqlite").path }
}
