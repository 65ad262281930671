import ExpressionSyntax
import FilterAnalysis

// Words between values, tests of shells and of R, and lists of other languages.

extension IdiomText {
  // MARK: Words

  /// Comparisons in words, the longer ones first, each with its operator.
  private static let comparisons: [(words: [String], op: String)] = [
    (["is", "greater", "than", "or", "equal", "to"], ">="),
    (["is", "less", "than", "or", "equal", "to"], "<="),
    (["greater", "than", "or", "equal", "to"], ">="),
    (["less", "than", "or", "equal", "to"], "<="),
    (["is", "greater", "than"], ">"), (["is", "more", "than"], ">"), (["is", "less", "than"], "<"),
    (["is", "fewer", "than"], "<"), (["is", "not", "equal", "to"], "!="),
    (["is", "different", "from"], "!="),
    (["is", "other", "than"], "!="), (["is", "the", "same", "as"], "=="),
    (["is", "equal", "to"], "=="), (["is", "exactly"], "=="), (["exactly", "matches"], "=="),
    (["exactly"], "=="), (["equals", "to"], "=="),
    (["equal", "to"], "=="), (["matches", "any", "of"], "in"), (["matches", "one", "of"], "in"),
    (["is", "any", "of"], "in"), (["is", "one", "of"], "in"), (["any", "of"], "in"),
    (["one", "of"], "in"), (["is", "at", "least"], ">="), (["at", "least"], ">="),
    (["is", "at", "most"], "<="), (["at", "most"], "<="), (["is", "no", "more", "than"], "<="),
    (["no", "more", "than"], "<="), (["is", "no", "less", "than"], ">="),
    (["no", "less", "than"], ">="), (["was"], "=="), (["were"], "=="), (["exceeds"], ">"),
  ]

  /// `age is equal to 3`, `plan matches any of ["a"]`, `age at least 18`.
  static func comparison(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    guard let first = pieces.first, first.kind == .path, isRoot(first.text) else { return nil }
    let rest = pieces.dropFirst()
    for (words, op) in comparisons where starts(rest, with: words) {
      guard let next = rest.dropFirst(words.count).first, next.isValue || next.isMark("[") else {
        continue
      }
      return (1 + words.count, "\(first.text) \(op)")
    }
    return nil
  }

  private static let conjunctions = [
    "where", "comma", "plus", "also", "but", "und", "och", "og", "et", "y",
  ]
  private static let disjunctions = ["oder", "eller", "ou", "of"]

  /// `a > 3 unless b == 1`, `a > 3 where b == 1`, `a > 3, b == 1`: a word or a mark between
  /// conditions.
  func joined() -> String? {
    // A comment ends with its line.
    let hasComment = zip(pieces, pieces.dropFirst()).contains {
      $0.isMark("/") && $1.isMark("/") && !$1.followsSpace
    }
    guard !hasComment else { return nil }
    var depth = 0
    let marks = pieces.indices.dropFirst().filter { index in
      let piece = pieces[index]
      if ["(", "[", "{"].contains(where: piece.isMark) { depth += 1 }
      if [")", "]", "}"].contains(where: piece.isMark) { depth -= 1 }
      if piece.isMark(";") { return true }
      if depth == 0, piece.isMark(",") || piece.isMark("\u{FF0C}") { return true }
      return piece.isWord(["unless"] + Self.conjunctions + Self.disjunctions)
        && index + 1 < pieces.count && (pieces[index - 1].isValue || pieces[index - 1].isMark(")"))
    }
    guard let place = marks.first else { return nil }
    if pieces[place].isWord(Self.disjunctions) {
      return "\(Self.text(of: pieces[..<place])) || \(Self.text(of: pieces[(place + 1)...]))"
    }
    let before = Self.grouped(pieces[..<place])
    guard place + 1 < pieces.count else { return before }
    return pieces[place].isWord(["unless"])
      ? "\(before) && !(\(Self.text(of: pieces[(place + 1)...])))"
      : "\(before) && \(Self.grouped(pieces[(place + 1)...]))"
  }

  /// The text of a condition, in parentheses if it has an operator that binds less than `&&`.
  private static func grouped(_ pieces: ArraySlice<Piece>) -> String {
    let isLoose = pieces.contains { $0.isMark("|") || $0.isMark("?") || $0.isWord(["or"]) }
    return isLoose ? "(\(text(of: pieces)))" : text(of: pieces)
  }

  /// `params.url == https://acme.com/sale`.
  static func linkWithoutQuotes(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let head = Array(pieces.prefix(4))
    guard head.count == 4, head[0].isWord(["http", "https"]), head[1].isMark(":"),
      head[2].isMark("/"), head[3].isMark("/")
    else { return nil }
    let rest = pieces.dropFirst().prefix {
      !$0.followsSpace && !$0.isMark(")") && $0.kind != .quoted
    }
    return (rest.count + 1, "\"\(head[0].text)\(rest.map { $0.text }.joined())\"")
  }

  /// `isset($user.email)` and `!empty($user.email)` of PHP.
  static func presenceCall(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let isNegated = pieces.first?.isMark("!") == true
    let call = Array(pieces.dropFirst(isNegated ? 1 : 0).prefix(5))
    guard call.count == 5, call[0].isWord(["isset", "empty"]), call[1].isMark("("),
      call[2].isMark("$"), call[3].kind == .path, isRoot(call[3].text), call[4].isMark(")")
    else { return nil }
    let isThere = call[0].isWord(["isset"]) != isNegated
    return (isNegated ? 6 : 5, "\(isThere ? "" : "!")has(\(call[3].text))")
  }

  /// `has user.phone`, `size user.tags`.
  static func wordCall(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(2))
    guard all.count == 2, all[0].isWord(["has", "exists", "size"]), all[1].kind == .path,
      isRoot(all[1].text)
    else { return nil }
    return (2, "\(all[0].isWord(["size"]) ? "size" : "has")(\(all[1].text))")
  }

  /// `plan == quote gold quote`, as dictation writes it.
  static func dictated(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    if pieces.first?.isWord(["open", "close"]) == true,
      pieces.dropFirst().first?.isWord(["quote"]) == true
    {
      let rest = pieces.dropFirst(2)
      guard let end = rest.firstIndex(where: { $0.isWord(["close"]) }), end > rest.startIndex,
        end + 1 < rest.endIndex, rest[end + 1].isWord(["quote"])
      else { return nil }
      return (end + 2 - pieces.startIndex, "\"\(text(of: rest[..<end]))\"")
    }
    guard let first = pieces.first, first.isWord(["quote"]),
      let end = pieces.dropFirst().firstIndex(where: { $0.isWord(["quote", "unquote"]) }),
      end > pieces.startIndex + 1
    else { return nil }
    return (
      end - pieces.startIndex + 1, "\"\(text(of: pieces[(pieces.startIndex + 1)..<end]))\""
    )
  }

  /// `(1) plan == "team" (2) seats > 3`, `1. plan == "team" 2. seats > 3`.
  func numbered() -> String? {
    var result = ""
    var rest = pieces[...]
    var count = 0
    while let first = rest.first {
      let marks = Array(rest.prefix(3))
      let number = count + 1
      let length: Int? =
        if marks.count == 3, first.isMark("("), marks[1].text == "\(number)", marks[2].isMark(")") {
          3
        } else if first.text == "\(number).", first.kind == .number {
          1
        } else if marks.count == 3, first.text == "\(number)", marks[1].isMark(")") {
          2
        } else {
          nil
        }
      if let length, count > 0 || result.isEmpty {
        if count > 0 { result += " &&" }
        rest = rest.dropFirst(length)
        count += 1
        continue
      }
      if first.followsSpace, !result.isEmpty { result += " " }
      result += first.text
      rest = rest.dropFirst()
    }
    return count > 1 ? result : nil
  }

  // MARK: Shells and R

  private static let shellOperators = [
    "eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<=", "a": "&&", "o": "||",
  ]

  /// `age -gt 3 -a plan -eq "pro"`.
  static func shellOperator(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(3))
    guard all.count == 3, all[0].isMark("-"), all[0].followsSpace, !all[1].followsSpace,
      all[2].followsSpace, let op = shellOperators[all[1].text]
    else { return nil }
    return (2, op)
  }

  /// `user.age = > 3`, in which the operator has a space.
  static func spacedOrder(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count == 4, all[0].isValue || all[0].isMark(")"), all[1].isMark("="),
      all[2].isMark(">") || all[2].isMark("<"), all[2].followsSpace,
      all[3].isValue || all[3].isMark("(")
    else { return nil }
    return (3, "\(all[0].text) \(all[2].text)=")
  }

  /// `user.age.$gte(18)`, as queries of databases spell operators.
  static func queryOperator(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(6))
    guard all.count == 6, all[0].kind == .path, all[0].text.hasSuffix("."), all[1].isMark("$"),
      all[3].isMark("("), all[4].isValue, all[5].isMark(")"),
      let op = shellOperators[all[2].text.replacingFirst("te", by: "e")]
    else { return nil }
    return (6, "\(all[0].text.dropLast()) \(op) \(all[4].text)")
  }

  /// `[ a == 1 ]` and `[[ a == 1 ]]`: a text that is nothing else.
  func shellTest() -> String? {
    guard let last = pieces.last, last.isMark("]"), last.followsSpace || pieces.count > 6,
      pieces[0].isMark("["), pieces.count > 3
    else { return nil }
    let isDouble = pieces[1].isMark("[") && pieces[pieces.count - 2].isMark("]")
    let inner = pieces.dropFirst(isDouble ? 2 : 1).dropLast(isDouble ? 2 : 1)
    guard inner.first?.followsSpace == true else { return nil }
    return Self.text(of: inner)
  }

  /// `platform %in% c("iOS")`, `is.na(age)`, `c("a", "b")`, `%w[a b]`.
  static func fromR(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard let first = all.first else { return nil }
    if all.count >= 3, first.isMark("%"), all[1].isWord(["in"]), all[2].isMark("%") {
      return (3, "in")
    }
    if first.isMark("!"), let (count, text) = fromR(pieces.dropFirst()), text.hasPrefix("!has(") {
      return (count + 1, String(text.dropFirst()))
    }
    if all.count == 4, first.isWord(["is.na", "is.null"]), all[1].isMark("("),
      all[2].kind == .path, all[3].isMark(")")
    {
      return (4, "!has(\(all[2].text))")
    }
    if all.count >= 3, first.isMark("%"), all[1].isWord(["w"]), all[2].isMark("["),
      let end = pieces.firstIndex(where: { $0.isMark("]") })
    {
      let words = pieces[(pieces.startIndex + 3)..<end].map { "\"\($0.text)\"" }
      return (end - pieces.startIndex + 1, "[\(words.joined(separator: ", "))]")
    }
    return list(pieces)
  }

  private static let lists = [
    "c", "listof", "setof", "arrayof", "mutablelistof", "list.of", "set.of", "arrays.aslist",
    "array", "array.of", "set", "list", "tuple",
  ]

  /// `listOf("a", "b")`, `c("a", "b")`, `List.of("a")`.
  static func list(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    guard let first = pieces.first, first.isWord(lists),
      pieces.dropFirst().first?.isMark("(") == true,
      let end = pieces.firstIndex(where: { $0.isMark(")") })
    else { return nil }
    let inner = pieces[(pieces.startIndex + 2)..<end]
    guard inner.allSatisfy({ $0.kind == .quoted || $0.kind == .number || $0.isMark(",") }),
      inner.contains(where: { $0.isValue })
    else { return nil }
    return (end - pieces.startIndex + 1, "[\(text(of: inner))]")
  }

  // MARK: Texts

  /// `continent == "Europe" "Asia"`, `continent == "Europe", "Asia"`.
  static func alternatives(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(3))
    guard all.count == 3, all[0].kind == .path, isRoot(all[0].text) else { return nil }
    let isIn = all[1].isWord(["in"])
    guard isIn || all[1].isMark("=") && all[2].isMark("=") else { return nil }
    var rest = pieces.dropFirst(isIn ? 2 : 3)
    var texts: [String] = []
    while let next = rest.first, next.kind == .quoted || next.kind == .number {
      // SQL doubles a quote: 'O''Brien'.
      if !texts.isEmpty, next.kind == .quoted, !next.followsSpace, next.text.first == "'",
        pieces[rest.startIndex - 1].kind == .quoted
      {
        return nil
      }
      texts.append(next.text)
      rest = rest.dropFirst()
      if rest.first?.isMark(",") == true || rest.first?.isWord(["or"]) == true,
        let second = rest.dropFirst().first, second.kind == next.kind
      {
        rest = rest.dropFirst()
      }
    }
    // "18,5" may be a decimal number.
    let fewest = !isIn && pieces.dropFirst(3).first?.kind == .number ? 3 : 2
    guard texts.count >= fewest else { return nil }
    return (
      rest.startIndex - pieces.startIndex, "\(all[0].text) in [\(texts.joined(separator: ", "))]"
    )
  }

  /// `title == Too expensive && …`: several words without quotes.
  static func plainWords(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let head = Array(pieces.prefix(3))
    guard head.count == 3, head[0].kind == .path, isRoot(head[0].text),
      isComparison(head[1], head[2])
    else { return nil }
    let words = pieces.dropFirst(3).prefix {
      $0.kind == .path && !$0.text.contains(".") && !$0.isWord(["and", "or", "in", "if", "not"])
    }
    guard words.count > 1, words.dropFirst().allSatisfy({ $0.followsSpace }) else { return nil }
    let value = text(of: words).trimmed
    return (3 + words.count, "\(head[0].text) \(head[1].text)= \"\(value)\"")
  }

  /// `> three`.
  static func numberWord(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(3))
    guard let sign = all.first, ["<", ">", "="].contains(where: sign.isMark) else { return nil }
    let place = all.count > 2 && all[1].isMark("=") ? 2 : 1
    guard place < all.count, all[place].kind == .path,
      let number = FilterLinter.numbers[all[place].text.lowercased()]
    else { return nil }
    return (place + 1, "\(sign.text)\(place == 2 ? "=" : "") \(number)")
  }

  /// `user.age >= 18 … user.plan == "free"`.
  static func ellipsis(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count > 1, all[0].isValue || all[0].isMark(")") else { return nil }
    if all[1].isMark("\u{2026}"), all.count > 2 { return (2, "\(all[0].text) &&") }
    return nil
  }

  /// `code[0:4] == "1990"`, `code[:2] == "IT"`, `code[-3:] == "end"`.
  static func slice(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    guard let path = pieces.first, path.kind == .path, isRoot(path.text),
      pieces.dropFirst().first?.isMark("[") == true,
      let close = pieces.firstIndex(where: { $0.isMark("]") }), close + 3 < pieces.endIndex,
      isComparison(pieces[close + 1], pieces[close + 2]), pieces[close + 3].kind == .quoted
    else { return nil }
    let range = pieces[(pieces.startIndex + 2)..<close].map { $0.text }
    guard range.contains(":") else { return nil }
    let length = pieces[close + 3].text.count - 2
    let isStart = range == [":", "\(length)"] || range == ["0", ":", "\(length)"]
    guard isStart || range == ["-", "\(length)", ":"] else { return nil }
    let call = "\(path.text).\(isStart ? "startsWith" : "endsWith")(\(pieces[close + 3].text))"
    return (close + 4 - pieces.startIndex, pieces[close + 1].isMark("!") ? "!\(call)" : call)
  }

  /// `user.job title == "nurse"`: a name with blanks.
  static func nameWithBlanks(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count == 4, all[0].kind == .path, all[1].kind == .path, all[1].followsSpace,
      let root = AttributeRoots.names.first(where: { all[0].text.hasPrefix($0 + ".") }),
      !all[1].text.contains("."), ["=", "!", "<", ">"].contains(where: all[2].isMark)
    else { return nil }
    let first = all[0].text.dropFirst(root.utf8.count + 1)
    guard !first.contains(".") else { return nil }
    let key = (first + all[1].text).lowercased()
    if let known = AttributeSchema.builtIn.memberNames(of: root)
      .first(where: { $0.lowercased() == key })
    {
      return (2, "\(root).\(known)")
    }
    return root == "device" ? nil : (2, "\(root)[\"\(first) \(all[1].text)\"]")
  }

  private static func starts(_ pieces: ArraySlice<Piece>, with words: [String]) -> Bool {
    pieces.count >= words.count && zip(pieces, words).allSatisfy { $0.isWord([$1]) }
  }
}
