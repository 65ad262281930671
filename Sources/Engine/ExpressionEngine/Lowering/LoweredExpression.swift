package import ExpressionSyntax

/// A filter in its intermediate form, for back ends outside this module: nodes in post-order, with
/// the rules of the dialect made explicit, and constants as values.
///
/// It is equivalent to ``IR``, whose slots borrow memory.
package struct LoweredExpression: Sendable {
  /// A node and the source that it was created from.
  package struct Node: Sendable {
    /// The operation of the node.
    package let kind: Kind
    /// The source that the node was created from.
    package let span: SourceSpan
  }

  /// The operation of a node. Numbers refer to other nodes, in ``LoweredExpression/nodes``;
  /// ``IRKind`` documents the meaning.
  package enum Kind: Sendable {
    case constant(Value)
    case variable(String, isOptional: Bool)
    case attribute(root: String, name: String, MissingPolicy, rootIsOptional: Bool)
    case local(Int)
    case member(Int, String, MissingPolicy)
    case element(Int, Int)
    case comparison(ComparisonMask, Int, Int, missing: Int?)
    case readings(ComparisonMask, Int, [Value], missing: Int?)
    case membership(Int, Int, missing: Int?)
    case setMembership(Int, [Value], missing: Int?)
    case arithmetic(ArithmeticOperator, Int, Int)
    case negate(Int)
    case number(Int)
    case not(Int, isStrict: Bool)
    case truth(Int)
    case conjunction([Int])
    case disjunction([Int])
    case absorbingAnd([Int])
    case absorbingOr([Int])
    case conditional(Int, Int, Int, isStrict: Bool)
    case list([Int])
    case map([Int])
    case call(Int, [Int])
    case hostCall(table: String, name: String, [Int])
    case loop(LoopKind, range: Int, body: Int, local: Int)
    case rescue(RescueClass, Int, instead: Int)
    case sequence(Int, Int)
    case expect(Int, SlotKinds, FailureCode)
    case raise(FailureCode)
    case overlay(Int, Int)
    case absorbReferences(Int)
    case bind(Int, local: Int, in: Int)
    case lazyBind(first: Int, [Int], in: Int)
    case name([Candidate], last: Int, lastFields: [String])
    case comprehension(
      Comprehension.Kind, range: Int, first: Int, second: Int?, filter: Int?, body: Int)
    case optionalEntry(Int)
  }

  /// A variable that a dotted name may stand for, and the fields selected from it.
  package struct Candidate: Sendable {
    /// The full name of the variable, including dots.
    package let variable: String
    /// The remaining fields.
    package let fields: [String]
  }

  /// The nodes. Operands precede the nodes that use them; the last node is the whole filter.
  package let nodes: [Node]
  /// The names of the library functions, by number, as the lowering pass resolved them.
  package var functionNames: [String] { functions.map { $0.name } }
  /// Whether the rules are those of the superscript dialect.
  package var isSuperscript: Bool { rules.contains(.normalizesAnswers) }

  private let functions: [FunctionDefinition]
  private let rules: ValueRules

  /// Parses and lowers a filter.
  ///
  /// - Throws: ``FilterError`` with everything that is wrong with the text.
  package init(
    _ source: SourceText, environment: FilterEnvironment
  ) throws(FilterError) {
    let tree: SyntaxTree
    do throws(SyntaxError) {
      tree = try parse(source, dialect: environment.dialect, limits: environment.parserLimits)
    } catch {
      throw FilterError(source: source, diagnostics: error.diagnostics)
    }
    let ir = try Lowering.lower(tree, environment: environment).takeIR()
    var nodes: [Node] = []
    nodes.reserveCapacity(ir.nodes.count)
    for node in ir.nodes.elements { nodes.append(Node(kind: ir.kind(of: node), span: node.span)) }
    self.nodes = nodes
    functions = ir.functions
    rules = ir.rules
  }
}

extension LoweredExpression {
  /// The classes of failures that are handled differently.
  package enum FailureClass: UInt8, Sendable, Hashable, CaseIterable {
    /// ``FailureCode/noSuchKey``, which some nodes rescue.
    case missingKey
    /// A failure that the superscript dialect reports as null.
    case reference
    /// Any other failure.
    case other
  }

  /// The outcome of an operation on constants.
  package enum Outcome: Sendable {
    case value(Value)
    case failure(FailureClass)
  }

  /// Returns `left op right`, computed as by the machine.
  package func compare(_ mask: ComparisonMask, _ left: Value, _ right: Value) -> Outcome {
    run([left, right]) { machine, slots in machine.compare(mask, slots[0], slots[1]) }
  }

  /// Returns `left in right`, computed as by the machine.
  package func membership(_ left: Value, in right: Value) -> Outcome {
    run([left, right]) { machine, slots in machine.membership(slots[0], in: slots[1]) }
  }

  /// Returns `left op right`, computed as by the machine.
  package func arithmetic(_ op: ArithmeticOperator, _ left: Value, _ right: Value) -> Outcome {
    run([left, right]) { machine, slots in machine.arithmetic(op, slots[0], slots[1]) }
  }

  /// Returns `-value`, computed as by the machine.
  package func negate(_ value: Value) -> Outcome {
    run([value]) { machine, slots in machine.negate(slots[0]) }
  }

  /// Returns `receiver[index]`, computed as by the machine.
  package func element(of receiver: Value, at index: Value) -> Outcome {
    run([receiver, index]) { machine, slots in machine.element(of: slots[0], at: slots[1]) }
  }

  /// Returns the result of a library function, computed as by the machine.
  package func call(_ number: Int, _ arguments: [Value]) -> Outcome {
    guard functions.indices.contains(number), case .function(let builtin) = functions[number].form
    else { return .failure(.other) }
    return run(arguments) { machine, slots in builtin(&machine, slots) }
  }

  private func run(
    _ operands: [Value],
    _ operation: (inout Machine, UnsafeBufferPointer<Slot>) -> Slot
  ) -> Outcome {
    var machine = Machine(rules: rules, limits: .standard)
    var slots: [Slot] = []
    for operand in operands {
      guard let slot = Slot.make(operand, in: &machine.arena) else { return .failure(.other) }
      slots.append(slot)
    }
    let result = slots.withUnsafeBufferPointer { operation(&machine, $0) }
    guard result.isA(.error) else { return .value(Value(result)) }
    if machine.failure.code == .noSuchKey { return .failure(.missingKey) }
    return .failure(machine.failure.isMissingReference ? .reference : .other)
  }
}

extension SlotKinds {
  /// Returns whether the set contains the kind of `value`.
  package func contains(kindOf value: Value) -> Bool {
    var arena = Arena(firstChunk: 128)
    return Slot.make(value, in: &arena).map { contains(tagOf: $0) } ?? false
  }
}

extension IR {
  fileprivate borrowing func kind(of node: IRNode) -> LoweredExpression.Kind {
    let first = Int(node.first)
    let second = Int(node.second)
    let missing = node.third == IRNode.none ? nil : Int(node.third)
    switch node.kind {
    case .constant: return .constant(Value(constants[first]))
    case .variable:
      return .variable(name(of: node.first), isOptional: attributes[first].rootIsOptional)
    case .attribute:
      let reference = attributes[first]
      let root = Root.allCases[Int(reference.root) % ContextStorage.rootCount]
      return .attribute(
        root: root.name, name: name(of: node.first), policy(of: node),
        rootIsOptional: reference.rootIsOptional)
    case .local, .lazyLocal: return .local(first)
    case .member: return .member(first, name(of: node.second), policy(of: node))
    case .element: return .element(first, second)
    case .compare:
      let mask = ComparisonMask(bits: node.mask)
      if node.detail == 1, case .list(let readings)? = constant(node.second) {
        return .readings(mask, first, readings, missing: missing)
      }
      return .comparison(mask, first, second, missing: missing)
    case .membership:
      if node.detail == 1, case .map(let set)? = constant(node.second) {
        return .setMembership(first, set.keys.map { $0.value }, missing: missing)
      }
      return .membership(first, second, missing: missing)
    case .arithmetic:
      return .arithmetic(ArithmeticOperator(rawValue: node.detail) ?? .add, first, second)
    case .negate: return .negate(first)
    case .number: return .number(first)
    case .not: return .not(first, isStrict: node.detail != 0)
    case .truth: return .truth(first)
    case .conjunction: return .conjunction(operands(of: node))
    case .disjunction: return .disjunction(operands(of: node))
    case .absorbingAnd: return .absorbingAnd(operands(of: node))
    case .absorbingOr: return .absorbingOr(operands(of: node))
    case .conditional:
      return .conditional(first, second, Int(node.third), isStrict: node.detail != 0)
    case .list: return .list(operands(of: node))
    case .map: return .map(operands(of: node))
    case .call: return .call(first, operands(of: node))
    case .hostCall:
      let function = hostFunctions[first]
      return .hostCall(table: function.table, name: function.name, operands(of: node))
    case .loop:
      return .loop(
        LoopKind(rawValue: node.detail) ?? .all, range: first, body: second,
        local: Int(node.third))
    case .rescue:
      return .rescue(RescueClass(rawValue: node.detail) ?? .any, first, instead: second)
    case .sequence: return .sequence(first, second)
    case .expect:
      return .expect(
        first, SlotKinds(rawValue: node.second),
        FailureCode(rawValue: UInt8(truncatingIfNeeded: node.third)) ?? .unexpectedType)
    case .raise:
      return .raise(FailureCode(rawValue: UInt8(truncatingIfNeeded: node.first)) ?? .undeclared)
    case .overlay: return .overlay(first, second)
    case .absorbReferences: return .absorbReferences(first)
    case .bind: return .bind(first, local: second, in: Int(node.third))
    case .lazyBind:
      let parts = operands(of: node)
      return .lazyBind(first: first, Array(parts.dropLast()), in: parts.last ?? 0)
    case .name: return nameKind(names[first])
    case .comprehension:
      let loop = comprehensions[first]
      return .comprehension(
        loop.kind, range: Int(loop.range), first: Int(loop.firstLocal),
        second: loop.secondLocal.map { Int($0) }, filter: loop.filter.map { Int($0) },
        body: Int(loop.body))
    case .optionalEntry: return .optionalEntry(first)
    }
  }

  private borrowing func nameKind(_ resolution: NameResolution) -> LoweredExpression.Kind {
    let fields = resolution.fields.map { name(of: $0) }
    return .name(
      resolution.candidates.map { candidate in
        LoweredExpression.Candidate(
          variable: name(of: candidate.attribute),
          fields: Array(fields.dropFirst(candidate.coveredFields)))
      },
      last: Int(resolution.last),
      lastFields: Array(fields.dropFirst(resolution.lastCoveredFields)))
  }

  private borrowing func operands(of node: IRNode) -> [Int] { children(of: node).map { Int($0) } }

  private borrowing func name(of attribute: UInt32) -> String {
    attributes[Int(attribute)].name.text
  }

  private borrowing func policy(of node: IRNode) -> MissingPolicy {
    MissingPolicy(rawValue: node.detail) ?? .null
  }

  private borrowing func constant(_ id: UInt32) -> Value? {
    let node = nodes[Int(id)]
    return node.kind == .constant ? Value(constants[Int(node.first)]) : nil
  }
}
