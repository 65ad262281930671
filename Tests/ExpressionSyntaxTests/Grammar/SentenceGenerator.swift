import ExpressionSyntax
import TestSupport

/// Makes random sentences of a grammar.
struct SentenceGenerator {
  let grammar: EBNF
  let dialect: Dialect
  var random: SeededGenerator
  /// How many levels of rules each form needs at least.
  private var leastDepth: [String: Int] = [:]
  private var tokens: [String] = []

  init(grammar: EBNF, dialect: Dialect, seed: UInt64) {
    self.grammar = grammar
    self.dialect = dialect
    self.random = SeededGenerator(seed: seed)
    // Repeated until nothing changes, since rules refer to each other.
    var changed = true
    while changed {
      changed = false
      for (name, form) in grammar.rules {
        let depth = 1 + depth(of: form)
        if depth < leastDepth[name] ?? 1000 {
          leastDepth[name] = depth
          changed = true
        }
      }
    }
  }

  private func depth(of form: EBNF.Form) -> Int {
    switch form {
    case .text, .range, .described, .optional, .repetition: 0
    case .rule(let name): leastDepth[name] ?? 1000
    case .sequence(let parts): parts.map(depth(of:)).max() ?? 0
    case .choice(let options): options.map(depth(of:)).min() ?? 0
    }
  }

  /// A sentence of the grammar's first rule, as text with random spacing.
  mutating func sentence(budget: Int) -> String {
    tokens = []
    generate(.rule(grammar.start), budget: budget)
    return spaced()
  }

  private mutating func generate(_ form: EBNF.Form, budget: Int) {
    switch form {
    case .text(let text): tokens.append(text)
    case .rule(let name):
      if name.first?.isUppercase == true {
        tokens.append(token(name))
      } else if let rule = grammar.rules[name] {
        generate(rule, budget: budget - 1)
      }
    case .sequence(let parts): for part in parts { generate(part, budget: budget) }
    case .choice(let options):
      let least = depth(of: form)
      let affordable = options.filter { depth(of: $0) <= max(budget, least) }
      if let option = affordable.randomElement(using: &random) { generate(option, budget: budget) }
    case .optional(let part):
      if budget > 0, Bool.random(using: &random) { generate(part, budget: budget - 2) }
    case .repetition(let part):
      var count = budget > 0 ? Int.random(in: 0...2, using: &random) : 0
      while count > 0 {
        generate(part, budget: budget - 3)
        count -= 1
      }
    case .range, .described: tokens.append(characters(form, in: ""))
    }
  }

  /// One token of a rule in capitals, whose parts stand side by side.
  private mutating func token(_ name: String) -> String {
    let text = grammar.rules[name].map { characters($0, in: name) } ?? ""
    let isKeyword = name == "NAME" && dialect.keywords.contains(text)
    let isReserved = name == "VARIABLE" && (dialect.keywords + dialect.reservedWords).contains(text)
    return isKeyword || isReserved ? text + "_" : text
  }

  private mutating func characters(_ form: EBNF.Form, in rule: String) -> String {
    switch form {
    case .text(let text): return text
    case .rule(let name): return grammar.rules[name].map { characters($0, in: name) } ?? ""
    case .sequence(let parts):
      var out = ""
      for part in parts { out += characters(part, in: rule) }
      return out
    case .choice(let options):
      return options.randomElement(using: &random).map { characters($0, in: rule) } ?? ""
    case .optional(let part): return Bool.random(using: &random) ? characters(part, in: rule) : ""
    case .repetition(let part):
      var out = ""
      // Few digits, so that every number fits.
      let most = rule == "EXPONENT" ? 1 : 4
      for _ in 0..<Int.random(in: 0...most, using: &random) { out += characters(part, in: rule) }
      return out
    case .range(let low, let high):
      let value = UInt32.random(in: low.value...high.value, using: &random)
      return Unicode.Scalar(value).map(String.init) ?? ""
    case .described:
      switch rule {
      case "PLAIN":
        return ["a", "Z", " ", "/", "é", "日", "😀", "#", "`", "\t"].randomElement(using: &random)
          ?? ""
      case "LINEBREAK": return ["\n", "\r\n", "\r"].randomElement(using: &random) ?? ""
      default: preconditionFailure("no characters for \(rule)")
      }
    }
  }

  /// The tokens with white space and comments between them: always where one might be needed.
  private mutating func spaced() -> String {
    let separators: Set<Character> = ["(", ")", "[", "]", "{", "}", ",", ":"]
    var out = ""
    for token in tokens {
      if let last = out.last, let first = token.first {
        let mayTouch = separators.contains(last) || separators.contains(first)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: out += "\n"
        case 1: out += " // \(["c", "a \"b", ")", "//"].randomElement(using: &random) ?? "")\n"
        case 2: out += "\t "
        case 3...11 where mayTouch: break
        default: out += " "
        }
      }
      out += token
    }
    return out
  }
}
