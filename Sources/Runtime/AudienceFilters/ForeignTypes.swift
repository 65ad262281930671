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
  /// Unboxes a number: a bool stays a bool, and a whole number is an integer regardless of how it
  /// was boxed.
  @_alwaysEmitIntoClient
  func foreignNumber(_ number: NSNumber) -> ForeignValue {
    if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
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
func encodedForeignValue(_ encodable: any Encodable) -> Value? {
  #if canImport(FoundationEssentials) || canImport(Foundation)
    switch encodable {
    case let date as Date: return timestamp(date.timeIntervalSince1970)
    case let url as URL: return .string(url.absoluteString)
    case let data as Data: return .bytes(Array(data))
    case let decimal as Decimal: return Double("\(decimal)").map { .double($0) }
    default: return nil
    }
  #else
    return nil
  #endif
}

/// Returns the instant, or null if it is out of range for whole seconds.
@_alwaysEmitIntoClient
func timestamp(_ secondsSince1970: Double) -> Value {
  let seconds = secondsSince1970.rounded(.down)
  guard let whole = Int64(exactly: seconds) else { return .null }
  let nanoseconds = ((secondsSince1970 - seconds) * 1e9).rounded(.down)
  return .timestamp(
    Value.Timestamp(seconds: whole, nanoseconds: min(UInt32(nanoseconds), 999_999_999)))
}
