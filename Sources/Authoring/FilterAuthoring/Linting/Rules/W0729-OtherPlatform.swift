import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports attributes that the platform of the filter does not have.

extension FilterLinter {
  /// Reports `device.platform == "Android" && device.interfaceType == "iphone"`.
  mutating func checkPlatforms(_ operands: [NodeID]) {
    guard let pin = operands.compactMap({ platforms(of: $0) }).first else { return }
    for operand in operands where operand != pin.condition {
      guard let (id, attribute) = foreignAttribute(under: operand, pin.names) else { continue }
      let other = schema.attributes.values.first {
        !$0.platforms.isEmpty && !pin.names.isDisjoint(with: $0.platforms)
          && $0.summary == attribute.summary && $0.path != attribute.path
      }
      report(
        Diagnostic(
          .otherPlatform,
          "`\(attribute.path)` is not sent on \(pin.names.sorted().joined(separator: " or "))",
          at: tree[id].span, label: "only on \(attribute.platforms.joined(separator: ", "))",
          secondary: [Diagnostic.Label(tree[pin.condition].span, "")],
          notes: ["so it is missing for all who could match"],
          helps: other.map { ["there is `\($0.path)`: \($0.summary)"] } ?? []))
    }
  }

  /// Returns the platforms that a condition requires, in lower case.
  private func platforms(of id: NodeID) -> (condition: NodeID, names: Set<String>)? {
    guard let comparison = ConstantComparison(tree[id], in: tree),
      comparison.op == .equal || comparison.op == .in,
      freePath(comparison.subject)?.description == "device.platform"
    else { return nil }
    var names: Set<String> = []
    for case .string(let name) in comparison.constants { names.insert(name.lowercased()) }
    return names.isEmpty ? nil : (id, names)
  }

  private func foreignAttribute(
    under id: NodeID, _ platforms: Set<String>
  ) -> (NodeID, AttributeSchema.Attribute)? {
    var work = [id]
    while let next = work.popLast() {
      let node = tree[next]
      // `has` asks whether it is there.
      if node.kind == .call, tree.name(of: node) == "has" { continue }
      if let attribute = knownAttribute(next), !attribute.platforms.isEmpty,
        platforms.isDisjoint(with: attribute.platforms), !platforms.isEmpty
      {
        return (next, attribute)
      }
      work += tree.parts(of: node)
    }
    return nil
  }
}
