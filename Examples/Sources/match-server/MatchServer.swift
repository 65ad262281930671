import AudienceFilters
import Foundation

/// Answers which audience a user is in: `POST /placements/NAME` with `{"user", "device", "params"}`, and
/// the value of a filter: `POST /evaluate` with `{"filter", "user", "device", "params"}`.
@main
struct MatchServer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard (2...3).contains(arguments.count), let port = UInt16(arguments.dropFirst(2).first ?? "0")
    else {
      print("usage: match-server CONFIG [PORT]")
      exit(2)
    }
    let config = try String(contentsOfFile: arguments[1], encoding: .utf8)
    let audiences = try Audiences(try Value(json: config))
    let server = try HTTPServer(port: port)
    print("listening on http://127.0.0.1:\(server.port)")
    fflush(nil)
    server.run(threads: ProcessInfo.processInfo.activeProcessorCount) { request in
      answer(request, audiences)
    }
  }

  private static func answer(
    _ request: HTTPServer.Request, _ audiences: Audiences
  ) -> HTTPServer.Response {
    guard request.method == "POST" else {
      return failure("405 Method Not Allowed", "send a POST request")
    }
    var variables: [String: Value] = ["user": [:], "device": [:], "params": [:]]
    do {
      guard
        case .map(let entries) = try Value(json: String(decoding: request.body, as: UTF8.self))
      else { return failure("400 Bad Request", "the body must be a JSON object") }
      for (key, value) in entries { variables[key.text] = value }
    } catch {
      return failure("400 Bad Request", "\(error)")
    }
    if request.path == "/evaluate" { return evaluation(variables) }
    let prefix = "/placements/"
    guard request.path.hasPrefix(prefix) else {
      return failure("404 Not Found", "there are /evaluate and /placements/NAME")
    }
    let name = String(request.path.dropFirst(prefix.count))
    guard let value = audiences.answer(name, variables) else {
      return failure("404 Not Found", "the placements are \(audiences.names)")
    }
    return HTTPServer.Response(status: "200 OK", json: json(value))
  }

  /// A filter that someone is writing: its value, or what is wrong with it.
  private static func evaluation(_ variables: [String: Value]) -> HTTPServer.Response {
    var variables = variables
    guard case .string(let text)? = variables.removeValue(forKey: "filter") else {
      return failure("400 Bad Request", "the member `filter` must be a text")
    }
    // Strangers get tight limits.
    let environment = Environment(
      parserLimits: ParserLimits(sourceLength: 4_096, nesting: 20),
      limits: EvaluationLimits(steps: 10_000, memory: 1 << 20))
    do {
      let filter = try Filter(text, environment: environment)
      let value = try evaluate(filter, Context(variables: variables))
      return HTTPServer.Response(
        status: "200 OK", json: json(["value": value, "kind": .string(value.kindName)]))
    } catch let error as FilterError {
      let list = DiagnosticRenderer.json(error.diagnostics, in: error.source)
      return HTTPServer.Response(status: "422 Unprocessable Content", json: list)
    } catch let error as EvaluationError {
      let list = DiagnosticRenderer.json([error.diagnostic], in: Source(text))
      return HTTPServer.Response(status: "422 Unprocessable Content", json: list)
    } catch {
      return failure("500 Internal Server Error", "\(error)")
    }
  }

  private static func failure(_ status: String, _ message: String) -> HTTPServer.Response {
    HTTPServer.Response(status: status, json: json(["error": .string(message)]))
  }

  private static func json(_ value: Value) -> String {
    var writer = JSONWriter()
    value.writePlain(to: &writer)
    return writer.text
  }
}
