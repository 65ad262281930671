import ExpressionEngine
import ExpressionSyntax

/// Reads what a condition needs to know of each value that it reads, or why that is unknown.
struct ConditionScan {
  let outline: FilterOutline
  let tree: SyntaxTree
  let environment: FilterEnvironment
  let legacyKeys: Set<String>

  /// The values that are read, in source order.
  private(set) var reads: [Source] = []
  /// The properties of each value that the condition depends on.
  private(set) var needs: [Source: Needs] = [:]
  /// Why the condition may differ for values of one class; `nil` if it does not.
  private(set) var reason: FreePart.Reason?

  /// Loop variables over constants, with the elements.
  typealias Scope = [String: [Value]]

  /// The kind of an operand.
  enum Term {
    case source(Source)
    case size(Source)
    case constants([Value])
    /// Nothing that reads a value by itself.
    case other
  }

  private static let maximumDepth = 64
  /// The most values that a constant operand may have, by the loops around it.
  static let maximumConstants = 256

  init(_ outline: FilterOutline, _ node: NodeID, legacyKeys: Set<String>) {
    self.outline = outline
    tree = outline.tree
    environment = outline.environment
    self.legacyKeys = legacyKeys
    scan(node, isTruthOnly: true, [:], depth: 0)
  }

  private mutating func fail(_ reason: FreePart.Reason) { self.reason = self.reason ?? reason }

  private mutating func add(
    _ source: Source, _ change: (inout Needs) -> FreePart.Reason? = { _ in nil }
  ) {
    if needs[source] == nil { reads.append(source) }
    if let reason = change(&needs[source, default: Needs()]) { fail(reason) }
  }

  // MARK: Conditions

  /// - Parameter isTruthOnly: Whether only the truth of the value counts, and not the value itself.
  private mutating func scan(_ id: NodeID, isTruthOnly: Bool, _ scope: Scope, depth: Int) {
    guard depth < Self.maximumDepth else {
      fail(.depth)
      return
    }
    switch term(id, scope) {
    case .constants: return
    case .source(let source):
      add(source) {
        $0.test()
        return nil
      }
      if !isTruthOnly { fail(.calculation) }
      return
    case .size(let source):
      add(source) {
        $0.sizes.insert(0)
        $0.expected.insert(.list)
        return nil
      }
      if !isTruthOnly { fail(.calculation) }
      return
    case .other: break
    }
    switch outline.form(of: id) {
    case .all(let operands):
      for operand in operands { scan(operand, isTruthOnly: true, scope, depth: depth + 1) }
    case .any(let operands):
      for operand in operands { scan(operand, isTruthOnly: isTruthOnly, scope, depth: depth + 1) }
    case .not(let operand), .doubleNot(let operand):
      scan(operand, isTruthOnly: true, scope, depth: depth + 1)
    case .conditional(let condition, let first, let second):
      scan(condition, isTruthOnly: true, scope, depth: depth + 1)
      scan(first, isTruthOnly: isTruthOnly, scope, depth: depth + 1)
      scan(second, isTruthOnly: isTruthOnly, scope, depth: depth + 1)
    case .condition: scanCondition(id, scope, depth)
    }
  }

  private mutating func scanCondition(_ id: NodeID, _ scope: Scope, _ depth: Int) {
    switch outline.shape(of: id) {
    case .comparison(let op, let left, let right): scanComparison(op, left, right, scope, depth)
    case .presence(let operand):
      if case .source(let source) = term(operand, scope) { return add(source) }
      giveUp(all: [operand], .calculation, scope)
    case .search(let name, in: let subject, for: let wanted):
      scanSearch(name, subject, wanted, scope)
    case .loop(let loop): scanLoop(loop, scope, depth)
    case .hostCall(let arguments): giveUp(all: arguments, .function, scope)
    case .call(let name, let operands):
      switch name {
      case "matches" where operands.count == 2: scanPattern(operands[0], operands[1], scope)
      case "matches", "find", "findAll": giveUp(all: operands, .pattern, scope)
      case _ where ScopedCall.loops.contains(name):
        var scope = scope
        _ = hideVariable(of: tree[id], in: &scope)
        giveUp(all: operands, .comprehension, scope)
      default: giveUp(all: operands, .calculation, scope)
      }
    case .value, .other:
      giveUp(id, tree[id].kind == .index ? .structure : .calculation, scope)
    }
  }

  /// Notes everything that is read under a node whose value the classes do not decide.
  private mutating func giveUp(
    _ id: NodeID, _ reason: FreePart.Reason, _ scope: Scope
  ) {
    fail(reason)
    var scope = scope
    var work = [id]
    var reader: NodeID?
    while let next = work.popLast() {
      if let name = hideVariable(of: tree[next], in: &scope), let known = reader,
        tree[known].kind == .identifier, tree.name(of: tree[known]) == name
      {
        reader = nil
      }
      switch term(next, scope, reader: &reader) {
      case .source(let source), .size(let source): add(source)
      case .constants: break
      case .other:
        work += tree.parts(of: tree[next]).reversed()
      }
    }
    if reads.count > 1, self.reason == .calculation { self.reason = .severalAttributes }
  }

  private mutating func scanComparison(
    _ op: Operator, _ left: NodeID, _ right: NodeID, _ scope: Scope, _ depth: Int
  ) {
    switch (term(left, scope), term(right, scope)) {
    case (.source(let source), .constants(let values)):
      op == .in ? addMembership(of: source, in: values) : addComparison(source, values)
    case (.constants(let values), .source(let source)):
      op == .in ? addSearch(in: source, for: values) : addComparison(source, values)
    case (.size(let source), .constants(let values)), (.constants(let values), .size(let source)):
      if op == .in {
        giveUp(left, .calculation, scope)
        giveUp(right, .calculation, scope)
      } else {
        addSize(of: source, values)
      }
    case (.other, .constants), (.constants, .other), (.other, .other):
      // Conditions that are compared: the classes decide their values, if they are bools.
      for operand in [left, right] where !isConstant(operand, scope) {
        scan(operand, isTruthOnly: false, scope, depth: depth + 1)
      }
    default:
      giveUp(left, .severalAttributes, scope)
      giveUp(right, .severalAttributes, scope)
    }
  }

  private mutating func addComparison(_ source: Source, _ values: [Value]) {
    add(source) { needs in
      var reason: FreePart.Reason?
      for value in values { reason = needs.compare(with: value) ?? reason }
      return reason
    }
  }

  /// `source in constant`.
  private mutating func addMembership(of source: Source, in values: [Value]) {
    for value in values {
      switch value {
      case .list(let elements): addComparison(source, elements)
      // A search in a text or in the keys of a constant map.
      default: add(source) { _ in .structure }
      }
    }
  }

  /// `constant in source` and `source.contains(constant)`.
  ///
  /// - Parameter suggestsText: Whether it looks like a search in a text.
  private mutating func addSearch(
    in source: Source, for values: [Value], suggestsText: Bool = false
  ) {
    add(source) { needs in
      for value in values {
        guard let element = Needs.Element(value) else { return .structure }
        needs.elements.insert(element)
        needs.expected.insert(.list)
        if suggestsText { needs.expected.insert(.text) }
        if case .text(let text) = element { needs.infixes.insert(text) }
      }
      return nil
    }
  }

  private mutating func addSize(of source: Source, _ values: [Value]) {
    add(source) { needs in
      needs.expected.insert(.list)
      for value in values {
        guard let number = value.exactNumber else { continue }
        // Sizes are whole; a fraction lies between two of them.
        let floor = number.rounded(.down)
        guard floor.magnitude <= Double(Self.maximumSize) else { return .tooManyClasses }
        needs.sizes.insert(Int(floor))
        if floor != number { needs.sizes.insert(Int(floor) + 1) }
      }
      return nil
    }
  }

  /// The largest size that texts and lists are made of to stand for others.
  private static let maximumSize = 1_000

  // MARK: Calls

  private mutating func giveUp(
    all ids: [NodeID], _ reason: FreePart.Reason, _ scope: Scope
  ) {
    fail(reason)
    for id in ids { giveUp(id, reason, scope) }
  }

  /// `subject.startsWith(constant)`, or with the subject as the first argument.
  private mutating func scanSearch(
    _ name: String, _ subject: NodeID, _ wanted: NodeID, _ scope: Scope
  ) {
    switch (term(subject, scope), term(wanted, scope)) {
    case (.source(let source), .constants(let values)) where name == "contains":
      let isLiteral = tree[wanted].kind == .stringLiteral
      addSearch(in: source, for: values, suggestsText: isLiteral)
    case (.source(let source), .constants(let values)):
      add(source) { needs in
        for value in values {
          guard case .string(let text) = value else { continue }
          needs.expected.insert(.text)
          if name == "startsWith" {
            needs.prefixes.insert(text.codePoints)
          } else {
            needs.suffixes.insert(text.codePoints)
          }
        }
        return nil
      }
    case (.constants(let values), .source(let source)) where name == "contains":
      addMembership(of: source, in: values)
    default: giveUp(all: [subject, wanted], .severalAttributes, scope)
    }
  }

  /// `subject.matches(constant)`; classes of texts decide patterns of plain texts alone.
  private mutating func scanPattern(_ subject: NodeID, _ pattern: NodeID, _ scope: Scope) {
    guard case .source(let source) = term(subject, scope),
      case .constants(let values) = term(pattern, scope)
    else { return giveUp(all: [subject, pattern], .pattern, scope) }
    let patterns = values.map { value -> PlainPattern? in
      if case .string(let text) = value { PlainPattern(text) } else { nil }
    }
    add(source) { needs in
      for pattern in patterns {
        guard let pattern else { return .pattern }
        needs.expected.insert(.text)
        for (text, place) in pattern.searches {
          switch place {
          case .whole: needs.texts.insert(text)
          case .start: needs.prefixes.insert(text)
          case .end: needs.suffixes.insert(text)
          case .anywhere: needs.infixes.insert(text)
          }
        }
      }
      return nil
    }
  }

  /// A loop over constants, in whose body the variable has their values.
  private mutating func scanLoop(_ loop: FilterOutline.Loop, _ scope: Scope, _ depth: Int) {
    var scope = scope
    guard case .constants(let ranges) = term(loop.range, scope) else {
      scope[loop.variable] = []
      return giveUp(all: [loop.range, loop.body], .comprehension, scope)
    }
    var elements: [Value] = []
    // One more than counts shows that there are too many.
    for range in ranges where elements.count <= Self.maximumConstants {
      switch range {
      case .list(let values): elements += values.prefix(Self.maximumConstants + 1)
      case .map(let entries):
        elements += entries.keys.prefix(Self.maximumConstants + 1).map { $0.value }
      default: break  // The loop fails, or the engine says what it does.
      }
    }
    scope[loop.variable] = elements
    // The body's value may end the loop, so that it must be a bool or follow from its class.
    scan(loop.body, isTruthOnly: false, scope, depth: depth + 1)
  }

  /// Takes the variable of a loop for no attribute.
  ///
  /// - Returns: Its name, if the node is a loop.
  private func hideVariable(of node: SyntaxNode, in scope: inout Scope) -> String? {
    guard node.kind == .call, ScopedCall.loops.contains(tree.name(of: node)) else { return nil }
    let operands = tree.operands(of: node)
    guard operands.count > 1 else { return nil }
    let variable = tree[operands[1]]
    guard variable.kind == .identifier else { return nil }
    let name = tree.name(of: variable)
    scope[name] = []
    return name
  }
}
