// Formulas of spreadsheets.

extension IdiomText {
  // MARK: Spreadsheets

  /// `=AND(age>18, plan="pro")`, `IF(OR(a=1, b<>2), TRUE, FALSE)`.
  func spreadsheet() -> String? {
    var all = pieces
    if all.first?.isMark("=") == true { all.removeFirst() }
    for index in all.indices.dropLast() where all[index].kind == .path {
      let isCall = all[index + 1].isMark("(")
      if let word = Self.words.first(where: { $0.isCall == isCall && all[index].isWord($0.others) })
      {
        all[index].text = word.name
      }
    }
    guard all.count > 2, all[0].isWord(["and", "or", "not", "if"]), all[1].isMark("(") else {
      return nil
    }
    return Self.formula(all[...], depth: 0)
  }

  /// The functions and values of spreadsheets in other languages.
  private static let words: [(name: String, isCall: Bool, others: [String])] = [
    ("if", true, ["wenn", "si", "se", "als", "om", "hvis", "jos"]),
    ("and", true, ["und", "y", "et", "e", "en", "och", "og", "ja"]),
    ("or", true, ["oder", "o", "ou", "of", "eller", "tai"]),
    ("not", true, ["nicht", "no", "non", "nao", "niet", "icke", "ikke", "ei"]),
    ("true", false, ["wahr", "verdadero", "vrai", "vero", "verdadeiro", "waar", "sant", "sand"]),
    ("false", false, ["falsch", "falso", "faux", "onwaar", "falskt", "falsk"]),
  ]

  private static func formula(_ pieces: ArraySlice<Piece>, depth: Int) -> String? {
    guard depth < 16 else { return nil }
    var rest = pieces
    var result = ""
    while let first = rest.first {
      if first.followsSpace, !result.isEmpty { result += " " }
      let next = rest.dropFirst().first
      if first.isWord(["and", "or", "not", "if"]), next?.isMark("(") == true {
        guard let (count, arguments) = arguments(of: rest.dropFirst(2)) else { return nil }
        let texts = arguments.compactMap { formula($0, depth: depth + 1) }
        guard texts.count == arguments.count, let call = call(first, texts) else { return nil }
        result += call
        rest = rest.dropFirst(2 + count)
        continue
      }
      let compares = result.last.map { "<>!=".contains($0) } ?? false
      if first.isMark("<"), next?.isMark(">") == true {
        result += " != "
        rest = rest.dropFirst(2)
        continue
      }
      if first.isMark("="), !compares, next?.isMark("=") != true {
        result += " == "
      } else {
        result += first.isWord(["true", "false"]) ? first.text.lowercased() : first.text
      }
      rest = rest.dropFirst()
    }
    return result
  }

  /// The arguments up to the parenthesis that closes a call, and the number of pieces with it.
  private static func arguments(
    of pieces: ArraySlice<Piece>
  ) -> (count: Int, arguments: [ArraySlice<Piece>])? {
    var arguments: [ArraySlice<Piece>] = []
    var start = pieces.startIndex
    var depth = 0
    for index in pieces.indices {
      let piece = pieces[index]
      if piece.isMark("(") {
        depth += 1
      } else if piece.isMark(")"), depth == 0 {
        arguments.append(pieces[start..<index])
        return (index - pieces.startIndex + 1, arguments)
      } else if piece.isMark(")") {
        depth -= 1
      } else if depth == 0, piece.isMark(",") || piece.isMark(";") {
        arguments.append(pieces[start..<index])
        start = index + 1
      }
    }
    return nil
  }

  private static func call(_ function: Piece, _ arguments: [String]) -> String? {
    if function.isWord(["not"]) { return arguments.count == 1 ? "!(\(arguments[0]))" : nil }
    guard function.isWord(["if"]) else {
      let op = function.isWord(["and"]) ? " && " : " || "
      return "(" + arguments.joined(separator: op) + ")"
    }
    guard arguments.count == 3 else { return nil }
    switch (arguments[1].filter { $0 != " " }, arguments[2].filter { $0 != " " }) {
    case ("true", "false"): return arguments[0]
    case ("false", "true"): return "!(\(arguments[0]))"
    default: return "(\(arguments[0]) ? \(arguments[1]) : \(arguments[2]))"
    }
  }
}
