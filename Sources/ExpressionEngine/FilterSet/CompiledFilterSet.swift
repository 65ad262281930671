import Synchronization

/// Filters that are evaluated together over one context.
///
/// The answers are those that each filter gives by itself, errors included; what is saved is work.
/// Conditions that several filters ask are answered once. A filter that cannot fail and that needs an
/// attribute to have a certain value, or to be within a bound, is found by that value or bound, and not
/// touched otherwise.
///
/// Whether a filter can fail depends on the kinds of its attributes. So the set makes a plan for the
/// kinds that it meets, the second time it meets them, and keeps a few plans; contexts of other kinds
/// are evaluated filter by filter.
public final class CompiledFilterSet: Sendable {
  /// The filters.
  public let filters: [CompiledFilter]
  /// The attributes that any filter reads, each once.
  let references: [AttributeReference]
  /// The number in `references` of each attribute of each program.
  private let numbers: [UInt32]
  /// Where in `numbers` those of each filter start.
  private let firstNumbers: [UInt32]
  /// The address of the newest ``Binding``, or 0.
  private let newest = Atomic<UInt>(0)
  private let state = Mutex(State())

  /// How many kinds of contexts and how many shapes of contexts there are plans for.
  private static let maximumPlans = 8
  private static let maximumBindings = 32

  private struct State: @unchecked Sendable {
    var plans: [FilterSetPlan] = []
    /// The kinds met last without a plan.
    var pending: [UInt8]?
    var bindingCount = 0
  }

  /// What is known of contexts of certain shapes: their plan, and where their attributes are. Bindings
  /// form a list that grows at its head and lives as long as the set.
  private struct Binding {
    let shapes: Shapes
    let plan: Unmanaged<FilterSetPlan>
    /// One for each reference.
    let places: UnsafeMutablePointer<AttributePlace>
    let next: UnsafeMutablePointer<Binding>?
  }

  /// The packed shapes of a context, in both forms.
  private struct Shapes: Equatable {
    let given: UInt
    let normalized: UInt

    @inline(__always)
    init(_ context: ContextStorage) {
      given = context.roots[ContextStorage.shapesIndex(.asGiven)]
      normalized = context.roots[ContextStorage.shapesIndex(.normalized)]
    }

    @inline(__always) var areKnown: Bool { given != 0 && normalized != 0 }
  }

  /// Puts filters together.
  ///
  /// - Complexity: O(n) in the number of attributes that the filters read, counted filter by filter.
  public init(_ filters: [CompiledFilter]) {
    self.filters = filters
    var interned: [AttributeKey: UInt32] = [:]
    var references: [AttributeReference] = []
    var numbers: [UInt32] = []
    var firstNumbers: [UInt32] = []
    firstNumbers.reserveCapacity(filters.count)
    for filter in filters {
      firstNumbers.append(UInt32(truncatingIfNeeded: numbers.count))
      for index in 0..<filter.program.attributeCount {
        let reference = filter.program.attributes[index]
        let key = AttributeKey(reference: reference)
        if let number = interned[key] {
          numbers.append(number)
        } else {
          let number = UInt32(truncatingIfNeeded: references.count)
          interned[key] = number
          references.append(reference)
          numbers.append(number)
        }
      }
    }
    self.references = references
    self.numbers = numbers
    self.firstNumbers = firstNumbers
  }

  deinit {
    var binding = UnsafeMutablePointer<Binding>(bitPattern: newest.load(ordering: .acquiring))
    while let current = binding {
      binding = current.pointee.next
      current.pointee.places.deallocate()
      current.deallocate()
    }
  }

  /// The number in ``references`` of an attribute of a filter's program.
  func number(ofAttribute attribute: UInt32, in filter: Int) -> UInt32 {
    numbers[Int(firstNumbers[filter]) + Int(attribute)]
  }

  // MARK: Plans

  /// Calls `body` with the plan for a context and the values of the set's attributes in it; answers
  /// `nil` when there is no plan.
  @inline(__always)
  func withPlan<R>(
    for context: ContextStorage, _ body: (FilterSetPlan, UnsafePointer<Slot>) -> R
  ) -> R? {
    withUnsafeTemporaryAllocation(of: Slot.self, capacity: max(references.count, 1)) { slots in
      let attributes = slots.baseAddress.unsafelyUnwrapped
      guard let plan = plan(for: context, attributes) else { return nil }
      return body(plan, UnsafePointer(attributes))
    }
  }

  /// The plan for a context, and in `attributes` the values that it needs.
  private func plan(
    for context: ContextStorage, _ attributes: UnsafeMutablePointer<Slot>
  ) -> FilterSetPlan? {
    let shapes = Shapes(context)
    var entry = UnsafeMutablePointer<Binding>(bitPattern: newest.load(ordering: .acquiring))
    while let binding = entry {
      if shapes.areKnown, binding.pointee.shapes == shapes {
        for index in 0..<references.count {
          attributes[index] = binding.pointee.places[index].value(in: context)
        }
        // The set owns its plans.
        return binding.pointee.plan.takeUnretainedValue()
      }
      entry = binding.pointee.next
    }
    return planByKinds(for: context, shapes, attributes)
  }

  @inline(never)
  private func planByKinds(
    for context: ContextStorage, _ shapes: Shapes, _ attributes: UnsafeMutablePointer<Slot>
  ) -> FilterSetPlan? {
    let places = references.map { AttributePlace($0, in: context) }
    for (index, place) in places.enumerated() { attributes[index] = place.value(in: context) }
    let kinds = places.enumerated().map { index, place in place.kind(of: attributes[index]) }
    // Whoever finds the lock taken evaluates filter by filter rather than wait for a plan.
    let found: FilterSetPlan?? = state.withLockIfAvailable { state in
      var found = state.plans.first { $0.kinds == kinds }
      if found == nil, state.plans.count < Self.maximumPlans {
        guard state.pending == kinds else {
          state.pending = kinds
          return nil
        }
        state.pending = nil
        let plan = FilterSetPlanBuilder.plan(of: self, for: context, kinds: kinds)
        state.plans.append(plan)
        found = plan
      }
      if let found, shapes.areKnown, state.bindingCount < Self.maximumBindings {
        state.bindingCount += 1
        bind(shapes, to: found, places)
      }
      return found
    }
    return found ?? nil
  }

  /// Adds a binding; the caller holds the lock.
  private func bind(_ shapes: Shapes, to plan: FilterSetPlan, _ places: [AttributePlace]) {
    let copy = UnsafeMutablePointer<AttributePlace>.allocate(capacity: max(places.count, 1))
    for (index, place) in places.enumerated() { (copy + index).initialize(to: place) }
    let head = UnsafeMutablePointer<Binding>(bitPattern: newest.load(ordering: .acquiring))
    let binding = UnsafeMutablePointer<Binding>.allocate(capacity: 1)
    binding.initialize(
      to: Binding(
        shapes: shapes, plan: Unmanaged.passUnretained(plan), places: copy, next: head))
    newest.store(UInt(bitPattern: binding), ordering: .releasing)
  }
}

/// An attribute reference, compared by what it refers to.
private struct AttributeKey: Hashable {
  let reference: AttributeReference

  static func == (a: AttributeKey, b: AttributeKey) -> Bool {
    IR.same(a.reference, b.reference)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(reference.hash)
    hasher.combine(reference.root)
  }
}

/// Where an attribute is found in all contexts of the same shapes.
struct AttributePlace {
  /// The index into ``ContextStorage/roots``.
  private let root: UInt32
  /// The distance of the value from the address of the root's table, or ``missing`` or ``undecided``.
  private let offset: UInt32

  private static let missing: UInt32 = 0
  private static let undecided: UInt32 = 1

  init(_ reference: AttributeReference, in context: ContextStorage) {
    root = reference.root
    guard let base = UnsafeRawPointer(bitPattern: context.roots[Int(reference.root)]) else {
      offset = reference.rootIsOptional ? Self.missing : Self.undecided
      return
    }
    guard let found = MapTable(base: base).find(hash: reference.hash, string: reference.name)
    else {
      offset = Self.missing
      return
    }
    // Values stand behind the table's header, so that no offset is one of the special ones.
    offset = UInt32(exactly: UnsafeRawPointer(found) - base) ?? Self.undecided
  }

  /// The value, null if there is none.
  @inline(__always)
  func value(in context: ContextStorage) -> Slot {
    guard offset > Self.undecided else { return .null }
    // The shapes say that the root has a table.
    let base = UnsafeRawPointer(bitPattern: context.roots[Int(root)]).unsafelyUnwrapped
    return base.load(fromByteOffset: Int(offset), as: Slot.self)
  }

  /// What plans need to know of the value.
  func kind(of slot: Slot) -> UInt8 {
    switch offset {
    case Self.missing: .max - 1
    case Self.undecided: .max - 2
    default: ShapeRegistry.kind(of: slot)
    }
  }
}
