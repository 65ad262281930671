import ExpressionSyntax

// source ─Tokenizer▶ tokens ─Parser▶ Syntax ─Lowering▶ [IR] ─Compiler▶ Program ─VM▶ Value

/// The operation of an IR node. IR does not depend on a dialect: the choice of nodes, their
/// policies, and the program's ``ValueRules`` express the differences.
enum IRKind: UInt8 {
  /// A constant; `first` is its number in the pool.
  case constant
  /// A variable by its bare name; `first` is an attribute number. Fails if it is undeclared.
  case variable
  /// `root.name` in one probe; `first` is an attribute number.
  case attribute
  /// A loop variable or a bound value; `first` is its number.
  case local
  /// `operand.name`; `second` is an attribute number.
  case member
  /// `operand[index]`.
  case element
  /// `first mask second`; `third` replaces it when `first` is missing. With `detail` 1, `second` is
  /// a constant list of the string and the number of a numeric string; equality with either counts.
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
  /// A map of the children, which alternate between keys and values.
  case map
  /// A library function; `first` is its number, the children are its arguments.
  case call
  /// A host function; `first` is its number, the children are its arguments.
  case hostCall
  /// A loop over the elements or keys of `first`; see ``LoopKind``. `second` is its body, `third`
  /// the number of its variable.
  case loop
  /// `first`, or `second` when it fails in a way that ``RescueClass`` names.
  case rescue
  /// `second`, after `first` was evaluated for its failures only.
  case sequence
  /// `first`, which must be of one of the kinds in `second` (a ``SlotKinds``); `third` is the
  /// ``FailureCode`` otherwise.
  case expect
  /// A failure with the code in `first`, about the constant in `second`, if any.
  case raise
  /// The map in `first`, overlaid with the entries of the map in `second`.
  case overlay
  /// `first`, or null when it fails because of a missing variable or function
  /// (docs/spec/superscript.md §15).
  case absorbReferences
  /// The local `second` holds the value of `first` while `third` is evaluated.
  case bind
  /// The last child. The children before it are the values of the locals from `first` on, each
  /// evaluated at most once, when it is first needed.
  case lazyBind
  /// A local of a ``lazyBind``; `first` is its number.
  case lazyLocal
  /// A name that may stand for several variables; `first` is the number of its ``NameResolution``.
  case name
  /// A loop with strict rules; `first` is the number of its ``Comprehension``.
  case comprehension
  /// An element of a list or a value of a map that is omitted when the optional `first` is empty.
  case optionalEntry
}

/// The handling of a missing attribute or member.
package enum MissingPolicy: UInt8, Sendable, BitwiseCopyable {
  /// The value is null.
  case null
  /// The access fails with ``FailureCode/noSuchKey``.
  case fail
  /// The value is the function of that name (docs/spec/superscript.md §2). Members only.
  case function
}

/// The failures that a rescue catches.
package enum RescueClass: UInt8, Sendable, BitwiseCopyable {
  /// Only ``FailureCode/noSuchKey``.
  case missingKey
  /// Every failure.
  case any
}

/// The result of a loop.
package enum LoopKind: UInt8, Sendable, BitwiseCopyable {
  /// False as soon as the body is false, otherwise true; a body that is not a bool counts as true.
  case all
  /// True as soon as the body is true, otherwise false.
  case exists
  /// Whether the body is true exactly once.
  case existsOne
  /// The number of elements for which the body is true.
  case count
  /// The elements for which the body is true.
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

/// A node of the IR. ``IRKind`` documents the meaning of the numbers.
struct IRNode {
  var kind: IRKind
  /// A ``MissingPolicy``, ``LoopKind``, ``RescueClass`` or ``ArithmeticOperator``.
  var detail: UInt8 = 0
  /// The ``ComparisonMask`` of a compare node; otherwise 0.
  var mask: UInt8 = 0
  /// Whether the node's value is always a bool, unless it fails. ``IR/add(_:)`` sets it.
  var isBool = false
  /// The source that the node was created from.
  var span: SourceSpan
  var first: UInt32 = 0
  var second: UInt32 = IRNode.none
  var third: UInt32 = IRNode.none

  static let none: UInt32 = .max
}

/// A name to look up in the context or in a map, with everything that the lookup needs.
struct AttributeReference {
  /// The hash of the name.
  var hash: UInt64
  /// The name, a string slot.
  var name: Slot
  /// The start of a lookup in the context, as an index into ``ContextStorage/roots``.
  var root: UInt32
  /// Whether an absent root counts as an empty map.
  var rootIsOptional: Bool
}

/// A dotted name: the variables that it may stand for, and the fields to select after them.
struct NameResolution {
  /// A variable that the name may start with.
  struct Candidate {
    /// The number of the variable's attribute.
    var attribute: UInt32
    /// The number of ``fields`` that the variable covers.
    var coveredFields: Int
  }

  /// The candidates, in the order in which they are tried.
  var candidates: [Candidate]
  /// The node for the name if none of the candidates exists: a variable, an attribute or a
  /// constant.
  var last: UInt32
  /// The number of ``fields`` that ``last`` covers.
  var lastCoveredFields: Int
  /// The attribute numbers of the names after the first one.
  var fields: [UInt32]
}

/// A loop over a list or a map with a strict body and filter.
package struct Comprehension: Sendable, BitwiseCopyable {
  /// The result of the loop.
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
    /// The union of the maps that the body yields.
    case entries

    /// Whether the loop's value is a bool.
    var givesBool: Bool { self == .all || self == .exists || self == .existsOne }
  }

  var kind: Kind
  /// The list or map.
  var range: UInt32
  /// The variable for the element or key; with two variables, for the index or key.
  var firstLocal: UInt32
  /// With two variables, the variable for the element or the entry's value.
  var secondLocal: UInt32?
  /// The condition for an element to count.
  var filter: UInt32?
  /// The expression that is evaluated for each element.
  var body: UInt32
}

/// A program before code generation: nodes in post-order and the pools they refer to.
struct IR: ~Copyable {
  /// The memory for everything that is needed only while the program is created.
  var scratch: Arena
  var nodes: ArenaArray<IRNode>
  /// The children of nodes with any number of them: `second` is the first slot, `third` the count.
  var children = ArenaArray<UInt32>()
  var constants: ArenaArray<Slot>
  var attributes: ArenaArray<AttributeReference>
  /// The library functions, by number.
  var functions: [FunctionDefinition] = []
  /// The host functions, by number.
  var hostFunctions: [HostFunctionReference] = []
  /// The number of locals.
  var localCount = 0
  /// The names that may stand for several variables, by number.
  var names: [NameResolution] = []
  /// The loops with strict rules, by number.
  var comprehensions = ArenaArray<Comprehension>()
  /// The memory of constants and names.
  var arena: Arena
  let rules: ValueRules
  /// The form of the context's values that is read.
  let form: ValueForm
  /// The passes that are on.
  let optimizations: Optimizations
  /// The numbers of the attributes, by their hashes.
  var attributeIndex: [UInt64: [UInt32]] = [:]
  /// The numbers of the constants null, false and true once they exist: comparisons use them often.
  var commonConstants: (null: UInt32, false: UInt32, true: UInt32) = (.max, .max, .max)

  /// Creates an empty IR with enough memory for the expected size of a tree.
  ///
  /// - Parameters:
  ///   - sourceLength: The number of bytes of the source.
  ///   - nodeCount: The number of nodes of the tree.
  ///   - optimizations: The passes that are on.
  init(
    rules: ValueRules, form: ValueForm, sourceLength: Int, nodeCount: Int,
    optimizations: Optimizations = .all
  ) {
    self.optimizations = optimizations
    self.rules = rules
    self.form = form
    arena = Arena(firstChunk: 128 &+ min(sourceLength &* 2, 1 << 16))
    // Most filters need one allocation.
    scratch = Arena(firstChunk: 640 &+ nodeCount &* 64)
    nodes = ArenaArray(capacity: nodeCount &+ 4, in: &scratch)
    constants = ArenaArray(capacity: 8, in: &scratch)
    attributes = ArenaArray(capacity: 4, in: &scratch)
  }

  /// The node of the whole program, which is the last one.
  var root: UInt32 { UInt32(truncatingIfNeeded: nodes.count &- 1) }
}

/// A host function that a program calls.
struct HostFunctionReference: Sendable {
  /// The implementation.
  enum Form: Sendable {
    /// A function of a table, which takes any arguments.
    case function(FilterEnvironment.HostFunction)
    /// Functions that were added to the environment, of one style.
    case overloads([FunctionImplementation])
  }

  /// The name under which it is registered.
  var name: String
  /// The table it was found in: `device` or `computed`; empty for functions that are called by
  /// their names alone, and a dot for those that are called as methods.
  var table: String
  var form: Form

  /// The name in listings.
  var path: String { table.isEmpty || table == "." ? table + name : "\(table).\(name)" }
}

/// The result of lowering: the IR, and the host calls found.
struct LoweredFilter: ~Copyable {
  var ir: IR
  var hostCalls: [Requirements.HostCall]

  /// Returns the IR alone.
  consuming func takeIR() -> IR { ir }
}
