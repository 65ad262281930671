/// A value of the expression language, as the engine accepts and returns it.
///
/// Inside the machine values are 16-byte slots (`docs/vm.md`). This type owns its content.
///
/// Two values are equal (`==`) when they have the same kind and the same content. That is stricter
/// than in the languages: `Value.int(1) != Value.double(1)`. Strings and map keys are compared by
/// code points, as in the languages, not by canonical equivalence as in `String`: a composed and a
/// decomposed "é" differ.
public enum Value: Sendable {
  /// The absent value.
  case null
  /// A truth value.
  case bool(Bool)
  /// A signed 64-bit integer.
  case int(Int64)
  /// An unsigned 64-bit integer.
  case uint(UInt64)
  /// An IEEE 754 double.
  case double(Double)
  /// Unicode text.
  case string(String)
  /// Octets.
  case bytes([UInt8])
  /// An ordered sequence of values of any kinds.
  case list([Value])
  /// A collection of entries with unique keys; their order has no meaning.
  case map([Key: Value])
  /// An instant.
  case timestamp(Timestamp)
  /// A span of time.
  case duration(Duration)
  /// A reference to a function, which the superscript dialect yields for an attribute with the name
  /// of a function (docs/spec/superscript.md §2).
  indirect case function(name: String, receiver: Value?)
  /// A type, by its name in the `cel` dialect (`int`, `google.protobuf.Timestamp`).
  case type(String)
  /// An optional of the `cel` dialect.
  indirect case optional(Value?)
  /// An IP address or a block of addresses of the `cel` dialect's network library.
  case network(NetworkValue)

  /// The key of a map entry.
  public enum Key: Sendable {
    /// A truth value.
    case bool(Bool)
    /// A signed integer.
    case int(Int64)
    /// An unsigned integer.
    case uint(UInt64)
    /// A string.
    case string(String)
  }

  /// An instant with nanosecond precision and the offset from UTC it was written with.
  public struct Timestamp: Sendable, Hashable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64
    /// Nanoseconds after `seconds`: 0 ... 999,999,999; up to 1,999,999,999 in a leap second.
    public var nanoseconds: UInt32
    /// The offset east of UTC in minutes; used only for printing in the superscript dialect.
    public var offsetMinutes: Int16

    /// Creates an instant. See the properties for units and ranges.
    public init(seconds: Int64, nanoseconds: UInt32 = 0, offsetMinutes: Int16 = 0) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
      self.offsetMinutes = offsetMinutes
    }
  }

  /// A signed span of time with nanosecond precision.
  public struct Duration: Sendable, Hashable {
    /// Whole seconds, rounded down (towards minus infinity).
    public var seconds: Int64
    /// Nanoseconds to add to `seconds`: 0 ... 999,999,999.
    public var nanoseconds: UInt32

    /// Creates a span of time. See the properties for units and ranges.
    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }

    /// Returns a number of seconds.
    public static func seconds(_ seconds: Int64) -> Duration { Duration(seconds: seconds) }

    /// Returns a number of milliseconds.
    public static func milliseconds(_ milliseconds: Int64) -> Duration {
      let seconds = CivilTime.floorDivide(milliseconds, by: 1_000)
      let rest = milliseconds &- seconds &* 1_000
      return Duration(seconds: seconds, nanoseconds: UInt32(rest) * 1_000_000)
    }

    /// The whole milliseconds for a wait: 0 for what is negative, thirty thousand years at most.
    package var millisecondsToWait: Int64 {
      min(max(seconds, 0), 1_000_000_000_000) * 1_000
        + (seconds < 0 ? 0 : Int64(nanoseconds) / 1_000_000)
    }
  }
}

/// An IP address, or a block of addresses with a prefix length.
public struct NetworkValue: Sendable, Hashable {
  /// Four octets (IPv4) or sixteen (IPv6), as written, including host bits.
  public var octets: [UInt8]
  /// The number of leading bits of a block; `nil` for a single address.
  public var prefixLength: UInt8?

  /// Creates an address or, with a prefix length, a block.
  public init(octets: [UInt8], prefixLength: UInt8? = nil) {
    self.octets = octets
    self.prefixLength = prefixLength
  }
}

extension Value.Timestamp {
  /// Creates the instant that is so many seconds after 1970 began, in UTC.
  ///
  /// - Returns: `nil` if the number is not finite, or its whole seconds do not fit 64 bits.
  public init?(secondsSince1970: Double) {
    let seconds = secondsSince1970.rounded(.down)
    guard let whole = Int64(exactly: seconds) else { return nil }
    let nanoseconds = ((secondsSince1970 - seconds) * 1e9).rounded(.down)
    self.init(seconds: whole, nanoseconds: min(UInt32(nanoseconds), 999_999_999))
  }
}

extension Value {
  /// Creates an int, from a variable of any integer type; a uint above `Int64.max`.
  ///
  /// A number of more than 64 bits becomes the nearest double.
  public init(_ number: some BinaryInteger) {
    if let int = Int64(exactly: number) {
      self = .int(int)
    } else if let uint = UInt64(exactly: number) {
      self = .uint(uint)
    } else {
      self = .double(Double(number))
    }
  }
}

// `nil` means null among the elements of a list literal, but a `Value` has no `nil` literal:
// `condition ? nil : value` would then mean `Value.null` where everyone reads an absent optional.
// In map literals null is `.null`: the protocol would name their element type `Value.Value`, and
// inside extensions `Value` would mean that type.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a bool.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an int.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Creates a double.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a list. `nil` elements become null.
  public init(arrayLiteral elements: Value?...) { self = .list(elements.map { $0 ?? .null }) }
  /// Creates a map, such as `["a": 1]`. The last of repeated keys wins.
  public init(dictionaryLiteral elements: (Key, Value)...) {
    var entries: [Key: Value] = [:]
    for (key, value) in elements { entries[key] = value }
    self = .map(entries)
  }
}

extension Value.Key: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral
{
  /// Creates a bool key.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an int key.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Creates a string key.
  public init(stringLiteral value: String) { self = .string(value) }
}
