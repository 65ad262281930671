import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Attributes that no column holds.

extension FilterTranslator {
  /// Refuses an attribute that no column holds and that is not declared to be missing: a condition on
  /// it would be the same in every row, which is never meant.
  func requireColumn(_ id: Int) throws(Refusal) {
    guard schema.absent != .any else { return }
    let names = self.names(of: id)
    guard let root = names.first, !schema.holds(names), !schema.declaresMissing(names) else {
      return
    }
    let path = AttributePath(root: root, names: Array(names.dropFirst()))
    let columns = schema.columns.compactMap { column in
      column.path.first.map {
        AttributePath(root: $0, names: Array(column.path.dropFirst())).description
      }
    }
    let help = Suggestions.help(for: path.description, among: columns)
    throw Refusal(
      .attribute, "no column holds `\(path)`" + (help.map { "; \($0)" } ?? ""),
      at: filter.nodes[id].span, attribute: path)
  }

  /// Returns the names of the path that a node reads: a variable and members; empty if it reads none,
  /// or a member of something computed.
  private func names(of id: Int) -> [String] {
    var members: [String] = []
    var id = id
    while true {
      switch filter.nodes[id].kind {
      case .variable(let name, _): return [name] + members.reversed()
      case .attribute(let root, let name, let policy, _):
        // The host's functions are no attributes.
        return policy == .function && members.isEmpty ? [] : [root, name] + members.reversed()
      case .member(let operand, let name, _):
        members.append(name)
        id = operand
      case .element(let receiver, let index):
        guard case .constant(.string(let name)) = filter.nodes[index].kind else { return [] }
        members.append(name)
        id = receiver
      case .name(_, let last, let fields):
        members += fields.reversed()
        id = last
      default: return []
      }
    }
  }
}
