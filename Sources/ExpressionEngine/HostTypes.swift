// The types at the border to the host. Embedded Swift, which is what WebAssembly is built with, has no
// values of arbitrary protocol types.

#if hasFeature(Embedded)
  /// The data that host functions need besides their arguments.
  public typealias HostStateValue = Never

  /// The error of a host function.
  public struct HostFailure: Error, CustomStringConvertible {
    /// The message.
    public let description: String

    /// Creates an error with its message.
    public init(_ description: String) { self.description = description }
  }
#else
  /// The data that host functions need besides their arguments.
  public typealias HostStateValue = any Sendable

  /// The error of a host function.
  public typealias HostFailure = any Error
#endif

/// The error that caused a failure, for the message.
enum FailureCause: CustomStringConvertible {
  case host(HostFailure)
  case regex(RegexError)

  var description: String {
    switch self {
    case .host(let error): "\(error)"
    case .regex(let error): error.message
    }
  }
}
