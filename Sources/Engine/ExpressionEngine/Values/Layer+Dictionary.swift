// Conversion of Swift dictionaries to layers, without a `Value` in between.

/// A value of a type from outside the standard library, as a conversion treats it.
@usableFromInline package enum ForeignValue {
  /// An instant, in seconds since 1970.
  case date(Double)
  /// The absolute text of a URL.
  case url(String)
  /// Binary data.
  case data([UInt8])
  /// Null.
  case null
  /// A boxed bool.
  case bool(Bool)
  /// A boxed integer.
  case int(Int64)
  /// A boxed integer above `Int64.max`.
  case uint(UInt64)
  /// A boxed fractional number.
  case double(Double)
  /// A number that is truncated to its integer part.
  case wide(Double)
}

extension Context.Layer {
  /// Creates a layer from a dictionary.
  ///
  /// - Parameters:
  ///   - dictionary: The Swift values by name.
  ///   - rules: The rules for dropping and replacing values.
  ///   - report: The report to add changes to, or `nil` for none.
  ///   - foreign: A conversion for types of other modules, called only for unknown types.
  ///   - encode: Returns what a value encodes, called by a lossless conversion for all other types;
  ///     `nil` for a value that does not encode itself.
  @usableFromInline package init(
    freezing dictionary: [String: Any], rules: DictionaryConversion, report: inout Report?,
    foreign: @escaping (Any) -> ForeignValue?,
    encode: @escaping (Any) throws -> Value? = { _ in nil }
  ) {
    var freezer = DictionaryFreezer(rules: rules, report: report, foreign: foreign, encode: encode)
    storage = LayerStorage(count: dictionary.count) { pairs, arena in
      for (name, value) in dictionary {
        guard let slot = freezer.attribute(name, value, &arena), let key = arena.copy(name)
        else { continue }
        pairs.append(key, slot)
      }
    }
    report = freezer.report
  }
}

/// Converts Swift values to slots.
struct DictionaryFreezer {
  typealias Report = Context.Layer.Report

  /// The maximum nesting depth of lists and dictionaries.
  static let maximumDepth = 128

  let rules: DictionaryConversion
  var report: Report?
  let foreign: (Any) -> ForeignValue?
  let encode: (Any) throws -> Value?
  /// The path of the current value, tracked only for a report.
  var path: [String] = []
  var depth = 0

  init(
    rules: DictionaryConversion, report: Report?, foreign: @escaping (Any) -> ForeignValue?,
    encode: @escaping (Any) throws -> Value?
  ) {
    self.rules = rules
    self.report = report
    self.foreign = foreign
    self.encode = encode
  }

  // MARK: Attributes

  /// Returns the slot of an attribute, or `nil` when the attribute is dropped.
  mutating func attribute(_ name: String, _ value: Any, _ arena: inout Arena) -> Slot? {
    if report != nil { path = [name] }
    if let acceptsName = rules.acceptsName, !acceptsName(name) {
      return note(.reservedName, .dropped)
    }
    guard let slot = slot(of: value, &arena) else { return nil }
    if rules.dropsLists, slot.isA(.list) { return note(.list, .dropped) }
    if let acceptsText = rules.acceptsText, slot.isA(.string), !acceptsText(name, slot.byteBuffer) {
      return note(.invalidText, .dropped)
    }
    return slot
  }

  /// Returns the slot of a value, or `nil` when it, or the attribute that contains it, is dropped.
  @inline(__always)
  mutating func slot(of value: Any, _ arena: inout Arena) -> Slot? {
    // `as Any` keeps the container closed, so that the pointer refers to it and not to its content.
    let conversion = withUnsafePointer(to: value as Any) { container in
      common(AnyContainer(container), &arena)
    }
    switch conversion {
    case .slot(let slot): return slot
    case .dropped: return nil
    case .uncommon: return uncommon(value, &arena)
    }
  }

  private enum Conversion {
    case slot(Slot)
    case dropped
    /// The value is not of a common type.
    case uncommon

    init(_ slot: Slot?) { self = slot.map { .slot($0) } ?? .dropped }
  }

  /// Converts a value of a common type, recognized by type identity: casting would be much slower.
  @inline(__always)
  private mutating func common(_ value: AnyContainer, _ arena: inout Arena) -> Conversion {
    let type = value.type
    if type == String.self {
      return Conversion(string(value.content(), &arena))
    }
    if type == Int.self { return .slot(.int(Int64(value.content() as Int))) }
    if type == Bool.self { return .slot(.bool(value.content())) }
    if type == Double.self { return Conversion(double(value.content())) }
    return commonContainer(value, &arena)
  }

  private mutating func commonContainer(
    _ value: AnyContainer, _ arena: inout Arena
  ) -> Conversion {
    let type = value.type
    if type == [Any].self {
      return Conversion(list(value.content(), &arena))
    }
    if type == [String].self {
      return Conversion(strings(value.content(), &arena))
    }
    if type == [Int].self {
      return Conversion(integers(value.content(), &arena))
    }
    if type == [String: Any].self {
      return Conversion(map(value.content(), &arena))
    }
    return .uncommon
  }

  // MARK: Scalars

  mutating func string(_ text: String, _ arena: inout Arena) -> Slot? {
    if let removed = rules.removedByte, text.utf8.contains(removed) {
      let rest = text.utf8.filter { $0 != removed }
      return rest.withUnsafeBufferPointer { arena.copy($0, as: .string) }
    }
    return arena.copy(text)
  }

  mutating func double(_ value: Double) -> Slot? {
    value.isFinite || rules.isLossless
      ? .double(value) : unsupported(.notFinite, dropsAtTop: true)
  }

  /// Returns a number without its fraction, clamped to the range of an int.
  mutating func truncated(_ value: Double) -> Slot? {
    guard value.isFinite else { return unsupported(.notFinite, dropsAtTop: true) }
    let whole = value.rounded(.towardZero)
    let result =
      Int64(exactly: whole) ?? (value < 0 ? Int64.min : Int64.max)
    if Double(result) != value { note(.inexactNumber, .truncated) }
    return .int(result)
  }

  mutating func integer<Number: BinaryInteger>(_ value: Number) -> Slot {
    if Int64(exactly: value) == nil { note(.inexactNumber, .truncated) }
    return .int(Int64(truncatingIfNeeded: value))
  }

  mutating func unsigned<Number: BinaryInteger>(_ value: Number) -> Slot {
    if UInt64(exactly: value) == nil { note(.inexactNumber, .truncated) }
    return .uint(UInt64(truncatingIfNeeded: value))
  }

  // MARK: Containers

  mutating func list(_ values: [Any], _ arena: inout Arena) -> Slot? {
    guard depth < Self.maximumDepth else { return unsupported(.tooDeep) }
    guard let slots = row(values.count, &arena) else { return nil }
    depth += 1
    defer { depth -= 1 }
    return values.withUnsafeBufferPointer { values in
      for index in 0..<values.count {
        if report != nil { path.append("[\(index)]") }
        defer { if report != nil { path.removeLast() } }
        // In place, because copying an `Any` costs more than converting it.
        switch common(AnyContainer(values, at: index), &arena) {
        case .slot(let slot): slots[index] = slot
        case .dropped: return nil
        case .uncommon:
          guard let slot = uncommon(values[index], &arena) else { return nil }
          slots[index] = slot
        }
      }
      return Slot(.list, at: UnsafeRawPointer(slots), count: UInt32(values.count))
    }
  }

  /// Allocates room for the elements of a list.
  private func row(_ count: Int, _ arena: inout Arena) -> UnsafeMutablePointer<Slot>? {
    guard UInt32(exactly: count) != nil else { return nil }
    return arena.allocate(max(count, 1) &* MemoryLayout<Slot>.stride)?
      .bindMemory(to: Slot.self, capacity: max(count, 1))
  }

  private mutating func strings(_ values: [String], _ arena: inout Arena) -> Slot? {
    guard let slots = row(values.count, &arena) else { return nil }
    for index in 0..<values.count {
      guard let slot = string(values[index], &arena) else { return nil }
      slots[index] = slot
    }
    return Slot(.list, at: UnsafeRawPointer(slots), count: UInt32(values.count))
  }

  private func integers(_ values: [Int], _ arena: inout Arena) -> Slot? {
    guard let slots = row(values.count, &arena) else { return nil }
    for index in 0..<values.count { slots[index] = .int(Int64(values[index])) }
    return Slot(.list, at: UnsafeRawPointer(slots), count: UInt32(values.count))
  }

  mutating func map(_ entries: [String: Any], _ arena: inout Arena) -> Slot? {
    guard depth < Self.maximumDepth else { return unsupported(.tooDeep) }
    depth += 1
    defer { depth -= 1 }
    guard var pairs = SlotBuffer(capacity: 2 &* entries.count, in: &arena) else { return nil }
    for (name, value) in entries {
      if report != nil { path.append(".\(name)") }
      defer { if report != nil { path.removeLast() } }
      guard let slot = slot(of: value, &arena), let key = arena.copy(name),
        pairs.append(key, in: &arena), pairs.append(slot, in: &arena)
      else { return nil }
    }
    return table(pairs.slots, &arena)
  }

  /// Converts a dictionary with keys of any type. Entries whose key is not a string are dropped.
  mutating func looseMap(
    _ entries: [AnyHashable: Any], _ arena: inout Arena
  ) -> Slot? {
    var named: [String: Any] = [:]
    for (name, value) in entries {
      if let text = text(ofKey: name.base) {
        named[text] = value
      } else if rules.requiresJSON {
        return note(.nameIsNoString, .dropped)
      } else {
        if report != nil { path.append(".\(name)") }
        note(.nameIsNoString, .dropped)
        if report != nil { path.removeLast() }
      }
    }
    return map(named, &arena)
  }

  /// Returns the text of a key: a string, and in a lossless conversion also an integer or an enum
  /// with such a raw value, as `Encodable` types write them.
  func text(ofKey key: Any) -> String? {
    if let text = key as? String { return text }
    guard rules.isLossless else { return nil }
    if let number = key as? any BinaryInteger { return String(number) }
    return (key as? any RawRepresentable).flatMap { text(ofKey: $0.rawValue) }
  }

  private func table(
    _ pairs: UnsafeBufferPointer<Slot>, _ arena: inout Arena
  ) -> Slot? {
    try? MapTable.build(pairs, duplicates: .lastWins, crossNumeric: false, in: &arena)
  }
}

extension Value.Duration {
  /// Creates the span of time that a value of Swift's type is, or `nil` for another type.
  package init?(swiftDuration value: Any) {
    guard #available(macOS 13, iOS 16, tvOS 16, watchOS 9, *) else { return nil }
    self.init(any: value)
  }

  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  private init?(any value: Any) {
    guard let duration = value as? Swift.Duration else { return nil }
    self.init(duration)
  }

  /// Creates the span of time, without what is below a nanosecond.
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  private init(_ duration: Swift.Duration) {
    let (seconds, attoseconds) = duration.components
    // Both parts have the sign of the duration.
    let nanoseconds = attoseconds / 1_000_000_000
    self.init(
      seconds: nanoseconds < 0 ? seconds &- 1 : seconds,
      nanoseconds: UInt32(nanoseconds < 0 ? nanoseconds + 1_000_000_000 : nanoseconds))
  }
}

extension Double {
  /// Creates the double of a number's shortest digits: 0.1 for `Float(0.1)`, as in JSON, where the
  /// nearest double would be 0.10000000149011612.
  package init(shortest number: some BinaryFloatingPoint) {
    let nearest = Double(number)
    let isNarrow = type(of: number).significandBitCount < Double.significandBitCount
    self = isNarrow && nearest.isFinite ? Double("\(number)") ?? nearest : nearest
  }
}

/// An `Any` in memory, read in place.
///
/// The layout of existential containers is part of Swift's stable ABI: three words that hold or
/// refer to a value, depending on its size and alignment, followed by its type. Every type that is
/// read here fits the three words, which `content` checks at compile time.
private struct AnyContainer {
  private let start: UnsafeRawPointer

  @inline(__always)
  init(_ container: UnsafePointer<Any>) { start = UnsafeRawPointer(container) }

  @inline(__always)
  init(_ containers: UnsafeBufferPointer<Any>, at index: Int) {
    // Called only with an index in range, so the base address is not `nil`.
    start = UnsafeRawPointer(containers.baseAddress.unsafelyUnwrapped + index)
  }

  /// The dynamic type.
  @inline(__always)
  var type: Any.Type { start.load(fromByteOffset: 24, as: Any.Type.self) }

  /// The content. The caller has just compared the dynamic type with `Content`.
  @inline(__always)
  func content<Content>() -> Content {
    precondition(MemoryLayout<Content>.size <= 24 && MemoryLayout<Content>.alignment <= 8)
    return start.load(as: Content.self)
  }
}

extension LayerStorage {
  /// A map without entries, in memory that lives as long as the process.
  static var emptyMap: Slot { empty.map }
}
