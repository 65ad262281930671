import AudienceFilters
public import ExpressionEngine

/// Decides which values the app may hand in and what becomes of them (docs/spec/campaigns.md §6.7).
///
/// Dates are `Value.timestamp(_:)` here and data are `Value.bytes(_:)`; a URL is handed in as its text.
public struct AttributeSanitizer: Sendable {
  /// The options that decide the platform differences.
  public var options: MatchingOptions

  /// Creates a sanitizer.
  public init(options: MatchingOptions = .iOS) {
    self.options = options
  }

  /// The changes that setting user attributes makes: a value to store, or `nil` to remove.
  ///
  /// Keys that begin with `$` are ignored, values that JSON does not have and those that nest more than
  /// 128 levels deep are dropped, null removes, and so does an `email` that is not an address.
  /// Android stores every value, what lies deeper as null.
  public func userAttributeChanges(_ attributes: [String: Value]) -> [String: Value?] {
    var changes: [String: Value?] = [:]
    for (name, value) in attributes where SanitationRules.acceptsName(name) {
      if value == .null {
        changes[name] = .some(nil)
      } else if options.platform == .android {
        changes[name] = AttributeSanitizer.cut(value)
      } else if AttributeSanitizer.isJSON(value) {
        changes[name] = .some(AttributeSanitizer.isAccepted(value, as: name) ? value : nil)
      }
    }
    return changes
  }

  /// The parameters of a placement that remain: no `$` keys, no lists at the top level, dates as
  /// text (milliseconds since 1970 on Android), JSON scalars and maps as they are. Null becomes an
  /// empty map on iOS and is dropped on Android.
  public func placementParameters(_ parameters: [String: Value]) -> [String: Value] {
    var result: [String: Value] = [:]
    result.reserveCapacity(parameters.count)
    for (name, value) in parameters {
      if let value = placementParameter(name, value) { result[name] = value }
    }
    return result
  }

  /// Returns the parameter of a placement as filters may see it; `nil` if it is dropped.
  func placementParameter(_ name: String, _ value: Value) -> Value? {
    guard SanitationRules.acceptsName(name) else { return nil }
    switch value {
    case .bool, .int, .uint, .string, .map: return value
    case .null: return options.platform == .iOS ? .map([:]) : nil
    case .double(let number): return number.isFinite ? value : nil
    case .timestamp(let time):
      let instant = WallTime(timestamp: time)
      return options.platform == .android
        ? .int(instant.milliseconds) : .string(instant.description)
    default: return nil
    }
  }

  /// Converts a value for a filter's context. Values more than 128 levels deep become what null
  /// becomes there.
  public func contextValue(_ value: Value) -> Value { contextValue(value, depth: 0) }

  /// The recursion ends with ``maximumValueDepth``, as it does wherever the engine walks a value.
  private func contextValue(_ value: Value, depth: Int) -> Value {
    guard depth < maximumValueDepth else { return nestedNull }
    switch value {
    case .list(let elements):
      return .list(elements.map { contextValue($0, depth: depth + 1) })
    case .map(let entries):
      var result: [Value.Key: Value] = [:]
      for case (.string(let name), let value) in entries {
        result[.string(name)] = contextValue(value, depth: depth + 1)
      }
      return .map(result)
    case .null:
      return depth > 0 ? nestedNull : .null
    case .timestamp, .duration, .function, .type, .optional, .network:
      return options.platform == .iOS ? .map([:]) : .null
    case .string(let text) where options.stripsDollarSigns:
      return .string(SanitationRules.withoutReservedBytes(text))
    default:
      return value
    }
  }

  /// The replacement for null inside collections.
  private var nestedNull: Value { options.encodesNestedNullAsEmptyMap ? .map([:]) : .null }

  /// A value whose parts beyond ``maximumValueDepth`` are null.
  static func cut(_ value: Value, depth: Int = 0) -> Value {
    guard depth < maximumValueDepth else { return .null }
    switch value {
    case .list(let elements): return .list(elements.map { cut($0, depth: depth + 1) })
    case .map(let entries): return .map(entries.mapValues { cut($0, depth: depth + 1) })
    case .optional(let content?): return .optional(cut(content, depth: depth + 1))
    default: return value
    }
  }

  /// Whether a value consists only of what JSON has, and nests no deeper than ``maximumValueDepth``.
  static func isJSON(_ value: Value, depth: Int = 0) -> Bool {
    guard depth < maximumValueDepth else { return false }
    switch value {
    case .null, .bool, .int, .uint, .string: return true
    case .double(let number): return number.isFinite
    case .list(let elements): return elements.allSatisfy { isJSON($0, depth: depth + 1) }
    case .map(let entries):
      return entries.allSatisfy { key, value in
        if case .string = key { isJSON(value, depth: depth + 1) } else { false }
      }
    default: return false
    }
  }

  /// Whether a number that is not finite occurs anywhere in what reaches a context of a value.
  static func containsNonFinite(_ value: Value, depth: Int = 0) -> Bool {
    guard depth < maximumValueDepth else { return false }
    switch value {
    case .double(let number): return !number.isFinite
    case .list(let elements):
      return elements.contains { containsNonFinite($0, depth: depth + 1) }
    case .map(let entries):
      return entries.values.contains { containsNonFinite($0, depth: depth + 1) }
    default: return false
    }
  }

  /// Whether a user attribute of this name may have the value.
  private static func isAccepted(_ value: Value, as name: String) -> Bool {
    guard case .string(var text) = value else { return true }
    return text.withUTF8 { SanitationRules.acceptsText(name, $0) }
  }
}

extension WallTime {
  /// The instant of a timestamp, cut to milliseconds.
  init(timestamp: Value.Timestamp) {
    self = WallTime(seconds: timestamp.seconds)
      .advanced(byMilliseconds: Int64(timestamp.nanoseconds / 1_000_000))
  }
}
