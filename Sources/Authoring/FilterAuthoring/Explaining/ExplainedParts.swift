import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The conditions of a filter that an explanation shows, and how they are nested. It does not
/// depend on a context.
struct ExplainedParts {
  /// A condition and its parts.
  struct Part {
    let node: NodeID
    let kind: Explanation.Condition.Kind
    let role: Explanation.Condition.Role
    /// The number of conditions around this one, loops included.
    let depth: Int
    /// The parts that do not depend on the context; those of a loop depend on its elements.
    let children: [Part]
    /// The loop, if the condition is one.
    let loop: FilterOutline.Loop?
  }

  /// The largest number of conditions; deeper ones are shown as a whole.
  static let limit = 2_000
  /// The deepest nesting of conditions. Explaining recurses as deep, with large stack frames.
  static let depthLimit = 12

  let outline: FilterOutline
  private var remaining = Self.limit
  private(set) var isTruncated = false

  init(_ outline: FilterOutline) { self.outline = outline }

  /// Returns the part of the filter under a node.
  mutating func part(
    _ id: NodeID, role: Explanation.Condition.Role = .operand, depth: Int = 0
  ) -> Part {
    let form = outline.form(of: id)
    let loop = outline.loop(outline.tree[id])
    remaining -= 1
    guard remaining > 0, depth < Self.depthLimit else {
      if case .condition = form {} else { isTruncated = true }
      return Part(
        node: id, kind: kind(of: id, form), role: role, depth: depth, children: [], loop: nil)
    }
    var children: [Part] = []
    switch form {
    case .all(let operands), .any(let operands):
      for operand in operands { children.append(part(operand, depth: depth + 1)) }
    case .not(let operand), .doubleNot(let operand):
      children = [part(operand, depth: depth + 1)]
    case .conditional(let condition, let first, let second):
      children = [
        part(condition, role: .condition, depth: depth + 1),
        part(first, role: .then, depth: depth + 1),
        part(second, role: .otherwise, depth: depth + 1),
      ]
    case .condition:
      guard case .comparison(_, let left, let right) = outline.shape(of: id) else { break }
      for operand in [left, right] where isCondition(operand) {
        children.append(part(operand, depth: depth + 1))
      }
    }
    return Part(
      node: id, kind: kind(of: id, form), role: role, depth: depth, children: children, loop: loop)
  }

  /// Returns whether an operand of a comparison is shown as a condition of its own.
  private func isCondition(_ id: NodeID) -> Bool {
    switch kind(of: id, outline.form(of: id)) {
    case .call, .value: false
    default: true
    }
  }

  private func kind(of id: NodeID, _ form: FilterOutline.Form) -> Explanation.Condition.Kind {
    switch form {
    case .all: return .all
    case .any: return .any
    case .not, .doubleNot: return .not
    case .conditional: return .conditional
    case .condition:
      let node = outline.tree[id]
      if node.kind == .call { return outline.loop(node) == nil ? .call : .loop }
      return node.kind == .binary && node.op.isComparison ? .comparison : .value
    }
  }
}
