import CampaignFlags
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of the OpenFeature Remote Evaluation Protocol.
struct FlagRoutes {
  /// The largest body of a request, in bytes.
  static let maximumBody = 1 << 20

  let source: FlagSource
  /// The key that requests must have; `nil` for none.
  let apiKey: String?

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("/health") { _, _ in Response(status: .ok) }
    let flags = router.group("/ofrep/v1/evaluate/flags")
    flags.post { request, _ in try await respond(to: request, key: nil) }
    flags.post("/:key") { request, context in
      try await respond(to: request, key: context.parameters.get("key") ?? "")
    }
    return router
  }

  private func respond(to request: Request, key: String?) async throws -> Response {
    guard isAllowed(request) else { return Response(status: .unauthorized) }
    let flags = source.flags
    let body = try await request.body.collect(upTo: Self.maximumBody)
    do throws(FlagError) {
      guard let key else {
        return whole(try flags.allFlags(body: body.readableBytesView), request)
      }
      return json(.ok, try flags.flag(key, body: body.readableBytesView))
    } catch {
      let status: HTTPResponse.Status =
        switch error.code {
        case .flagNotFound: .notFound
        case .general: .internalServerError
        case .parseError, .invalidContext, .targetingKeyMissing: .badRequest
        }
      return json(status, error.body(key: key))
    }
  }

  /// The response to a request for all flags: nothing if the client has it already.
  private func whole(_ text: String, _ request: Request) -> Response {
    let tag = "\"\(Self.hash(text))\""
    let known = request.headers[.ifNoneMatch]?.split(separator: ",")
      .contains { $0.drop { $0 == " " } == tag }
    var response = known == true ? Response(status: .notModified) : json(.ok, text)
    response.headers[.eTag] = tag
    return response
  }

  private func isAllowed(_ request: Request) -> Bool {
    guard let apiKey else { return true }
    let offered =
      request.headers[HTTPField.Name("X-API-Key") ?? .authorization]
      ?? request.headers[.authorization].flatMap { text in
        text.hasPrefix("Bearer ") ? String(text.dropFirst(7)) : nil
      }
    return offered == apiKey
  }

  private func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// FNV-1a with 64 bits: equal texts have equal tags, in every process.
  private static func hash(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
