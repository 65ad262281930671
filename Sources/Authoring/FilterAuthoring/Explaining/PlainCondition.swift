import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// A condition on one attribute whose requirement can be worded: a comparison with a constant, a
/// truth value, a search in a text or a list.
struct PlainCondition {
  /// A value to try for an attribute; `nil` to remove the attribute.
  struct Candidate {
    let value: Value?
  }

  /// The attribute, or the call of a function of the app.
  let target: ChangeTarget
  private let relation: FilterOutline.Relation
  private let tree: SyntaxTree

  /// Creates a plain condition from a node.
  ///
  /// - Returns: `nil` if the node is not a plain condition.
  init?(_ id: NodeID, in outline: FilterOutline) {
    guard let relation = outline.relation(of: id),
      let target = ChangeTarget(relation.subject, in: outline)
    else { return nil }
    switch relation {
    // `has` of anything but a member is always true.
    case .presence(let operand) where outline.tree[operand].kind != .select: return nil
    case .comparison(let comparison) where comparison.op == .in:
      guard case .list = comparison.value else { return nil }
    default: break
    }
    self.target = target
    self.relation = relation
    tree = outline.tree
  }

  // MARK: Words and values

  /// Returns the condition's requirement on the attribute, in words.
  func requirement(wanted: Bool, current: Value?) -> String {
    switch relation {
    case .comparison(let comparison) where comparison.op == .in:
      return (wanted ? "one of " : "none of ") + text(comparison.constant)
    case .comparison(let comparison):
      let op = wanted ? comparison.op : comparison.op.negated
      return Self.kindNeeded(comparison.value, current)
        + "\(op.spelling) \(text(comparison.constant))"
    case .size(of: _, let comparison):
      let op = wanted ? comparison.op : comparison.op.negated
      return "a size \(op.spelling) \(text(comparison.constant))"
    case .truth: return "\(wanted)"
    case .presence: return wanted ? "a value" : "to be missing"
    case .search(let function, in: _, _, let written):
      let verb = ["startsWith": "start with", "endsWith": "end with"][function] ?? "contain"
      return (wanted ? "to " : "not to ") + "\(verb) \(text(written))"
    case .elements(_, let written, in: _):
      return (wanted ? "to contain " : "not to contain ") + text(written)
    }
  }

  private func text(_ id: NodeID) -> String { tree.text(ofNode: id) }

  /// Returns the words for a value of the wrong kind: a text that looks like a number is not a
  /// number.
  private static func kindNeeded(_ constant: Value, _ current: Value?) -> String {
    switch (constant, current) {
    case (.int, .string), (.double, .string), (.uint, .string): "a number "
    case (.string, .int), (.string, .double), (.string, .uint): "a text "
    default: ""
    }
  }

  /// Adds what the condition mentions, for finding a value with which several conditions hold.
  func collect(into values: inout CandidateValues, wanted: Bool) {
    switch relation {
    case .comparison(let comparison):
      for constant in comparison.constants { Self.add(constant, to: &values) }
    case .size(of: _, let comparison):
      if case .int(let size) = comparison.value { values.sizes.append(Int(clamping: size)) }
    case .search(let function, in: _, .string(let text), _):
      switch (function, wanted) {
      case ("startsWith", true): values.prefixes.append(text)
      case ("endsWith", true): values.suffixes.append(text)
      case (_, true):
        values.parts.append(text)
        values.elements.append(.string(text))
      case (_, false): values.unwanted.append(.string(text))
      }
    case .search(_, in: _, let element, _):
      if wanted { values.elements.append(element) } else { values.unwanted.append(element) }
    case .elements(let constants, _, in: _):
      if wanted { values.elements += constants } else { values.unwanted += constants }
    case .truth, .presence: break
    }
  }

  private static func add(_ constant: Value, to values: inout CandidateValues) {
    switch constant {
    case .string(let text): values.texts.append(text)
    case .double(let number):
      values.numbers.append(number)
      values.hasDoubles = true
    default: if let number = constant.plainNumber { values.numbers.append(number) }
    }
  }

  /// Returns values that may meet the requirement, the most natural first.
  func candidates(wanted: Bool, current: Value?) -> [Candidate] {
    let values: [Value?]
    switch relation {
    case .comparison(let comparison) where comparison.op == .in && wanted:
      values = comparison.constants.map { $0 }
    case .comparison(let comparison):
      values = comparison.constants.flatMap { Self.values(near: $0) }
    case .size(of: _, let comparison): values = Self.values(ofSize: comparison.value, current)
    case .truth: values = [.bool(wanted)]
    case .presence: values = wanted ? [.bool(true)] : [nil]
    case .search(let function, in: _, let constant, _):
      if case .list(let elements)? = current, function == "contains" {
        values = [.list(elements + [constant]), .list(elements.filter { $0 != constant })]
      } else {
        values = wanted ? [constant, .list([constant])] : [.string(""), .list([])]
      }
    case .elements(let constants, _, in: _):
      var elements: [Value] = []
      if case .list(let existing)? = current { elements = existing }
      values =
        wanted
        ? [.list(elements + constants.filter { !elements.contains($0) })]
        : [.list(elements.filter { !constants.contains($0) })]
    }
    return values.map { Candidate(value: $0) }
  }

  private static func values(near constant: Value) -> [Value?] {
    switch constant {
    case .int(let number):
      return [constant, .int(number &+ 1), .int(number &- 1)]
    case .uint(let number):
      return [constant, .uint(number &+ 1), .uint(number == 0 ? 0 : number &- 1)]
    case .double(let number): return [constant, .double(number + 1), .double(number - 1)]
    case .bool(let truth): return [constant, .bool(!truth)]
    case .string(let text):
      var values: [Value?] = [constant, .string(text + "a"), .string("")]
      if let last = text.unicodeScalars.last, let lower = Unicode.Scalar(last.value &- 1) {
        var scalars = text.unicodeScalars
        scalars.removeLast()
        scalars.append(lower)
        values.append(.string(String(scalars)))
      }
      return values
    case .null: return [nil, .null, .string("a")]
    default: return [constant]
    }
  }

  private static func values(ofSize constant: Value, _ current: Value?) -> [Value?] {
    guard case .int(let size) = constant, size >= 0, size <= 16 else { return [] }
    return [size, size + 1, size - 1].filter { $0 >= 0 }.map { count in
      if case .string? = current { return .string(String(repeating: "a", count: Int(count))) }
      var elements: [Value] = []
      if case .list(let existing)? = current { elements = Array(existing.prefix(Int(count))) }
      while elements.count < Int(count) { elements.append(.string("item \(elements.count + 1)")) }
      return .list(elements)
    }
  }
}
