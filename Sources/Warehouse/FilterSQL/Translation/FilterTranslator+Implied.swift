import ExpressionEngine
import ExpressionSyntax

// The operands of the outermost `&&`, each of which holds wherever the filter matches.

extension FilterTranslator {
  /// The nodes that must all be true for the filter to match.
  private var operands: [Int] {
    var root = filter.nodes.count - 1
    if case .absorbReferences(let inner) = filter.nodes[root].kind { root = inner }
    switch filter.nodes[root].kind {
    case .conjunction(let operands), .absorbingAnd(let operands): return operands
    default: return [root]
    }
  }

  /// The conditions of the operands, with their places; empty if one is refused.
  var conditions: [(condition: SQLExpression, span: SourceSpan)] {
    var result: [(condition: SQLExpression, span: SourceSpan)] = []
    for id in operands {
      guard let condition = try? condition(of: id) else { return [] }
      result.append((condition, filter.nodes[id].span))
    }
    return result
  }

  /// A condition that every row meets for which the filter matches, and what was left out of it; `nil`
  /// if nothing has to be.
  func implied() -> (condition: SQLExpression, refusals: [Refusal])? {
    var parts: [SQLExpression] = []
    var refusals: [Refusal] = []
    for id in operands {
      do throws(Refusal) {
        parts.append(try condition(of: id))
      } catch {
        refusals.append(error)
      }
    }
    return refusals.isEmpty ? nil : (.all(parts), refusals)
  }

  /// When an operand is true, and does not fail.
  private func condition(of id: Int) throws(Refusal) -> SQLExpression {
    var translator = self
    let isOnly = operands.count == 1
    let condition =
      isOnly
      ? try translator.translate(id).isTrue
      : try translator.condition(id, isStrict: !isSuperscript, filter.nodes[id].span).isTrue
    try dialect.check(condition, at: filter.nodes[id].span)
    return condition
  }
}
