import ExpressionEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Control-C while a filter is evaluated: the work is abandoned, the process goes on.
///
/// Work runs on a thread of its own. The engine has no way to stop an evaluation from outside, so
/// an abandoned one runs on without effect; the limits of evaluation end it.
struct Interruption: ~Copyable {
  private let reading: Int32
  private let writing: Int32

  /// Makes control-C an interruption for the rest of the process.
  ///
  /// - Returns: `nil` if the system has no pipe left; control-C then ends the process as before.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A signal handler must not wait, not even for a full pipe.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    signalPipe.store(UInt(bitPattern: Int(writing)), at: 0)
    signal(SIGINT) { _ in
      let error = errno
      send(.interrupted, Int32(truncatingIfNeeded: signalPipe.load(0)))
      errno = error
    }
  }

  /// Forgets interruptions so far, which came when nothing was running.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func clear() -> Bool {
    var wasInterrupted = false
    while hasMessage(within: 0) { if receive() == .interrupted { wasInterrupted = true } }
    return wasInterrupted
  }

  /// Runs work and returns its result; `nil` if it was interrupted.
  mutating func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result? {
    number &+= 1
    let result = Shared<Result>()
    let message = Message(rawValue: number)
    let pipe = writing
    let hasStarted = Self.startThread {
      let value = work()
      result.value.withLock { $0 = value }
      send(message, pipe)
    }
    guard hasStarted else { return work() }
    while true {
      guard hasMessage(within: -1) else { continue }
      switch receive() {
      case .interrupted: return nil
      case message: return result.value.withLock(\.self)
      // An abandoned run has ended.
      default: continue
      }
    }
  }

  /// The number of the last run.
  private var number: UInt32 = 0

  private func hasMessage(within milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }

  private func receive() -> Message? {
    var message: UInt32 = 0
    return read(reading, &message, 4) == 4 ? Message(rawValue: message) : nil
  }

  /// Starts a thread with as much stack as the main thread has.
  private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Body(body))
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    defer {
      pthread_attr_destroy(attributes)
      attributes.deallocate()
    }
    pthread_attr_setstacksize(attributes, 8 << 20)
    pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, attributes, runBody, box.toOpaque())
    if status != 0 { box.release() }
    return status == 0
  }
}

/// A number sent through the pipe: that of the run that ended, or an interruption.
private struct Message: RawRepresentable, Equatable, Sendable {
  let rawValue: UInt32
  static let interrupted = Message(rawValue: 0)
}

/// The result of a run, written by its thread.
private final class Shared<Result: Sendable>: Sendable {
  let value = Locked<Result?>(nil)
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runBody(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
    return nil
  }
#else
  private func runBody(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
    return nil
  }
#endif

/// The end of the pipe that the signal handler writes to. It is global because a handler gets no
/// other argument than the signal.
private let signalPipe = AtomicWords(count: 1)

private func send(_ message: Message, _ pipe: Int32) {
  var number = message.rawValue
  _ = write(pipe, &number, 4)
}
