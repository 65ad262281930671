import ExpressionSyntax

// Names: scopes, containers, dotted variables, types (docs/spec/cel.md §3).

extension CELLowering {
  /// The maximum number of fields of a dotted name that can belong to the name of a variable.
  /// Further fields are always selections, so that a long chain of them is cheap.
  private static let maximumDottedFields = 16

  /// Returns the names of a dotted name, from the left, and whether it starts with a dot.
  func parts(of id: NodeID) -> (names: [String], isRooted: Bool) {
    var names: [String] = []
    var node = tree[id]
    while node.kind == .select {
      names.append(tree.name(of: node))
      node = tree[NodeID(node.first)]
    }
    names.append(tree.name(of: node))
    return (names.reversed(), node.flags.contains(.leadingDot))
  }

  /// Returns the binding of a name in scope.
  func binding(named name: String) -> Binding? { scope[name]?.last }

  /// Returns the IR node of a name in scope.
  mutating func use(_ binding: Binding, span: SourceSpan) -> UInt32 {
    switch binding {
    case .local(let number): ir.add(IRNode(kind: .local, span: span, first: number))
    case .lazyLocal(let number): ir.add(IRNode(kind: .lazyLocal, span: span, first: number))
    case .constant(let slot): ir.constant(slot, span: span)
    }
  }

  /// `operand.name`.
  mutating func member(_ node: SyntaxNode, of operand: UInt32) -> UInt32 {
    let number = ir.attribute(root: .other, name: tree.nameBytes(of: node))
    return ir.add(
      IRNode(
        kind: .member, detail: MissingPolicy.fail.rawValue, span: node.span, first: operand,
        second: number))
  }

  /// Lowers a name or a dotted name.
  mutating func lowerName(_ id: NodeID) -> UInt32 {
    let (names, isRooted) = parts(of: id)
    let span = tree[id].span
    if !isRooted, let binding = binding(named: names[0]) {
      return selecting(names.dropFirst(), from: use(binding, span: span), span: span)
    }
    let resolution = resolve(names, isRooted: isRooted, span: span)
    guard !resolution.candidates.isEmpty else {
      let rest = names.dropFirst(1 + resolution.lastCoveredFields)
      return selecting(rest, from: resolution.last, span: span)
    }
    ir.names.append(resolution)
    return ir.add(
      IRNode(
        kind: .name, span: span, first: UInt32(truncatingIfNeeded: ir.names.count &- 1)))
  }

  private mutating func selecting(
    _ names: ArraySlice<String>, from operand: UInt32, span: SourceSpan
  ) -> UInt32 {
    var result = operand
    for name in names {
      result = ir.add(
        IRNode(
          kind: .member, detail: MissingPolicy.fail.rawValue, span: span, first: result,
          second: attribute(named: name)))
    }
    return result
  }

  private mutating func attribute(_ root: Root = .other, named name: String) -> UInt32 {
    var name = name
    return name.withUTF8 { ir.attribute(root: root, name: $0) }
  }

  /// Returns the variables that a name may stand for: longest first, each in every scope of the
  /// container.
  private mutating func resolve(
    _ names: [String], isRooted: Bool, span: SourceSpan
  ) -> NameResolution {
    let fieldCount = names.count - 1
    var candidates: [NameResolution.Candidate] = []
    let prefixes = isRooted ? [""] : prefixes
    let dottedFields = min(fieldCount, Self.maximumDottedFields)
    let layer = Root(layerNamed: names[0])
    if let (name, covered) = declaredVariable(names[...dottedFields], in: prefixes),
      layer == nil || name != names[0]
    {
      return finished(names, [], variable(named: name, span: span), covered)
    }
    for covered in (0...dottedFields).reversed() {
      let suffix = names[...covered].joined(separator: ".")
      for prefix in prefixes {
        let name = prefix + suffix
        if prefix.isEmpty, covered <= 1, let layer {
          // One probe finds an attribute of a layer; the machine looks up a dotted variable itself.
          if covered == 1 { continue }
          guard fieldCount > 0 else { break }
          let attribute = ir.add(
            IRNode(
              kind: .attribute, detail: MissingPolicy.fail.rawValue, span: span,
              first: attribute(layer, named: names[1])))
          return finished(names, candidates, attribute, 1)
        }
        if let type = library.type(named: name) {
          candidates.append(candidate(name, covered))
          return finished(names, candidates, constant(type: type, span: span), covered)
        }
        if covered > 0 || !prefix.isEmpty { candidates.append(candidate(name, covered)) }
      }
    }
    return finished(names, candidates, variable(named: names[0], span: span), 0)
  }

  /// Returns the declared variable that a name starts with, and the number of fields it covers.
  private func declaredVariable(
    _ names: ArraySlice<String>, in prefixes: [String]
  ) -> (name: String, coveredFields: Int)? {
    guard !declaredVariables.isEmpty else { return nil }
    for covered in names.indices.reversed() {
      let suffix = names[...covered].joined(separator: ".")
      for prefix in prefixes where declaredVariables.contains(prefix + suffix) {
        return (prefix + suffix, covered)
      }
    }
    return nil
  }

  private mutating func candidate(
    _ name: String, _ covered: Int
  ) -> NameResolution.Candidate {
    NameResolution.Candidate(attribute: attribute(named: name), coveredFields: covered)
  }

  private mutating func variable(named name: String, span: SourceSpan) -> UInt32 {
    ir.add(IRNode(kind: .variable, span: span, first: attribute(named: name)))
  }

  /// Lowers the value of a layer's name if it is not a map of attributes, otherwise an empty map.
  mutating func valueInsteadOfLayer(_ layer: Root, span: SourceSpan) -> UInt32 {
    let nothing = ir.map([], span: span)
    ir.names.append(
      NameResolution(
        candidates: [candidate(layer.name, 0)], last: nothing, lastCoveredFields: 0, fields: []))
    return ir.add(
      IRNode(
        kind: .name, span: span, first: UInt32(truncatingIfNeeded: ir.names.count &- 1)))
  }

  private mutating func constant(type name: String, span: SourceSpan) -> UInt32 {
    var name = name
    return ir.constant(name.withUTF8 { ir.text($0, as: .type) }, span: span)
  }

  private mutating func finished(
    _ names: [String], _ candidates: [NameResolution.Candidate], _ last: UInt32, _ covered: Int
  ) -> NameResolution {
    let fields = candidates.isEmpty ? [] : names.dropFirst().map { attribute(named: $0) }
    return NameResolution(
      candidates: candidates, last: last, lastCoveredFields: covered, fields: fields)
  }

  // MARK: Functions with dotted names

  /// Returns the name of the library function that a method call spells when its receiver is a name
  /// space: `math.abs(x)`.
  func qualifiedName(of node: SyntaxNode) -> String? {
    let target = NodeID(node.first)
    guard isName(target) else { return nil }
    // The library's own name spaces are short.
    let root = tree[target]
    guard root.kind == .identifier || tree[NodeID(root.first)].kind == .identifier else {
      return nil
    }
    let (names, isRooted) = parts(of: target)
    let name = (names + [tree.name(of: node)]).joined(separator: ".")
    return functionName(name, isRooted: isRooted)
  }

  /// Returns the library's name of a function, looked up in the scopes of the container.
  func functionName(_ name: String, isRooted: Bool) -> String? {
    for prefix in isRooted ? [""] : prefixes where library[prefix + name] != nil {
      return prefix + name
    }
    return nil
  }
}
