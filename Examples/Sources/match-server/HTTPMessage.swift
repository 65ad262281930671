import Foundation

/// A request, as much of it as this server needs.
struct HTTPRequest: Sendable {
  var method: String
  /// The path without the query, percent-decoded.
  var path: String
  var body: [UInt8]
}

/// A response with a JSON body.
struct HTTPResponse: Sendable {
  enum Status: Int, Sendable {
    case ok = 200
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case requestTimeout = 408
    case lengthRequired = 411
    case contentTooLarge = 413
    case unprocessableContent = 422
    case headerFieldsTooLarge = 431

    var reason: String {
      switch self {
      case .ok: "OK"
      case .badRequest: "Bad Request"
      case .notFound: "Not Found"
      case .methodNotAllowed: "Method Not Allowed"
      case .requestTimeout: "Request Timeout"
      case .lengthRequired: "Length Required"
      case .contentTooLarge: "Content Too Large"
      case .unprocessableContent: "Unprocessable Content"
      case .headerFieldsTooLarge: "Request Header Fields Too Large"
      }
    }
  }

  var status: Status
  var json: String
  var headers: [String] = []

  var bytes: [UInt8] {
    let body = json + "\n"
    let head =
      [
        "HTTP/1.1 \(status.rawValue) \(status.reason)", "Content-Type: application/json",
        "Content-Length: \(body.utf8.count)", "Connection: close",
      ] + headers
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}

/// Puts a request together from the bytes that arrive.
struct HTTPRequestReader {
  /// Why bytes are no request.
  struct Refusal: Error {
    var status: HTTPResponse.Status
    var message: String
  }

  static let headLimit = 16 << 10
  static let bodyLimit = 1 << 20

  private var bytes: [UInt8] = []
  private var head: (method: String, path: String, bodyStart: Int, bodyLength: Int)?

  /// Whether nothing has arrived yet.
  var isEmpty: Bool { bytes.isEmpty }

  /// Takes what arrived, and returns the request when it is complete.
  mutating func add(_ chunk: ArraySlice<UInt8>) throws(Refusal) -> HTTPRequest? {
    bytes += chunk
    if head == nil { try readHead() }
    guard let head, bytes.count >= head.bodyStart + head.bodyLength else { return nil }
    let body = bytes[head.bodyStart..<(head.bodyStart + head.bodyLength)]
    return HTTPRequest(method: head.method, path: head.path, body: Array(body))
  }

  private mutating func readHead() throws(Refusal) {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      guard bytes.count < Self.headLimit else {
        throw Refusal(status: .headerFieldsTooLarge, message: "the header fields are too large")
      }
      return
    }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1."),
      let path = words[1].prefix(while: { $0 != "?" }).removingPercentEncoding
    else { throw Refusal(status: .badRequest, message: "the first line is no request line") }
    let length = try Self.length(of: lines.dropFirst(), method: words[0])
    head = (String(words[0]), path, end.upperBound, length)
  }

  private static func length(
    of fields: ArraySlice<Substring>, method: Substring
  ) throws(Refusal) -> Int {
    var length: Int?
    for field in fields {
      let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw Refusal(status: .badRequest, message: "a header field has no colon")
      }
      switch parts[0].lowercased() {
      case "transfer-encoding":
        throw Refusal(status: .lengthRequired, message: "send the body with Content-Length")
      case "content-length":
        let text = parts[1].trimmingCharacters(in: .whitespaces)
        guard let number = Int(text), number >= 0, length == nil || length == number else {
          throw Refusal(status: .badRequest, message: "Content-Length is no length")
        }
        length = number
      default: break
      }
    }
    guard let length else {
      guard method != "POST" else {
        throw Refusal(status: .lengthRequired, message: "send the body with Content-Length")
      }
      return 0
    }
    guard length <= bodyLimit else {
      throw Refusal(
        status: .contentTooLarge, message: "the body may have \(bodyLimit) bytes at most")
    }
    return length
  }
}
