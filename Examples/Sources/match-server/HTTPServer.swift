import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// As much of HTTP/1.1 as an example needs: one request a connection, bodies with a length, no TLS.
///
/// A service mounts `Routes.answer` in the server that it has; what must be the same there is the
/// rest of this file's behaviour: limits for head and body, a deadline for the whole request, and a
/// shutdown that finishes what has been begun.
final class HTTPServer: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The seconds in which a request must have arrived, and a response must have left.
  private static let deadline = 5.0

  private let listener: Int32
  /// The port, also when the system chose it.
  let port: UInt16
  private let isStopping = Atomic(false)

  /// Listens on the loopback interface; port 0 lets the system choose.
  init(port: UInt16) throws(Failure) {
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard listener >= 0 else { throw Failure(description: "no socket") }
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else {
      throw Failure(description: "port \(port): \(String(cString: strerror(errno)))")
    }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Serves until ``stop()``, on some threads that all accept connections; returns when the last
  /// request that was begun has been answered.
  ///
  /// - Parameter workers: More than there are cores, because a worker waits for its client.
  func run(workers: Int, answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
    signal(SIGPIPE, SIG_IGN)
    let running = DispatchGroup()
    for _ in 0..<max(1, workers) {
      running.enter()
      Thread.detachNewThread {
        self.serve(answer)
        running.leave()
      }
    }
    running.wait()
    close(listener)
  }

  /// Accepts no more connections.
  func stop() {
    guard !isStopping.exchange(true, ordering: .relaxed) else { return }
    // Wakes the workers that wait for a connection.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Stops when a signal arrives, for as long as the answer is kept.
  func stop(at number: Int32) -> any DispatchSourceSignal {
    // The default would end the process in the middle of a response.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { self.stop() }
    source.resume()
    return source
  }

  private func serve(_ answer: (HTTPRequest) -> HTTPResponse) {
    while !isStopping.load(ordering: .relaxed) {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        // Out of descriptors: let others finish instead of turning in circles.
        if errno == EMFILE || errno == ENFILE { usleep(10_000) }
        continue
      }
      converse(connection, answer)
      close(connection)
    }
  }

  private func converse(_ connection: Int32, _ answer: (HTTPRequest) -> HTTPResponse) {
    let start = ContinuousClock.now
    let response: HTTPResponse
    var line = "-"
    do throws(HTTPRequestReader.Refusal) {
      guard let request = try Self.request(connection) else { return }
      line = "\(request.method) \(request.path)"
      response = answer(request)
    } catch {
      response = Routes.failure(error.status, error.message)
    }
    Self.send(response, connection)
    let micros = Int(start.duration(to: .now) / .microseconds(1))
    let log = "\(line) \(response.status.rawValue) \(micros) µs\n"
    FileHandle.standardError.write(Data(log.utf8))
  }

  /// Reads a request; `nil` when the client has gone.
  private static func request(
    _ connection: Int32
  ) throws(HTTPRequestReader.Refusal) -> HTTPRequest? {
    var reader = HTTPRequestReader()
    var chunk = [UInt8](repeating: 0, count: 8 << 10)
    let chunkSize = chunk.count
    let end = ContinuousClock.now.advanced(by: .seconds(deadline))
    while true {
      let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, Int32(max(0, left)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        if reader.isEmpty { return nil }
        throw HTTPRequestReader.Refusal(
          status: .requestTimeout, message: "the request took longer than \(Int(deadline)) s")
      }
      let count = read(connection, &chunk, chunkSize)
      guard count > 0 else { return nil }
      if let request = try reader.add(chunk[..<count]) { return request }
    }
  }

  private static func send(_ response: HTTPResponse, _ connection: Int32) {
    var timeout = timeval(tv_sec: Int(deadline), tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var rest = response.bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
    // A client that is still sending would lose the answer if the connection were closed at once.
    shutdown(connection, Int32(SHUT_WR))
    var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    var chunk = [UInt8](repeating: 0, count: 8 << 10)
    for _ in 0..<256 where poll(&waiting, 1, 250) > 0 {
      guard read(connection, &chunk, 8 << 10) > 0 else { return }
    }
  }
}
