/// The kind of token that ``JSONScanner/nextToken()`` found. The scanner's accessors give its
/// content.
package enum JSONToken: UInt8, Sendable, Hashable {
  /// `{`
  case beginObject
  /// `}`
  case endObject
  /// `[`
  case beginArray
  /// `]`
  case endArray
  /// The name of an object's member, including its colon; see ``JSONScanner/stringBytes``.
  case key
  /// A string value; see ``JSONScanner/stringBytes``.
  case string
  /// A number written as an integer that fits `Int64`; see ``JSONScanner/intValue``.
  case int
  /// A number written as an integer above `Int64.max` that fits `UInt64`; see
  /// ``JSONScanner/uintValue``.
  case uint
  /// Any other number; see ``JSONScanner/doubleValue`` and ``JSONScanner/isWrittenAsInteger``.
  case double
  /// `true`
  case `true`
  /// `false`
  case `false`
  /// `null`
  case null
  /// The end of the document. Further calls return `end` again.
  case end

  /// The token's name in error messages.
  var phrase: String {
    switch self {
    case .beginObject: "an object"
    case .endObject: "`}`"
    case .beginArray: "an array"
    case .endArray: "`]`"
    case .key: "a member name"
    case .string: "a string"
    case .int, .uint: "an integer"
    case .double: "a number"
    case .true, .false: "a bool"
    case .null: "null"
    case .end: "the end of the text"
    }
  }
}
