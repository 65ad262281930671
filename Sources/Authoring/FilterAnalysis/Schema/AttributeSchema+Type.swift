import ExpressionEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#elseif canImport(Foundation)
  import Foundation
#endif

// A schema from the type of a user, found by having the type decode itself from a decoder that
// records the keys that are read. Embedded Swift has no decoders.

#if !hasFeature(Embedded)
  extension AttributeSchema {
    /// Thrown when the attributes of a type cannot be found.
    public struct TypeError: Error, Sendable, Hashable, CustomStringConvertible {
      /// The message for people, which names the property.
      public let description: String

      init(_ description: String) { self.description = description }
    }

    /// Creates a schema from a type that encodes the attributes of a user, such as a struct.
    ///
    /// Every coded property is an attribute, under the name of its coding key. Optional properties
    /// are optional attributes. Structs inside are objects with attributes of their own, arrays and
    /// sets are lists, and the raw values of an enum that is `CaseIterable` are its values.
    /// The root is closed: a name that the type does not have is unknown.
    ///
    /// ```swift
    /// struct User: Codable {
    ///   var plan: String
    ///   var age: Int?
    /// }
    /// var schema = AttributeSchema.builtIn
    /// schema.merge(try AttributeSchema(of: User.self))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type. The decoder that it gets has a zero, an empty text or the first case for
    ///     every value; a type that accepts none of them is an error.
    ///   - root: The variable that holds the attributes.
    /// - Throws: ``TypeError`` for a type that does not decode itself, such as an enum without
    ///   `CaseIterable`.
    /// - Complexity: O(number of properties). Types that contain themselves are followed once.
    public init(of type: (some Decodable).Type, root: String = "user") throws(TypeError) {
      let probe = TypeProbe()
      do {
        _ = try ProbingDecoder(probe, path: [], within: []).value(of: type)
      } catch let error as TypeError {
        throw error
      } catch {
        throw TypeError("\(type) cannot be decoded from zeros and empty texts: \(error)")
      }
      var attributes: [Attribute] = []
      probe.collect(AttributePath(root: root), isOptional: false, into: &attributes)
      self.init(attributes)
      closedRoots = [root]
    }
  }

  /// What was seen of a value while its type decoded itself.
  private final class TypeProbe {
    private(set) var type: AttributeType?
    var isOptional = false
    private(set) var values: [String] = []
    private(set) var range: ClosedRange<Int>?
    private var members: [(name: String, probe: TypeProbe)] = []
    private var element: TypeProbe?

    /// The type with those of the elements of lists.
    private var whole: AttributeType {
      if case .list? = type { .list(element?.whole ?? .any) } else { type ?? .any }
    }

    func note(_ seen: AttributeType) { type = type.map { $0.joined(with: seen) } ?? seen }

    /// Notes the cases of an enum.
    func note(cases: [Any]) {
      let raw = cases.compactMap { ($0 as? any RawRepresentable)?.rawValue }
      values = raw.compactMap { $0 as? String }
      let numbers = raw.compactMap { $0 as? Int }
      if let least = numbers.min(), let most = numbers.max(), numbers.count == cases.count {
        range = least...most
      }
      note(values.count == cases.count ? .string : range != nil ? .int : .any)
    }

    func member(_ name: String) -> TypeProbe {
      if let known = members.first(where: { $0.name == name }) { return known.probe }
      let probe = TypeProbe()
      members.append((name, probe))
      return probe
    }

    func elements() -> TypeProbe {
      let probe = element ?? TypeProbe()
      element = probe
      return probe
    }

    /// Adds the attribute at a path and those inside it, which are optional if it is.
    func collect(
      _ path: AttributePath, isOptional: Bool, into attributes: inout [AttributeSchema.Attribute]
    ) {
      let isOptional = isOptional || self.isOptional
      if !path.names.isEmpty {
        attributes.append(
          AttributeSchema.Attribute(
            path.description, whole, values: values, isOptional: isOptional,
            minimum: range?.lowerBound, maximum: range?.upperBound))
      }
      for (name, member) in members {
        var inner = path
        inner.names.append(name)
        member.collect(inner, isOptional: isOptional, into: &attributes)
      }
    }
  }

  /// A decoder that has a value of every type, and notes which are asked for.
  private struct ProbingDecoder: Decoder {
    /// Thrown inside a type that contains itself, to get back to the optional or list around it.
    struct Repeated: Error {}

    let probe: TypeProbe
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    /// The types around this one.
    let types: [ObjectIdentifier]
    /// Whether lists have no element.
    let isEmpty: Bool

    init(
      _ probe: TypeProbe, path: [any CodingKey], within types: [ObjectIdentifier],
      isEmpty: Bool = false
    ) {
      self.probe = probe
      codingPath = path
      self.types = types
      self.isEmpty = isEmpty
    }

    /// Returns a value of a type.
    func value<Decoded: Decodable>(of type: Decoded.Type) throws -> Decoded {
      if let value = known(type) { return value }
      if let cases = (type as? any CaseIterable.Type).map(Self.cases), let first = cases.first {
        probe.note(cases: cases)
        if let first = first as? Decoded { return first }
      }
      let id = ObjectIdentifier(type)
      guard !types.contains(id) else { throw Repeated() }
      do {
        return try type.init(from: ProbingDecoder(probe, path: codingPath, within: types + [id]))
      } catch let error as AttributeSchema.TypeError {
        throw error
      } catch is Repeated {
        guard case .list = probe.type else { throw Repeated() }
        return try type.init(
          from: ProbingDecoder(probe, path: codingPath, within: types + [id], isEmpty: true))
      } catch {
        let name = codingPath.map(\.stringValue).joined(separator: ".")
        let place = name.isEmpty ? "\(type)" : "`\(name)` of type \(type)"
        throw AttributeSchema.TypeError(
          "\(place) cannot be decoded from zeros and empty texts; an enum must be CaseIterable")
      }
    }

    private static func cases(of type: any CaseIterable.Type) -> [Any] {
      func list<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { Array(type.allCases) }
      return list(type)
    }

    /// Returns a value of a type whose own decoding accepts no zero and no empty text.
    private func known<Decoded: Decodable>(_ type: Decoded.Type) -> Decoded? {
      if let value = Value.null as? Decoded {
        probe.note(.any)
        return value
      }
      #if canImport(FoundationEssentials) || canImport(Foundation)
        let known: [(value: Any, type: AttributeType)] = [
          (Date(timeIntervalSince1970: 0), .any), (UUID(), .string), (Data(), .any),
          (Decimal(0), .number),
        ]
        if let found = known.first(where: { $0.value is Decoded }) {
          probe.note(found.type)
          return found.value as? Decoded
        }
        if type == URL.self {
          probe.note(.string)
          return URL(string: "a:") as? Decoded
        }
      #endif
      return nil
    }

    func inside(_ name: String, _ key: any CodingKey) -> ProbingDecoder {
      ProbingDecoder(probe.member(name), path: codingPath + [key], within: types)
    }

    // MARK: Containers

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      probe.note(.map)
      return KeyedDecodingContainer(ProbingMembers<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
      probe.note(.list(.any))
      return ProbingElements(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ProbingValue(decoder: self) }
  }

  /// The members of an object.
  private struct ProbingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbingDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
      _ = decoder.probe.member(key.stringValue)
      return true
    }

    func decodeNil(forKey key: Key) -> Bool {
      decoder.probe.member(key.stringValue).isOptional = true
      return false
    }

    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
      try decoder.inside(key.stringValue, key).value(of: type)
    }

    func decodeIfPresent<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws
      -> Decoded?
    {
      let inside = decoder.inside(key.stringValue, key)
      inside.probe.isOptional = true
      // Without a value it is left out.
      return try? inside.value(of: type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
      decoder.inside(key.stringValue, key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      decoder.inside(key.stringValue, key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { decoder.inside(key.stringValue, key) }
  }

  /// The one element of a list.
  private struct ProbingElements: UnkeyedDecodingContainer {
    let decoder: ProbingDecoder
    private(set) var currentIndex = 0

    init(decoder: ProbingDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { nil }
    var isAtEnd: Bool { decoder.isEmpty || currentIndex > 0 }

    private mutating func next() -> ProbingDecoder {
      currentIndex += 1
      return ProbingDecoder(
        decoder.probe.elements(), path: decoder.codingPath, within: decoder.types)
    }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      try next().value(of: type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> { next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
      next().unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder { next() }
  }

  /// A value that is neither an object nor a list.
  private struct ProbingValue: SingleValueDecodingContainer {
    let decoder: ProbingDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
      decoder.probe.isOptional = true
      return false
    }

    private func note<Noted>(_ type: AttributeType, _ value: Noted) -> Noted {
      decoder.probe.note(type)
      return value
    }

    func decode(_ type: Bool.Type) -> Bool { note(.bool, false) }
    func decode(_ type: String.Type) -> String { note(.string, "") }
    func decode(_ type: Double.Type) -> Double { note(.number, 0) }
    func decode(_ type: Float.Type) -> Float { note(.number, 0) }
    func decode(_ type: Int.Type) -> Int { note(.int, 0) }
    func decode(_ type: Int8.Type) -> Int8 { note(.int, 0) }
    func decode(_ type: Int16.Type) -> Int16 { note(.int, 0) }
    func decode(_ type: Int32.Type) -> Int32 { note(.int, 0) }
    func decode(_ type: Int64.Type) -> Int64 { note(.int, 0) }
    func decode(_ type: UInt.Type) -> UInt { note(.int, 0) }
    func decode(_ type: UInt8.Type) -> UInt8 { note(.int, 0) }
    func decode(_ type: UInt16.Type) -> UInt16 { note(.int, 0) }
    func decode(_ type: UInt32.Type) -> UInt32 { note(.int, 0) }
    func decode(_ type: UInt64.Type) -> UInt64 { note(.int, 0) }
    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
      try decoder.value(of: type)
    }
  }
#endif

extension AttributeSchema.Attribute {
  /// Returns whether the elements of the attribute, a list of objects, have a member.
  package func has(member name: String) -> Bool { members.contains { $0.path == name } }
}
