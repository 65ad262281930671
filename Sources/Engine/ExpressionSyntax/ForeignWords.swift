/// Words from other languages, with their equivalents in the expression language.
package enum ForeignWords {
  /// Functions of other languages that change the case of a text's letters.
  package static let letterCases = [
    "downcase", "upcase", "lower", "upper", "lowercase", "uppercase",
  ]

  /// Returns the literal that a word stands for in other languages: `None`, `TRUE`, `undefined`.
  ///
  /// - Parameter word: A name that is not a variable.
  /// - Returns: `null`, `true` or `false`, or `nil` if the word has no equivalent.
  package static func literal(for word: String) -> String? {
    switch word.lowercased() {
    case "null", "nil", "none", "undefined": "null"
    case "true", "yes", "verdadeiro", "verdadero", "vrai", "wahr", "vero", "sant", "waar",
      "真", "是", "はい", "да", "истина", "참":
      "true"
    case "false", "no", "falso", "faux", "falsch", "falskt", "onwaar", "假", "否",
      "いいえ", "нет", "ложь", "거짓":
      "false"
    default: nil
    }
  }

  /// Returns the operator that a word stands for in other languages.
  static func infix(for word: String) -> TokenKind? {
    switch word.lowercased() {
    case "and": .and
    case "or": .or
    case "in": .in
    case "eq", "equals": .equal
    case "ne", "neq", "isnt": .notEqual
    case "gt": .greater
    case "gte", "ge": .greaterEqual
    case "lt": .less
    case "lte", "le": .lessEqual
    case "mod": .percent
    default: nil
    }
  }

  /// Returns advice for a word that starts a statement or a declaration, which filters do not have.
  static func helpForStatement(_ word: String) -> String? {
    switch word.lowercased() {
    case "if", "when", "unless", "guard", "switch", "case", "elif", "else":
      "write the condition alone; a choice between two values is `condition ? first : second`"
    case "select", "where", "from", "having", "filter":
      "write the condition alone, as after `WHERE`"
    case "return", "print", "assert": "write the condition alone"
    case "let", "var", "val", "const", "def", "set":
      "there are no variables to define; write the value where it is used"
    case "function", "func", "fun", "lambda":
      "there are no functions to define; write the condition alone"
    case "for", "foreach", "while": "a loop over a list is written `list.exists(x, x == 1)`"
    case "typeof":
      "there is no test of types; to ask whether there is a value, write `has(…)` in the place of "
        + "the condition"
    case "new", "delete", "await", "try": "write the value alone"
    default: nil
    }
  }
}
