/// Allows filters to start with a minus sign: `swexpr eval '-5 + 3'`.
enum LeadingDash {
  /// Returns the arguments, with filters that look like options moved after a `--`, where they are
  /// not parsed as options.
  ///
  /// An argument is a filter rather than an option if no option could be spelled that way: options
  /// are `--word-word`, maybe with `=value`, and the single letters `-h`, `-v`, `-i` and so on.
  /// Arguments after the user's own `--` are left alone. No option takes a value that starts with a
  /// dash, except for the plain `-`.
  static func protectingExpressions(in arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let filters = arguments[..<end].filter { isExpression($0) }
    guard !filters.isEmpty else { return arguments }
    let others = arguments[..<end].filter { !isExpression($0) }
    return others + ["--"] + filters + arguments[end...].dropFirst()
  }

  /// Returns whether an argument that starts with a dash is a filter.
  static func isExpression(_ argument: String) -> Bool {
    let bytes = Array(argument.utf8)
    guard bytes.count > 1, bytes[0] == dash else { return false }
    if bytes[1] != dash {
      // `-x` may be an option of one letter; `-x > 3` and `-5` may not.
      return bytes.count > 2 || !isLowercase(bytes[1])
    }
    guard bytes.count > 2 else { return false }
    guard isLowercase(bytes[2]) else { return true }
    let name = bytes[2...].prefix { $0 != UInt8(ascii: "=") }
    return !name.allSatisfy { isLowercase($0) || $0 == dash }
  }

  private static let dash = UInt8(ascii: "-")

  private static func isLowercase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
