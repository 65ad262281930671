import ExpressionSyntax

// source ─Tokenizer▶ tokens ─Parser▶ Syntax ─Lowering▶ [IR] ─Compiler▶ Program ─VM▶ Value

/// What an IR node does. Dialects are gone here: what differs between them is spelled out by the
/// choice of nodes, by their policies, and by the program's ``ValueRules``.
enum IRKind: UInt8 {
  /// A constant; `first` is its number in the pool.
  case constant
  /// A variable by its bare name; `first` is an attribute number. Fails when it is undeclared.
  case variable
  /// `root.name` in one probe; `first` is an attribute number.
  case attribute
  /// A loop variable or a bound value; `first` is its number.
  case local
  /// `operand.name`; `second` is an attribute number.
  case member
  /// `operand[index]`.
  case element
  /// `first mask second`; `third` replaces it when `first` is missing. With `detail` 1, `second` is a
  /// constant list of the two readings of a numeric string, and equal to either is equal.
  case compare
  /// `first in second`; `third` replaces it when `first` is missing. With `detail` 1, `second` is a
  /// constant set (see ``IR/comparison(_:_:_:missing:span:)``).
  case membership
  /// `first op second`.
  case arithmetic
  /// `-first`.
  case negate
  /// `first`, which must be a number.
  case number
  /// The opposite truth of `first`.
  case not
  /// The truth of `first`.
  case truth
  /// All children are evaluated; true if all are true.
  case conjunction
  /// The first child that is true, or else the last one.
  case disjunction
  /// `&&` that is false if any child is, failures or not.
  case absorbingAnd
  /// `||` that is true if any child is, failures or not.
  case absorbingOr
  /// `first ? second : third`.
  case conditional
  /// A list of the children.
  case list
  /// A map of the children, keys and values in turn.
  case map
  /// A library function; `first` is its number, the children are its arguments.
  case call
  /// A host function; `first` is its number, the children are its arguments.
  case hostCall
  /// A loop over the elements or keys of `first`; see ``LoopKind``. `second` is its body, `third` the
  /// number of its variable.
  case loop
  /// `first`, or `second` when it fails in a way that ``RescueClass`` names.
  case rescue
  /// `second`, after `first` was evaluated for its failures only.
  case sequence
  /// `first`, which must be of one of the kinds in `second` (a ``SlotKinds``); `third` is the
  /// ``FailureCode`` otherwise.
  case expect
  /// A failure with the code in `first`, about the constant in `second`, if there is one.
  case raise
  /// The map in `first`, under the entries of the map in `second`.
  case overlay
  /// `first`, or null when it fails for want of a variable or a function (docs/spec/superscript.md
  /// §15).
  case absorbReferences
  /// The local `second` holds the value of `first` while `third` is evaluated.
  case bind
  /// The last child; the children before it are the values of the locals from `first` on, each of
  /// them evaluated when it is first needed, and at most once.
  case lazyBind
  /// A local of a ``lazyBind``; `first` is its number.
  case lazyLocal
  /// A name that may be several variables; `first` is the number of its ``NameResolution``.
  case name
  /// A loop with strict rules; `first` is the number of its ``Comprehension``.
  case comprehension
  /// An element of a list or a value of a map that is left out when the optional `first` is empty.
  case optionalEntry
}

/// What to do when an attribute or member is missing.
package enum MissingPolicy: UInt8, Sendable, BitwiseCopyable {
  /// It is null.
  case null
  /// It fails with ``FailureCode/noSuchKey``.
  case fail
  /// It is the function of that name (docs/spec/superscript.md §2). Members only.
  case function
}

/// Which failures a rescue catches.
package enum RescueClass: UInt8, Sendable, BitwiseCopyable {
  /// Only ``FailureCode/noSuchKey``.
  case missingKey
  /// Every failure.
  case any
}

/// What a loop answers.
package enum LoopKind: UInt8, Sendable, BitwiseCopyable {
  /// False as soon as the body is false, else true; a body that is no bool counts as true.
  case all
  /// True as soon as the body is true, else false.
  case exists
  /// Whether the body is true exactly once.
  case existsOne
  /// How many elements make the body true.
  case count
  /// The elements whose body is true.
  case filter
  /// The values of the body.
  case map

  /// Whether the loop's value is a bool.
  var givesBool: Bool { self == .all || self == .exists || self == .existsOne }
}

/// A set of value kinds.
package struct SlotKinds: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ tag: SlotTag) { rawValue = 1 << UInt32(tag.rawValue) }

  package static let string = SlotKinds(.string)
  package static let int = SlotKinds(.int)
  package static let uint = SlotKinds(.uint)
  package static let double = SlotKinds(.double)
  package static let bool = SlotKinds(.bool)
  package static let list = SlotKinds(.list)
  package static let map = SlotKinds(.map)
  package static let any = SlotKinds(rawValue: .max)

  @inline(__always)
  func contains(tagOf slot: Slot) -> Bool { rawValue & (1 << UInt32(slot.tagByte)) != 0 }
}

/// One node of the IR; the meaning of the numbers is told at ``IRKind``.
struct IRNode {
  var kind: IRKind
  /// A ``MissingPolicy``, ``LoopKind``, ``RescueClass`` or ``ArithmeticOperator``.
  var detail: UInt8 = 0
  /// The ``ComparisonMask`` of a compare node; otherwise 0.
  var mask: UInt8 = 0
  /// Whether the node's value is always a bool, unless it fails; ``IR/add(_:)`` finds out.
  var isBool = false
  /// The source that the node stands for.
  var span: SourceSpan
  var first: UInt32 = 0
  var second: UInt32 = IRNode.none
  var third: UInt32 = IRNode.none

  static let none: UInt32 = .max
}

/// A name that is looked up in the context or in a map, with everything that the lookup needs.
struct AttributeReference {
  /// The hash of the name.
  var hash: UInt64
  /// The name, a string slot.
  var name: Slot
  /// Where a lookup in the context starts, as an index into ``ContextStorage/roots``.
  var root: UInt32
  /// Whether an absent root counts as an empty map.
  var rootIsOptional: Bool
}

/// A dotted name: the variables that it may be, and the fields that remain to be selected.
struct NameResolution {
  /// A variable that the name may start with.
  struct Candidate {
    /// The number of the variable's attribute.
    var attribute: UInt32
    /// How many of ``fields`` it covers.
    var coveredFields: Int
  }

  /// In the order in which they are tried.
  var candidates: [Candidate]
  /// What the name is when none of the candidates exists: a variable, an attribute or a constant.
  var last: UInt32
  /// How many of ``fields`` that covers.
  var lastCoveredFields: Int
  /// The attribute numbers of the names behind the first one.
  var fields: [UInt32]
}

/// A loop over a list or a map whose body and filter are strict.
package struct Comprehension: Sendable, BitwiseCopyable {
  /// What the loop answers.
  package enum Kind: UInt8, Sendable, BitwiseCopyable {
    /// False if the body is false for any element, failures or not.
    case all
    /// True if the body is true for any element, failures or not.
    case exists
    /// Whether the body is true exactly once.
    case existsOne
    /// The list of the values of the body.
    case list
    /// The map from the first variable to the value of the body.
    case map
    /// The map of the entries of the maps that the body yields.
    case entries

    /// Whether the loop's value is a bool.
    var givesBool: Bool { self == .all || self == .exists || self == .existsOne }
  }

  var kind: Kind
  /// The list or map.
  var range: UInt32
  /// The element or key; with two variables the index or key.
  var firstLocal: UInt32
  /// With two variables the element or the entry's value.
  var secondLocal: UInt32?
  /// What must be true for an element to count.
  var filter: UInt32?
  /// What is evaluated for each element.
  var body: UInt32
}

/// A program before code generation: nodes in post-order and the pools they refer to.
struct IR: ~Copyable {
  /// The memory of everything that is needed no longer than the program is being made.
  var scratch: Arena
  var nodes: ArenaArray<IRNode>
  /// Children of nodes with any number of them: `second` is the first slot, `third` the count.
  var children = ArenaArray<UInt32>()
  var constants: ArenaArray<Slot>
  var attributes: ArenaArray<AttributeReference>
  /// Library functions, by number.
  var functions: [FunctionDefinition] = []
  /// Host functions, by number.
  var hostFunctions: [HostFunctionReference] = []
  /// The number of locals that are used.
  var localCount = 0
  /// Names that may be several variables, by number.
  var names: [NameResolution] = []
  /// Loops with strict rules, by number.
  var comprehensions = ArenaArray<Comprehension>()
  /// The memory of constants and names.
  var arena: Arena
  let rules: ValueRules
  /// Which form of the context's values is read.
  let form: ValueForm
  private var attributeIndex: [UInt64: [UInt32]] = [:]
  /// The numbers of the constants null, false and true, once there are any: comparisons have many.
  private var commonConstants: (null: UInt32, false: UInt32, true: UInt32) = (.max, .max, .max)

  /// Creates an empty IR with memory for what a tree is expected to become.
  ///
  /// - Parameters:
  ///   - sourceLength: The number of bytes of the source.
  ///   - nodeCount: The number of nodes of the tree.
  init(rules: ValueRules, form: ValueForm, sourceLength: Int, nodeCount: Int) {
    self.rules = rules
    self.form = form
    arena = Arena(firstChunk: 128 &+ min(sourceLength &* 2, 1 << 16))
    // Most filters need one allocation.
    scratch = Arena(firstChunk: 640 &+ nodeCount &* 64)
    nodes = ArenaArray(capacity: nodeCount &+ 4, in: &scratch)
    constants = ArenaArray(capacity: 8, in: &scratch)
    attributes = ArenaArray(capacity: 4, in: &scratch)
  }

  /// The node of the whole program: the last one.
  var root: UInt32 { UInt32(truncatingIfNeeded: nodes.count &- 1) }
}

/// A host function that a program calls.
struct HostFunctionReference: Sendable {
  /// The name as it is registered.
  var name: String
  /// The table it was found in: `device` or `computed`.
  var table: String
  var function: FilterEnvironment.HostFunction
}

/// What lowering answers: the IR, and the host calls that it met.
struct LoweredFilter: ~Copyable {
  var ir: IR
  var hostCalls: [Requirements.HostCall]

  /// The IR alone.
  consuming func takeIR() -> IR { ir }
}

// MARK: - Building

extension IR {
  /// Adds a node and answers its number. A hundred callers would be much larger with an append each.
  @inline(never)
  @discardableResult
  mutating func add(_ node: IRNode) -> UInt32 {
    var node = node
    node.isBool = isBool(node)
    nodes.append(node, in: &scratch)
    return UInt32(truncatingIfNeeded: nodes.count &- 1)
  }

  /// Whether a node whose operands were added before is a bool or fails.
  private func isBool(_ node: IRNode) -> Bool {
    func isBool(_ id: UInt32) -> Bool { nodes[Int(id)].isBool }
    switch node.kind {
    case .conjunction, .absorbingAnd, .absorbingOr, .not, .truth: return true
    case .constant: return constants[Int(node.first)].isA(.bool)
    case .compare, .membership: return node.third == IRNode.none || isBool(node.third)
    case .disjunction: return children(of: node).allSatisfy(isBool)
    case .conditional: return isBool(node.second) && isBool(node.third)
    case .rescue: return isBool(node.first) && isBool(node.second)
    case .sequence: return isBool(node.second)
    case .call: return functions[Int(node.first)].intrinsic?.givesBool ?? false
    case .loop: return LoopKind(rawValue: node.detail)?.givesBool ?? false
    case .comprehension: return comprehensions[Int(node.first)].kind.givesBool
    default: return false
    }
  }

  /// Adds a node with any number of children.
  mutating func add(
    _ kind: IRKind, first: UInt32 = 0, detail: UInt8 = 0, mask: UInt8 = 0,
    children list: UnsafeBufferPointer<UInt32>, span: SourceSpan
  ) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: children.count)
    children.append(contentsOf: list, in: &scratch)
    return add(
      IRNode(
        kind: kind, detail: detail, mask: mask, span: span, first: first, second: start,
        third: UInt32(truncatingIfNeeded: list.count)))
  }

  /// Adds a node with any number of children.
  mutating func add(
    _ kind: IRKind, first: UInt32 = 0, detail: UInt8 = 0, mask: UInt8 = 0, children list: [UInt32],
    span: SourceSpan
  ) -> UInt32 {
    list.withUnsafeBufferPointer {
      add(kind, first: first, detail: detail, mask: mask, children: $0, span: span)
    }
  }

  /// The children of a node that has any number of them.
  @inline(__always)
  func children(of node: IRNode) -> UnsafeBufferPointer<UInt32> {
    children.slice(from: Int(node.second), count: Int(node.third))
  }

  /// Adds a constant whose memory, if any, is in ``arena``.
  mutating func constant(_ slot: Slot, span: SourceSpan) -> UInt32 {
    add(IRNode(kind: .constant, span: span, first: number(ofConstant: slot)))
  }

  /// The number of a constant in the pool.
  mutating func number(ofConstant slot: Slot) -> UInt32 {
    guard slot.word1 <= UInt64(SlotTag.bool.rawValue) else { return newConstant(slot) }
    let isNull = slot.isA(.null)
    let known =
      isNull
      ? commonConstants.null
      : (slot.boolValue ? commonConstants.true : commonConstants.false)
    guard known == .max else { return known }
    let number = newConstant(slot)
    if isNull {
      commonConstants.null = number
    } else if slot.boolValue {
      commonConstants.true = number
    } else {
      commonConstants.false = number
    }
    return number
  }

  mutating func newConstant(_ slot: Slot) -> UInt32 {
    constants.append(slot, in: &scratch)
    return UInt32(truncatingIfNeeded: constants.count &- 1)
  }

  /// The slot of a constant node, or `nil` for any other node. It is mutating because the IR, which is
  /// large, would be copied for it otherwise.
  mutating func constantSlot(_ id: UInt32) -> Slot? {
    let node = nodes[Int(id)]
    return node.kind == .constant ? constants[Int(node.first)] : nil
  }

  /// Copies text into the program's memory, which has no limit.
  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, as tag: SlotTag = .string) -> Slot {
    arena.copy(bytes, as: tag) ?? .null
  }

  /// The number of the reference to `name` under `root`; equal references share one.
  mutating func attribute(
    root: Root, name: UnsafeBufferPointer<UInt8>, rootIsOptional: Bool = false
  ) -> UInt32 {
    let mark = arena.mark
    let slot = text(name)
    let hash = KeyHash.of(slot)
    let rootIndex =
      UInt32(root.rawValue) &+ UInt32(form.rawValue) &* UInt32(ContextStorage.rootCount)
    let reference = AttributeReference(
      hash: hash, name: slot, root: rootIndex, rootIsOptional: rootIsOptional)
    // Few names are compared one by one; beyond that an index keeps long filters linear.
    if attributes.count < 16 {
      for number in attributes.indices where Self.same(attributes[number], reference) {
        arena.giveBack(to: mark)
        return UInt32(truncatingIfNeeded: number)
      }
    } else {
      if attributeIndex.isEmpty {
        for (number, other) in attributes.elements.enumerated() {
          attributeIndex[other.hash, default: []].append(UInt32(truncatingIfNeeded: number))
        }
      }
      for number in attributeIndex[hash] ?? []
      where Self.same(attributes[Int(number)], reference) {
        arena.giveBack(to: mark)
        return number
      }
    }
    let number = UInt32(truncatingIfNeeded: attributes.count)
    attributes.append(reference, in: &scratch)
    if !attributeIndex.isEmpty { attributeIndex[hash, default: []].append(number) }
    return number
  }

  static func same(_ a: AttributeReference, _ b: AttributeReference) -> Bool {
    a.hash == b.hash && a.root == b.root && a.rootIsOptional == b.rootIsOptional
      && a.name.aux == b.name.aux
      && Slot.sameBytes(a.name.word0, b.name.word0, count: a.name.aux)
  }

  /// Allocates a local.
  mutating func newLocal() -> UInt32 {
    localCount &+= 1
    return UInt32(truncatingIfNeeded: localCount &- 1)
  }
}
