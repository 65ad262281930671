/// The forms of functions in an engine's SQL: `#1` is an operand that may be anything, `$1` one that
/// needs parentheses unless it is simple.
struct FunctionTemplates: Sendable, ExpressibleByDictionaryLiteral {
  private let templates: [SQLFunction: (text: String, uses: [Int])]

  init(dictionaryLiteral elements: (SQLFunction, String)...) {
    templates = Dictionary(
      uniqueKeysWithValues: elements.map { ($0, ($1, Self.uses(in: $1))) })
  }

  /// The form of a function; `nil` if the engine has none.
  subscript(function: SQLFunction) -> String? { templates[function]?.text }

  /// How often the form of a function writes each of its operands, at least once.
  func uses(of function: SQLFunction) -> [Int] { templates[function]?.uses ?? [] }

  private static func uses(in template: String) -> [Int] {
    var counts: [Int] = []
    var isMarked = false
    for byte in template.utf8 {
      if isMarked, (0x31...0x39).contains(byte) {
        let index = Int(byte) - 0x31
        while counts.count <= index { counts.append(0) }
        counts[index] += 1
      }
      isMarked = byte == 0x23 || byte == 0x24
    }
    return counts.map { max($0, 1) }
  }
}
