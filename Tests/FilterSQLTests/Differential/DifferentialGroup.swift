import ExpressionEngine
import FilterCorpus
import FilterSQL

/// Filters that are evaluated over the same rows.
struct DifferentialGroup {
  /// A filter and where it is from.
  struct Item {
    /// The file or collection, such as `superscript/compare`.
    var file: String
    var id: String
    var text: String
  }

  var environment: FilterEnvironment
  /// The contexts that the rows are, and resemble.
  var contexts: [[String: Value]]
  var items: [Item]
  /// Whether the results of host functions are in columns.
  var hasHostColumns = false

  /// Returns the result of a host function, if it is the same for all rows.
  func hostAnswer(_ table: String, _ name: String, _ arguments: [Value]) -> Value? {
    if hasHostColumns { return nil }
    let functions =
      table == "device" ? environment.deviceFunctions : environment.computedFunctions
    return functions[name].flatMap { try? $0(arguments, nil) }
  }

  /// Groups cases that differ in nothing but their question.
  static func groups(of cases: [ConformanceCase], file: (String) -> String) -> [DifferentialGroup] {
    var groups: [CaseRequest: DifferentialGroup] = [:]
    var order: [CaseRequest] = []
    for item in cases {
      guard case .expression(let text) = item.request.question,
        item.request.flags.isDisjoint(with: [.checksOnly, .lints])
      else { continue }
      var setting = item.request
      setting.question = .expression("")
      setting.flags = setting.flags.intersection(.disablesMacros)
      if groups[setting] == nil { order.append(setting) }
      groups[
        setting,
        default: DifferentialGroup(
          environment: setting.environment, contexts: [setting.variables], items: [])
      ].items.append(Item(file: file(item.id), id: item.id, text: text))
    }
    return order.compactMap { groups[$0] }
  }
}
