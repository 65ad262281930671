import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// As much of HTTP/1.1 as an example needs: one request a connection, bodies with a length, no TLS.
struct HTTPServer: Sendable {
  struct Request: Sendable {
    var method: String
    var path: String
    var body: [UInt8]
  }

  struct Response: Sendable {
    var status: String
    var json: String
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let headLimit = 16 << 10
  private static let bodyLimit = 1 << 20

  private let listener: Int32
  /// The port, also when the system chose it.
  let port: UInt16

  /// Listens on the loopback interface; port 0 lets the system choose.
  init(port: UInt16) throws {
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
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else {
      throw Failure(description: "port \(port): \(String(cString: strerror(errno)))")
    }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Serves until the process ends, on some threads that all accept connections.
  func run(threads: Int, answer: @escaping @Sendable (Request) -> Response) {
    signal(SIGPIPE, SIG_IGN)
    for _ in 1..<max(1, threads) { Thread.detachNewThread { serve(answer) } }
    serve(answer)
  }

  private func serve(_ answer: (Request) -> Response) {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      var timeout = timeval(tv_sec: 5, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
      let response =
        Self.request(connection).map(answer)
        ?? Response(status: "400 Bad Request", json: #"{"error": "this is no request"}"#)
      Self.send(response, connection)
      close(connection)
    }
  }

  private static func request(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 8 << 10)
    let gap = Array("\r\n\r\n".utf8)
    var head: [Substring] = []
    var bodyStart = 0
    var bodyLength = 0
    let chunkSize = chunk.count
    while head.isEmpty || bytes.count < bodyStart + bodyLength {
      let count = read(connection, &chunk, chunkSize)
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
      guard head.isEmpty else { continue }
      guard let end = bytes.firstRange(of: gap) else {
        guard bytes.count < headLimit else { return nil }
        continue
      }
      head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
      bodyStart = end.upperBound
      let length = head.first { $0.lowercased().hasPrefix("content-length:") }
      bodyLength = length.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
      guard !head.isEmpty, (0...bodyLimit).contains(bodyLength) else { return nil }
    }
    let words = head[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    return Request(
      method: String(words[0]), path: String(words[1]),
      body: Array(bytes[bodyStart..<(bodyStart + bodyLength)]))
  }

  private static func send(_ response: Response, _ connection: Int32) {
    let body = response.json + "\n"
    let text =
      "HTTP/1.1 \(response.status)\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
