import AudienceTable
import CampaignCore
import CampaignMatcher
import ExpressionCoding
import ExpressionEngine
import Foundation

/// `make demo`: evaluates the audiences of a campaign config for some users.
///
///     demo config.json ana.json ben.json
@main
enum Demo {
  static func main() {
    let paths = CommandLine.arguments.dropFirst()
    guard let config = paths.first else { return print("usage: demo <config> <context>…") }
    do {
      print(try page(config, contexts: paths.dropFirst()), terminator: "")
    } catch {
      print("demo: \(error.localizedDescription)")
      exit(2)
    }
  }

  /// Returns the table for a config and contexts, by their paths.
  private static func page(_ path: String, contexts: ArraySlice<String>) throws -> String {
    let matcher = try Matcher()
    try matcher.load(ConfigDocument(json: try String(contentsOfFile: path, encoding: .utf8)))
    guard let config = matcher.config else { return "" }
    let table = try AudienceTable(
      config: config, path: path, placement: nil, users: contexts.map(user),
      matcher: matcher)
    return table.page(width: 120)
  }

  /// Returns the user in a file with the members `user`, `device`, `params` and `host`.
  private static func user(_ path: String) throws -> AudienceTable.User {
    let json = try Value(json: String(contentsOfFile: path, encoding: .utf8))
    func attributes(_ root: String) -> [String: Value] {
      guard case .map(let document) = json, case .map(let members)? = document[.string(root)] else {
        return [:]
      }
      return Dictionary(uniqueKeysWithValues: members.map { ($0.key.text, $0.value) })
    }
    var request = MatchRequest("", parameters: attributes("params"))
    request.user = attributes("user")
    request.device = attributes("device")
    let name = path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
    return .init(name: String(name), request: request, historyAnswers: attributes("host"))
  }
}
