import AudienceFilters
import CampaignCore
import Foundation

/// Answers which audience a user is in: `POST /placements/NAME` with
/// `{"user", "device", "params"}`; the value of a filter: `POST /evaluate` with
/// `{"filter", "user", "device", "params"}`; and whether it is there: `GET /health`. SIGTERM and
/// SIGINT let it finish what it has begun, and end it with exit code 0.
@main
struct MatchServer {
  static func main() {
    let arguments = CommandLine.arguments
    guard (2...3).contains(arguments.count), let port = UInt16(arguments.dropFirst(2).first ?? "0")
    else { fail("usage: match-server CONFIG [PORT]", status: 2) }
    let routes: Routes
    let server: HTTPServer
    do {
      let config = try String(contentsOfFile: arguments[1], encoding: .utf8)
      routes = Routes(audiences: try Audiences(try ConfigDocument(json: config)))
      server = try HTTPServer(port: port)
    } catch let error as FilterError {
      fail("\(error)", status: 1)
    } catch let error as CocoaError {
      fail("error: \(arguments[1]): \(error.localizedDescription)", status: 1)
    } catch {
      fail("error: \(error)", status: 1)
    }
    let signals = [SIGTERM, SIGINT].map { server.stop(at: $0) }
    print("listening on http://127.0.0.1:\(server.port)")
    fflush(nil)
    server.run(workers: 8 * ProcessInfo.processInfo.activeProcessorCount) { request in
      routes.answer(request)
    }
    for source in signals { source.cancel() }
    print("stopped")
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
