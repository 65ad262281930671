import CampaignFlags
import Foundation
import Logging
import Synchronization

/// The flags of a config file, which are replaced when the file changes.
///
/// A request keeps the flags that it began with. A file that cannot be read changes nothing.
final class FlagSource: Sendable {
  private struct State {
    var flags: CampaignFlags
    var stamp: Stamp
  }

  /// Tells versions of a file apart.
  private struct Stamp: Equatable {
    var modified: Date?
    var size: Int?
    var number: Int?

    init(_ path: String) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      modified = attributes?[.modificationDate] as? Date
      size = attributes?[.size] as? Int
      number = attributes?[.systemFileNumber] as? Int
    }
  }

  private let path: String
  private let logger: Logger
  private let state: Mutex<State>

  /// Reads the file for the first time.
  init(path: String, logger: Logger) throws {
    self.path = path
    self.logger = logger
    let stamp = Stamp(path)
    let flags = try CampaignFlags(config: String(contentsOfFile: path, encoding: .utf8))
    state = Mutex(State(flags: flags, stamp: stamp))
    report(flags)
  }

  /// The flags in force.
  var flags: CampaignFlags { state.withLock { $0.flags } }

  /// Looks for changes of the file until the task is cancelled.
  func watch(every interval: Duration) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: interval)
      reload()
    }
  }

  /// Reads the file again if it has changed.
  private func reload() {
    let stamp = Stamp(path)
    guard stamp != state.withLock({ $0.stamp }) else { return }
    do {
      let flags = try CampaignFlags(config: String(contentsOfFile: path, encoding: .utf8))
      state.withLock { $0 = State(flags: flags, stamp: stamp) }
      report(flags)
    } catch {
      state.withLock { $0.stamp = stamp }
      logger.error("the config was not replaced", metadata: ["reason": "\(error)"])
    }
  }

  private func report(_ flags: CampaignFlags) {
    for diagnostic in flags.diagnostics { logger.warning("\(diagnostic)") }
    logger.info(
      "a config is in force",
      metadata: ["build": "\(flags.version)", "flags": "\(flags.keys.count)"])
  }
}
