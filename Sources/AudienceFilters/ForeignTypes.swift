public import ExpressionEngine

#if canImport(ObjectiveC)
  public import Foundation
#elseif canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

// What types of Foundation are as attributes. The functions are compiled into the modules that call them
// (`@export(implementation)` in Swift 6.3), so that static executables are seven megabytes smaller unless
// they make contexts of Swift dictionaries or of what encodes itself.

/// What a type of Foundation means to sanitation; `nil` for all other types.
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
  /// A boxed number: a bool stays one, a whole number is an integer however it was boxed.
  @_alwaysEmitIntoClient
  func foreignNumber(_ number: NSNumber) -> ForeignValue {
    if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
    if let int = Int64(exactly: number) { return .int(int) }
    if let uint = UInt64(exactly: number) { return .uint(uint) }
    return .double(number.doubleValue)
  }
#else
  /// `NSNull` and `NSNumber` where Foundation is a module like any other.
  ///
  /// They are opened by casts, because FoundationEssentials lacks them and Foundation would be a hundred
  /// times as large as this library. Casts open numbers of every class, those that are not known by name
  /// too, so that none of them is left to casts elsewhere that cannot tell a bool from a number.
  @usableFromInline
  func boxedValue(_ value: Any) -> ForeignValue? {
    guard let type = type(of: value) as? AnyClass else { return nil }
    // There is one object for each bool, and a number 1 is not it.
    let object = value as AnyObject
    if object === (true as AnyObject) { return .bool(true) }
    if object === (false as AnyObject) { return .bool(false) }
    switch String(describing: type) {
    case "NSNull": return .null
    case "NSDecimalNumber": return Double("\(value)").map { .wide($0) }
    default:
      // A cast succeeds only if it keeps the number as it is.
      if let int = value as? Int64 { return .int(int) }
      if let uint = value as? UInt64 { return .uint(uint) }
      return (value as? Double).map { .double($0) }
    }
  }
#endif

/// What a type of Foundation is as an attribute of an encoded struct; `nil` if it encodes itself.
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

/// The instant, or null when it is too far away for whole seconds.
@_alwaysEmitIntoClient
func timestamp(_ secondsSince1970: Double) -> Value {
  let seconds = secondsSince1970.rounded(.down)
  guard let whole = Int64(exactly: seconds) else { return .null }
  let nanoseconds = ((secondsSince1970 - seconds) * 1e9).rounded(.down)
  return .timestamp(
    Value.Timestamp(seconds: whole, nanoseconds: min(UInt32(nanoseconds), 999_999_999)))
}
