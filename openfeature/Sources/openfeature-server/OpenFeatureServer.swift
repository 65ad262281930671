import ArgumentParser
import Foundation
import Hummingbird
import Logging

/// Serves the flags of a campaign config by the OpenFeature Remote Evaluation Protocol.
@main
struct OpenFeatureServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openfeature-server",
    abstract: "Serve the placements of a campaign config as flags of OpenFeature.",
    discussion: """
      Clients are the OFREP providers of OpenFeature, in any language. The config is read again \
      when the file changes; a damaged file changes nothing.

      Set SWEXPR_API_KEY to demand a key, as X-API-Key or as a bearer token.
      """)

  @Argument(help: "The campaign config, a JSON file.")
  var config: String

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 for any that is free.")
  var port = 8016

  @Option(help: "How often to look for a new config, in milliseconds.")
  var poll = 1000

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is 0 to 65535") }
    guard (10...3_600_000).contains(poll) else {
      throw ValidationError("--poll is 10 to 3600000 milliseconds")
    }
  }

  func run() async throws {
    let logger = Logger(label: "openfeature-server")
    let source = try FlagSource(path: config, logger: logger)
    let key = ProcessInfo.processInfo.environment["SWEXPR_API_KEY"].flatMap {
      $0.isEmpty ? nil : $0
    }
    let application = Application(
      router: FlagRoutes(source: source, apiKey: key).router(),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        print("listening on http://\(host):\(channel.localAddress?.port ?? port)")
        fflush(nil)
      }, logger: logger)
    let interval = Duration.milliseconds(poll)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await source.watch(every: interval) }
      // SIGTERM and SIGINT end it after the requests in progress.
      try await application.runService()
      group.cancelAll()
    }
  }
}
