import CSwexpr
import ExpressionCoding
import ExpressionEngine

/// A form of values as text: the constants of `swexpr_format`.
enum ValueFormat {
  case plain, tagged, literal

  /// Returns the form that a constant stands for.
  ///
  /// - Throws: ``InterfaceError`` if there is no such form.
  init(_ constant: swexpr_format) throws(InterfaceError) {
    switch Int(constant) {
    case Int(SWEXPR_PLAIN): self = .plain
    case Int(SWEXPR_TAGGED): self = .tagged
    case Int(SWEXPR_LITERAL): self = .literal
    default: throw InterfaceError("\(constant) is not a `swexpr_format`")
    }
  }

  /// The error of a function that takes or returns JSON only.
  static let literalIsNotJSON = InterfaceError(
    "`SWEXPR_LITERAL` is not JSON: use `SWEXPR_PLAIN` or `SWEXPR_TAGGED`")

  /// Returns a value as text.
  func text(of value: Value) -> String {
    switch self {
    case .plain: value.jsonText()
    case .tagged: PassableValue.text(value)
    case .literal: value.literal
    }
  }

  /// Writes a value as JSON.
  ///
  /// - Throws: ``InterfaceError`` if the form is not JSON.
  func write(_ value: Value, to writer: inout JSONWriter) throws(InterfaceError) {
    switch self {
    case .plain: value.writePlain(to: &writer)
    case .tagged: PassableValue.write(value, to: &writer)
    case .literal: throw Self.literalIsNotJSON
    }
  }

  /// Reads a value.
  ///
  /// - Throws: ``InterfaceError`` for a text of another form, or if the form is not JSON.
  func value(of text: String) throws(InterfaceError) -> Value {
    if self == .literal { throw Self.literalIsNotJSON }
    return try InterfaceError.describing { () throws(JSONError) in
      try self == .plain ? Value(json: text) : PassableValue.read(text)
    }
  }
}
