/// The reason why something that is stored cannot be read or written.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What an app can do about a failure.
  public enum Kind: Sendable, Hashable {
    /// The user of the process lacks a right, or the file system is read-only.
    case notPermitted
    /// The file is no store, is cut off, or has contents that a store never writes. A new attempt
    /// gives the same error: move the file aside, and restore a backup if there is one.
    case damaged
    /// A newer version of the library has written the file, which is sound.
    case newerVersion
    /// Another process kept the file for longer than the time to wait. A new attempt may succeed.
    case busy
    /// The disk is full. A new attempt succeeds as soon as there is room.
    case noSpace
    /// The file was removed or replaced while it was open. Open the store again.
    case replaced
    /// The file is on a network file system, where several computers could damage it.
    case networkFileSystem
    /// The failure has another reason.
    case other
  }

  /// The operation that failed, such as `add occurrence`.
  public var operation: String
  /// The reason, in the words of the store.
  public var reason: String
  /// The kind of the failure.
  public var kind: Kind

  /// Creates an error of the kind ``Kind/other``.
  ///
  /// - Parameters:
  ///   - operation: The operation that failed.
  ///   - reason: The reason, in the words of the store.
  public init(operation: String, reason: String) {
    self.init(operation: operation, reason: reason, kind: .other)
  }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - operation: The operation that failed.
  ///   - reason: The reason, in the words of the store.
  ///   - kind: What an app can do about it.
  public init(operation: String, reason: String, kind: Kind) {
    self.operation = operation
    self.reason = reason
    self.kind = kind
  }

  /// The error as one line.
  public var description: String { "cannot \(operation): \(reason)" }
}
