import ExpressionCoding
public import ExpressionEngine

#if canImport(ObjectiveC)
  public import Foundation
#elseif canImport(FoundationEssentials)
  // Weak: a static executable contains Foundation, which is seven megabytes large, only if the rest
  // of the program uses it.
  @_weakLinked public import FoundationEssentials
#endif

// The conversion of Foundation's types to attributes.

/// Returns the meaning of a value of a Foundation type for sanitation; `nil` for all other types.
func foreignValue(_ value: Any) -> ForeignValue? {
  if let known = foundationValue(value) { return known }
  #if canImport(ObjectiveC)
    if value is NSNull { return .null }
    return (value as? NSNumber).map { foreignNumber($0) }
  #else
    return boxedValue(value)
  #endif
}

/// Returns the meaning of a value of a type that Foundation declares as a struct.
private func foundationValue(_ value: Any) -> ForeignValue? {
  #if canImport(FoundationEssentials) || canImport(Foundation)
    if LinkedTypes.date, let date = value as? Date { return .date(date.timeIntervalSince1970) }
    if LinkedTypes.url, let url = value as? URL { return .url(url.absoluteString) }
    if LinkedTypes.data, let data = value as? Data { return .data(Array(data)) }
    if LinkedTypes.decimal, value is Decimal { return .wide(Double("\(value)") ?? .nan) }
  #endif
  return nil
}

/// Which of Foundation's types the program contains. Without one there are no values of it, and
/// nothing may refer to it.
private enum LinkedTypes {
  static let date = isLinked("4Date")
  static let url = isLinked("3URL")
  static let data = isLinked("4Data")
  static let decimal = isLinked("7Decimal")

  private static func isLinked(_ mangledName: String) -> Bool {
    #if canImport(ObjectiveC)
      true
    #else
      _typeByName("20FoundationEssentials\(mangledName)V") != nil
    #endif
  }
}

#if canImport(ObjectiveC)
  /// Unboxes a number by its kind.
  private func foreignNumber(_ number: NSNumber) -> ForeignValue {
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
  private func boxedValue(_ value: Any) -> ForeignValue? {
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
func encodedForeignValue(_ encodable: any Encodable) throws -> Value? {
  switch foundationValue(encodable) {
  case .date(let seconds):
    guard let instant = Value.Timestamp(secondsSince1970: seconds) else {
      throw EncodingError.invalidValue(
        encodable, .init(codingPath: [], debugDescription: "a date that an attribute cannot be"))
    }
    return .timestamp(instant)
  case .url(let text): return .string(text)
  case .data(let octets): return .bytes(octets)
  case .wide(let number): return .double(number)
  default: return nil
  }
}

/// Returns what a value encodes; `nil` if it is not `Encodable`.
func encodedValue(_ value: Any) throws -> Value? {
  guard let encodable = value as? any Encodable else { return nil }
  return try Value(encoding: encodable, foreign: encodedForeignValue)
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
