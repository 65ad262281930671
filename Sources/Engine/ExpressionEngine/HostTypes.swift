// The types at the border to the host. Embedded Swift, which is what WebAssembly is built with, has
// no values of arbitrary protocol types.

#if hasFeature(Embedded)
  /// The data that host functions need besides their arguments: none, as the host keeps it.
  public struct HostStateValue: Sendable {
    /// The results of host functions, by call.
    package let answers: [String: Value]

    package init(answers: [String: Value]) { self.answers = answers }
  }

  /// The error of a host function.
  public typealias HostFailure = HostFunctionError
#else
  /// The data that host functions need besides their arguments.
  public typealias HostStateValue = any Sendable

  /// The error of a host function.
  public typealias HostFailure = any Error
#endif

/// The error of a host function that has a message and nothing else.
public struct HostFunctionError: Error, Hashable, CustomStringConvertible {
  /// The message.
  public let description: String

  /// Creates an error with its message.
  public init(_ description: String) { self.description = description }
}

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
