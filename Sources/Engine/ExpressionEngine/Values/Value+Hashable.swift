// Equality by code points. `String` compares canonically equivalent texts as equal, but the
// languages do not, and a dictionary with such keys must distinguish them.

extension Value: Hashable {
  /// Returns whether two values have the same kind and the same content.
  ///
  /// - Complexity: O(size of the values).
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)), (.type(let a), .type(let b)):
      a.hasSameCodePoints(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.function(let a, let x), .function(let b, let y)): a.hasSameCodePoints(as: b) && x == y
    case (.optional(let a), .optional(let b)): a == b
    case (.network(let a), .network(let b)): a == b
    default: false
    }
  }

  /// Hashes the kind and the content.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): Self.feed(1, value, into: &hasher)
    case .int(let value): Self.feed(2, value, into: &hasher)
    case .uint(let value): Self.feed(3, value, into: &hasher)
    case .double(let value): Self.feed(4, value, into: &hasher)
    case .string(let value): value.feedCodePoints(5, into: &hasher)
    case .bytes(let value): Self.feed(6, value, into: &hasher)
    case .list(let value): Self.feed(7, value, into: &hasher)
    case .map(let value): Self.feed(8, value, into: &hasher)
    case .timestamp(let value): Self.feed(9, value, into: &hasher)
    case .duration(let value): Self.feed(10, value, into: &hasher)
    case .function(let name, let receiver):
      name.feedCodePoints(11, into: &hasher)
      hasher.combine(receiver)
    case .type(let value): value.feedCodePoints(12, into: &hasher)
    case .optional(let value): Self.feed(13, value, into: &hasher)
    case .network(let value): Self.feed(14, value, into: &hasher)
    }
  }

  private static func feed(_ kind: Int, _ content: some Hashable, into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(content)
  }
}

extension Value.Key: Hashable {
  /// Returns whether two keys have the same kind and the same content.
  public static func == (left: Value.Key, right: Value.Key) -> Bool {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameCodePoints(as: b)
    default: false
    }
  }

  /// Hashes the kind and the content.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .string(let value): value.feedCodePoints(3, into: &hasher)
    }
  }
}

extension String {
  /// Returns whether two texts have the same code points.
  func hasSameCodePoints(as other: String) -> Bool {
    // Texts that are not even equivalent are rejected quickly, and most equal texts are ASCII.
    guard self == other else { return false }
    return utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Hashes a number and the bytes of the text. The standard library would hash the normalized
  /// text: equivalent texts, of which there can be very many, would all collide.
  fileprivate func feedCodePoints(_ kind: UInt8, into hasher: inout Hasher) {
    hasher.combine(kind)
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // The terminator ensures that no hashed text is a prefix of another.
    hasher.combine(0xFF as UInt8)
  }
}
