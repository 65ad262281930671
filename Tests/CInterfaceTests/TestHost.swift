import CSwexpr
import ExpressionEngine

/// A host for C: a closure, and counts of its calls and releases.
final class TestHost: Sendable {
  /// Answers a call by setting the reply.
  typealias Answer =
    @Sendable (_ name: String, _ arguments: String, _ reply: OpaquePointer?) -> Void

  let calls = Locked(0)
  let releases = Locked(0)
  private let answer: Answer

  init(_ answer: @escaping Answer) { self.answer = answer }

  /// The function that C code would write.
  static let function: swexpr_host = { data, name, arguments, reply in
    guard let data, let name, let arguments else { return }
    let host = Unmanaged<TestHost>.fromOpaque(data).takeUnretainedValue()
    host.calls.withLock { $0 += 1 }
    host.answer(String(cString: name), String(cString: arguments), reply)
  }

  /// Counts the release of its data.
  static let release: swexpr_release = { data in
    guard let data else { return }
    Unmanaged<TestHost>.fromOpaque(data).takeUnretainedValue()
      .releases.withLock { $0 += 1 }
  }

  /// The pointer that stands for this host.
  var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Creates an environment and passes it to `body`.
  @discardableResult
  func withEnvironment<Result>(
    _ options: String, _ body: (OpaquePointer) throws -> Result
  ) throws -> Result {
    try withExtendedLifetime(self) {
      try Calls.using(
        {
          swexpr_environment_create(
            options, options.utf8.count, Self.function, data, Self.release, $0)
        }, swexpr_environment_free, body)
    }
  }
}
