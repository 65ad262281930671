#if DEBUG
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif
#endif

/// The deepest nesting of filters.
///
/// Stages recurse for each level. On Apple platforms, secondary threads have 512 KiB of stack, and
/// the limit is what fits in a release build (`docs/limits.md`).
package enum NestingLimit {
  /// The levels that every stage accepts.
  package static let levels = 430

  /// Runs a stage, in a debug build with enough stack for its larger frames.
  ///
  /// A release build only calls `body`.
  ///
  /// - Parameters:
  ///   - levels: An upper bound of the nesting of what `body` works on.
  ///   - body: The stage.
  @inlinable
  @inline(__always)
  package static func withRoom<Result: ~Copyable, Failure: Error>(
    for levels: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if DEBUG
      try withDebugStack(for: levels, body)
    #else
      try body()
    #endif
  }

  #if DEBUG
    /// The levels for which 512 KiB suffice in a debug build, whose frames are up to five times as
    /// large.
    private static let debugLevels = 200
    /// Enough for ``levels`` in a debug build, also with the sanitizers.
    private static let debugStack = 8 << 20

    package static func withDebugStack<Result: ~Copyable, Failure: Error>(
      for levels: Int, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      guard levels > debugLevels else { return try body() }
      var result: Result?
      var failure: Failure?
      onThread {
        do throws(Failure) {
          result = try body()
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      // Without such a thread, the stack of this one has to do.
      guard let result else { return try body() }
      return result
    }

    /// Code to run on another thread while this one waits.
    ///
    /// `@unchecked Sendable` is sound because only one of the two runs at any time.
    private final class Work: @unchecked Sendable {
      let run: () -> Void
      init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs `body` on a thread with a large stack, and waits for it. Does nothing if the system
    /// gives no such thread.
    private static func onThread(_ body: () -> Void) {
      withoutActuallyEscaping(body) { body in
        let work = Unmanaged.passRetained(Work(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, debugStack)
        defer { pthread_attr_destroy(&attributes) }
        #if canImport(Darwin)
          var thread: pthread_t?
          let status = pthread_create(
            &thread, &attributes,
            { argument in
              Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
              return nil
            }, work.toOpaque())
          if status == 0, let thread { pthread_join(thread, nil) }
        #else
          var thread = pthread_t()
          let status = pthread_create(
            &thread, &attributes,
            { argument in
              if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
              return nil
            }, work.toOpaque())
          if status == 0 { pthread_join(thread, nil) }
        #endif
        if status != 0 { work.release() }
      }
    }
  #endif
}
