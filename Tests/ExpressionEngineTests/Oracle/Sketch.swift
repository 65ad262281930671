/// An expression as a tree of text templates, which can be made smaller.
indirect enum Sketch {
  /// The texts stand before, between and after the children.
  case node(texts: [String], children: [Sketch], isPrimary: Bool)

  /// A name or a literal.
  static func leaf(_ text: String) -> Sketch {
    let needsParentheses =
      text.hasPrefix("-") || text.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
    return .node(texts: [text], children: [], isPrimary: !needsParentheses)
  }

  /// `a op b op c …`, each operand in parentheses unless it is a primary expression.
  static func chain(_ operands: [Sketch], _ op: String) -> Sketch {
    let between = Array(repeating: " \(op) ", count: max(operands.count - 1, 0))
    return .node(texts: [""] + between + [""], children: operands, isPrimary: false)
  }

  static func prefix(_ op: String, _ operand: Sketch) -> Sketch {
    .node(texts: [op, ""], children: [operand], isPrimary: false)
  }

  static func conditional(_ a: Sketch, _ b: Sketch, _ c: Sketch) -> Sketch {
    .node(texts: ["", " ? ", " : ", ""], children: [a, b, c], isPrimary: false)
  }

  static func member(_ operand: Sketch, _ name: String) -> Sketch {
    .node(texts: ["", ".\(name)"], children: [operand], isPrimary: true)
  }

  static func index(_ operand: Sketch, _ index: Sketch) -> Sketch {
    .node(texts: ["", "[", "]"], children: [operand, index], isPrimary: true)
  }

  /// `open a, b, … close`.
  static func row(_ open: String, _ items: [Sketch], _ close: String) -> Sketch {
    let between = Array(repeating: ", ", count: max(items.count - 1, 0))
    let texts = items.isEmpty ? [open + close] : [open] + between + [close]
    return .node(texts: texts, children: items, isPrimary: true)
  }

  /// `target.name(a, b, …)`.
  static func method(_ target: Sketch, _ name: String, _ arguments: [Sketch]) -> Sketch {
    guard !arguments.isEmpty else {
      return .node(texts: ["", ".\(name)()"], children: [target], isPrimary: true)
    }
    let between = Array(repeating: ", ", count: arguments.count - 1)
    return .node(
      texts: ["", ".\(name)("] + between + [")"], children: [target] + arguments,
      isPrimary: true)
  }

  static func map(_ entries: [(Sketch, Sketch)]) -> Sketch {
    guard !entries.isEmpty else { return .leaf("{}") }
    var texts = ["{"]
    for index in entries.indices { texts += [": ", index == entries.count - 1 ? "}" : ", "] }
    return .node(texts: texts, children: entries.flatMap { [$0.0, $0.1] }, isPrimary: true)
  }

  /// The expression's text.
  var text: String {
    var result = ""
    write(to: &result)
    return result
  }

  private func write(to result: inout String) {
    guard case .node(let texts, let children, _) = self else { return }
    result += texts[0]
    for (index, child) in children.enumerated() {
      guard case .node(_, _, let isPrimary) = child else { continue }
      // Inside brackets and between commas no parentheses are needed.
      let isEnclosed =
        "[({,:".contains(texts[index].filter { $0 != " " }.last ?? " ")
        && "])},:".contains(texts[index + 1].first { $0 != " " } ?? " ")
      let isBare = isPrimary || isEnclosed && !texts[0].isEmpty
      if !isBare { result += "(" }
      child.write(to: &result)
      if !isBare { result += ")" }
      result += texts[index + 1]
    }
  }

  // MARK: Shrinking

  /// Smaller expressions: a child instead of the whole, or one child made smaller, or left out of a
  /// row.
  var smaller: [Sketch] {
    guard case .node(let texts, let children, let isPrimary) = self else { return [] }
    var result = children
    if children.isEmpty {
      return texts == ["1"] || texts == ["null"] ? [] : [.leaf("1"), .leaf("null")]
    }
    result += [.leaf("1"), .leaf("null")]
    for (index, child) in children.enumerated() {
      if children.count > 1, index > 0, texts[index] == texts[1] || index == children.count - 1,
        !texts[index].contains(":"), !texts[index].contains("?"), !texts[index].contains("[")
      {
        var texts = texts
        var rest = children
        rest.remove(at: index)
        let separator = texts.remove(at: index)
        if index == 1, separator.hasSuffix("(") { texts[index] = separator + texts[index] }
        if texts.count == rest.count + 1 {
          result.append(.node(texts: texts, children: rest, isPrimary: isPrimary))
        }
      }
      for candidate in child.smaller {
        var children = children
        children[index] = candidate
        result.append(.node(texts: texts, children: children, isPrimary: isPrimary))
      }
    }
    return result
  }

  /// The smallest expression found that still has the property.
  func shrunk(while property: (Sketch) -> Bool) -> Sketch {
    var best = self
    var attempts = 0
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      let length = best.text.utf8.count
      for candidate in best.smaller.sorted(by: { $0.text.utf8.count < $1.text.utf8.count }) {
        guard candidate.text.utf8.count < length else { break }
        attempts += 1
        guard attempts < 3_000 else { return best }
        if property(candidate) {
          best = candidate
          isSmaller = true
          break
        }
      }
    }
    return best
  }
}
