/// The reason why something that is stored cannot be read or written.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed, such as `add occurrence`.
  public var operation: String
  /// The reason, in the words of the store.
  public var reason: String

  /// Creates an error.
  public init(operation: String, reason: String) {
    self.operation = operation
    self.reason = reason
  }

  /// The error as one line.
  public var description: String { "cannot \(operation): \(reason)" }
}
