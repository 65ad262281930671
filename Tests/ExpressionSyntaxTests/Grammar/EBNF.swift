import Foundation

/// A grammar in the notation that the files of `grammar/` explain.
struct EBNF {
  indirect enum Form {
    case text(String)
    case rule(String)
    case sequence([Form])
    case choice([Form])
    case optional(Form)
    case repetition(Form)
    case range(Unicode.Scalar, Unicode.Scalar)
    case described(String)
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var rules: [String: Form] = [:]
  private(set) var start = ""
  /// All texts in quotes, by the rule they stand in.
  private(set) var texts: [String: Set<String>] = [:]

  private var characters: [Character]
  private var index = 0
  private var current = ""

  init(_ text: String) throws {
    characters = Array(text)
    while try skipSpace() {
      let name = word()
      guard !name.isEmpty else { throw Failure(description: "expected a rule at \(index)") }
      current = name
      if start.isEmpty { start = name }
      try expect("=")
      rules[name] = try choice()
      try expect(";")
    }
    for name in referenced(in: .choice(Array(rules.values))) where rules[name] == nil {
      throw Failure(description: "no rule \(name)")
    }
  }

  private func referenced(in form: Form) -> Set<String> {
    switch form {
    case .rule(let name): [name]
    case .sequence(let parts), .choice(let parts):
      parts.reduce(into: []) { $0.formUnion(referenced(in: $1)) }
    case .optional(let part), .repetition(let part): referenced(in: part)
    case .text, .range, .described: []
    }
  }

  /// Moves past white space and comments; `false` at the end.
  private mutating func skipSpace() throws -> Bool {
    while index < characters.count {
      if characters[index].isWhitespace {
        index += 1
      } else if characters[index...].starts(with: "(*") {
        while !characters[index...].starts(with: "*)") {
          index += 1
          if index >= characters.count { throw Failure(description: "comment is not closed") }
        }
        index += 2
      } else {
        return true
      }
    }
    return false
  }

  private mutating func word() -> String {
    let first = index
    while index < characters.count, characters[index].isLetter { index += 1 }
    return String(characters[first..<index])
  }

  private mutating func expect(_ character: Character) throws {
    guard try skipSpace(), characters[index] == character else {
      throw Failure(description: "expected \(character) in \(current) at \(index)")
    }
    index += 1
  }

  private mutating func choice() throws -> Form {
    var options = [try sequence()]
    while try skipSpace(), characters[index] == "|" {
      index += 1
      options.append(try sequence())
    }
    return options.count == 1 ? options[0] : .choice(options)
  }

  private mutating func sequence() throws -> Form {
    var parts: [Form] = []
    while try skipSpace() {
      let character = characters[index]
      switch character {
      case "\"", "'": parts.append(.text(try quoted()))
      case "(":
        index += 1
        parts.append(try choice())
        try expect(")")
      case "[":
        index += 1
        parts.append(.optional(try choice()))
        try expect("]")
      case "{":
        index += 1
        parts.append(.repetition(try choice()))
        try expect("}")
      case "?": parts.append(try special())
      default:
        guard character.isLetter else {
          return parts.count == 1 ? parts[0] : .sequence(parts)
        }
        parts.append(.rule(word()))
      }
    }
    throw Failure(description: "\(current) is not closed")
  }

  private mutating func quoted() throws -> String {
    let quote = characters[index]
    index += 1
    let first = index
    while index < characters.count, characters[index] != quote { index += 1 }
    guard index < characters.count else { throw Failure(description: "text is not closed") }
    let text = String(characters[first..<index])
    index += 1
    texts[current, default: []].insert(text)
    return text
  }

  private mutating func special() throws -> Form {
    index += 1
    _ = try skipSpace()
    if characters[index] == "\"" {
      let low = try quoted()
      try expect("…")
      _ = try skipSpace()
      let high = try quoted()
      try expect("?")
      guard let from = low.unicodeScalars.first, let to = high.unicodeScalars.first else {
        throw Failure(description: "empty range in \(current)")
      }
      return .range(from, to)
    }
    let first = index
    while index < characters.count, characters[index] != "?" { index += 1 }
    let text = String(characters[first..<index])
    try expect("?")
    return .described(text)
  }
}
