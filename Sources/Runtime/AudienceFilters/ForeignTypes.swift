import ExpressionCoding
public import ExpressionEngine

#if canImport(ObjectiveC)
  public import Foundation
#elseif canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

// The conversion of Foundation's types to attributes. The functions are compiled into the modules
// that call them (`@export(implementation)` in Swift 6.3). Static executables are therefore seven
// megabytes smaller unless they create contexts from Swift dictionaries or `Encodable` types.

/// Returns the meaning of a value of a Foundation type for sanitation; `nil` for all other types.
@_alwaysEmitIntoClient
func foreignValue(_ value: Any) -> ForeignValue? {
  #if canImport(FoundationEssentials) || canImport(Foundation)
    switch value {
    case let date as Date: return .date(date.timeIntervalSince1970)
    case let url as URL: return .url(url.absoluteString)
    case let data as Data: return .data(Array(data))
    default: break
    }
  #endif
  #if canImport(ObjectiveC)
    if value is NSNull { return .null }
    if let number = value as? NSDecimalNumber { return .wide(number.doubleValue) }
    if let number = value as? NSNumber { return foreignNumber(number) }
  #else
    if let boxed = boxedValue(value) { return boxed }
  #endif
  #if canImport(FoundationEssentials) || canImport(Foundation)
    if let decimal = value as? Decimal { return .wide(Double("\(decimal)") ?? .nan) }
  #endif
  return nil
}

#if canImport(ObjectiveC)
  /// Unboxes a number by its kind.
  @_alwaysEmitIntoClient
  func foreignNumber(_ number: NSNumber) -> ForeignValue {
    if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
    if CFNumberIsFloatType(number) { return .double(number.doubleValue) }
    if let int = Int64(exactly: number) { return .int(int) }
    if let uint = UInt64(exactly: number) { return .uint(uint) }
    return .double(number.doubleValue)
  }
#else
  /// Unboxes `NSNull` and `NSNumber` on platforms where Foundation is a module like any other.
  ///
  /// It uses casts, because FoundationEssentials does not have these types, and Foundation would be
  /// a hundred times as large as this library. Casts unbox numbers of every class, including
  /// classes not known by name. No number is therefore left to casts elsewhere, which cannot
  /// distinguish a bool from a number.
  @usableFromInline
  func boxedValue(_ value: Any) -> ForeignValue? {
    guard let type = type(of: value) as? AnyClass else { return nil }
    // Each bool is a single shared object, which is different from any number 1.
    let object = value as AnyObject
    if object === (true as AnyObject) { return .bool(true) }
    if object === (false as AnyObject) { return .bool(false) }
    switch String(describing: type) {
    case "NSNull": return .null
    case "NSDecimalNumber": return Double("\(value)").map { .wide($0) }
    default:
      // A cast succeeds only if it preserves the value of the number.
      if let int = value as? Int64 { return .int(int) }
      if let uint = value as? UInt64 { return .uint(uint) }
      return (value as? Double).map { .double($0) }
    }
  }
#endif

/// Returns the attribute value of a Foundation type in an encoded struct; `nil` if the type encodes
/// itself.
@_alwaysEmitIntoClient
func encodedForeignValue(_ encodable: any Encodable) throws -> Value? {
  #if canImport(FoundationEssentials) || canImport(Foundation)
    switch encodable {
    case let date as Date:
      guard let instant = Value.Timestamp(secondsSince1970: date.timeIntervalSince1970) else {
        throw EncodingError.invalidValue(
          date, .init(codingPath: [], debugDescription: "a date that an attribute cannot be"))
      }
      return .timestamp(instant)
    case let url as URL: return .string(url.absoluteString)
    case let data as Data: return .bytes(Array(data))
    case let decimal as Decimal: return Double("\(decimal)").map { .double($0) }
    default: return nil
    }
  #else
    return nil
  #endif
}

/// Returns what a value encodes; `nil` if it is not `Encodable`.
@_alwaysEmitIntoClient
func encodedValue(_ value: Any) throws -> Value? {
  guard let encodable = value as? any Encodable else { return nil }
  return try encodedValue(of: encodable, foreign: encodedForeignValue)
}

@usableFromInline
func encodedValue(
  of encodable: any Encodable, foreign: @escaping (any Encodable) throws -> Value?
) throws -> Value {
  try Value(encoding: encodable, foreign: foreign)
}

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension Value {
    /// Creates the timestamp of a date; null if the date is not a finite number of seconds.
    @_alwaysEmitIntoClient
    public init(_ date: Date) {
      self =
        Timestamp(secondsSince1970: date.timeIntervalSince1970).map { .timestamp($0) } ?? .null
    }
  }
#endif
