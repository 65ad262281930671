// Forms of other languages inside a filter, each with what is written in its place.

extension IdiomText {
  static func isComparison(_ first: Piece, _ second: Piece) -> Bool {
    second.isMark("=") && (first.isMark("=") || first.isMark("!"))
  }

  /// Returns whether a path is an attribute.
  static func isRoot(_ path: String) -> Bool {
    ["user.", "device.", "params."].contains { path.hasPrefix($0) }
  }

  /// `plan ?? "free"`, `plan ?: "free"`, `plan | default: "free"`.
  static func standIn(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(5))
    guard all.count >= 4, all[0].kind == .path else { return nil }
    if all[1].isMark("?"), all[2].isMark("?") || all[2].isMark(":"), !all[2].followsSpace,
      all[3].isValue
    {
      return (4, value(of: all[0].text, or: all[3].text))
    }
    guard all.count == 5, all[1].isMark("|"), all[2].isWord(["default"]), all[3].isMark(":"),
      all[4].isValue
    else { return nil }
    return (5, value(of: all[0].text, or: all[4].text))
  }

  /// Returns an attribute, or a value in its place. `||` takes that of 0, too, which is there.
  private static func value(of path: String, or other: String) -> String {
    // A missing attribute counts as zero, empty or false where it is compared.
    if ["0", "\"\"", "''", "false"].contains(other) { return path }
    return isRoot(path) ? "(has(\(path)) ? \(path) : \(other))" : "(\(path) || \(other))"
  }

  /// `[device daysSince:@"app_open"]`, `device.daysSince:("app_open")`.
  static func message(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    var all = Array(pieces.prefix(7))
    if all.count >= 3, all[0].kind == .path, all[1].isMark(":"), all[2].isMark("(") {
      return (3, "\(all[0].text)(")
    }
    guard all.count >= 6, all[0].isMark("[") else { return nil }
    let hasMark = all[4].isMark("@")
    if hasMark { all.remove(at: 4) }
    guard all.count >= 6, all[1].kind == .path, all[2].kind == .path, all[3].isMark(":"),
      all[4].isValue, all[5].isMark("]")
    else { return nil }
    return (hasMark ? 7 : 6, "\(all[1].text).\(all[2].text)(\(all[4].text))")
  }

  /// `f(event: "app_open")`, `f(event="app_open")`, `exists(|x| …)`, `exists(x: x.a > 3)`,
  /// `exists(x => …)` and `exists((x) => …)`.
  static func label(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(6))
    guard all.count >= 5, all[0].isMark("(") else { return nil }
    if all.count == 6, all[1].isMark("("), all[2].kind == .path, all[3].isMark(")"),
      all[4].isMark("="), all[5].isMark(">")
    {
      return (6, "(\(all[2].text),")
    }
    if all[1].isMark("|"), all[2].kind == .path, all[3].isMark("|") {
      return (4, "(\(all[2].text),")
    }
    guard all[1].kind == .path, !all[1].text.contains(".") else { return nil }
    if all[2].isMark("="), all[3].isMark(">") { return (4, "(\(all[1].text),") }
    let isLabel = all[2].isMark(":") || all[2].isMark("=") && !all[3].isMark("=")
    guard isLabel, all[3].isValue else { return nil }
    if all[3].text == all[1].text || all[3].text.hasPrefix(all[1].text + ".") {
      return (3, "(\(all[1].text),")
    }
    guard all[3].kind != .path else { return nil }
    return (4, "(\(all[3].text)")
  }

  /// `(int) user.age`, `user.age as Int`, `user.age::int`, `CAST(user.age AS int)`.
  static func cast(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    let functions = [
      "int": "int", "integer": "int", "long": "int", "double": "double", "float": "double",
      "string": "string", "str": "string", "text": "string",
    ]
    guard all.count >= 3 else { return nil }
    let call = Array(pieces.prefix(6))
    if call.count == 6, call[0].isWord(["cast", "try_cast", "safe_cast"]), call[1].isMark("("),
      call[2].kind == .path, call[3].isWord(["as"]), call[5].isMark(")"),
      let function = functions[call[4].text.lowercased()]
    {
      return (6, "\(function)(\(call[2].text))")
    }
    if all.count == 4, all[0].isMark("("), let function = functions[all[1].text.lowercased()],
      all[2].isMark(")"), all[3].kind == .path
    {
      return (4, "\(function)(\(all[3].text))")
    }
    guard all[0].kind == .path else { return nil }
    let isOperator = all.count == 4 && all[1].isMark(":") && all[2].isMark(":")
    guard isOperator || all[1].isWord(["as"]),
      let function = functions[all[isOperator ? 3 : 2].text.lowercased()]
    else { return nil }
    // An attribute of the SDKs has its type already.
    let isKnown = AttributeSchema.builtIn[all[0].text] != nil
    return (isOperator ? 4 : 3, isKnown ? all[0].text : "\(function)(\(all[0].text))")
  }

  /// `age in 18..65`, `age in [18:65]`, `age in range(18, 65)`, `(18..65).cover?(age)`.
  static func within(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(8))
    guard all.count >= 3 else { return nil }
    if let range = hyphenRange(Array(all.prefix(6))) { return range }
    if all[0].kind == .path, all[1].isWord(["in"]) {
      if all.count >= 5, all[2].isMark("["), all[4].isMark("]"),
        let (low, high, op) = bounds(all[3])
      {
        return (5, "\(all[0].text) >= \(low) && \(all[0].text) \(op) \(high)")
      }
      if all.count >= 7, all[2].isMark("["), all[3].kind == .number, all[4].isMark("-"),
        all[5].kind == .number, all[6].isMark("]")
      {
        return (7, "\(all[0].text) >= \(all[3].text) && \(all[0].text) <= \(all[5].text)")
      }
      if let (low, high, op) = bounds(all[2]) {
        return (3, "\(all[0].text) >= \(low) && \(all[0].text) \(op) \(high)")
      }
      guard all.count >= 7, all[3].kind == .number || all[4].kind == .number else { return nil }
      if all[2].isMark("["), all[4].isMark(":"), all[5].kind == .number, all[6].isMark("]") {
        return (7, "\(all[0].text) >= \(all[3].text) && \(all[0].text) <= \(all[5].text)")
      }
      if all.count == 8, all[2].isWord(["range"]), all[3].isMark("("), all[5].isMark(","),
        all[7].isMark(")")
      {
        return (8, "\(all[0].text) >= \(all[4].text) && \(all[0].text) < \(all[6].text)")
      }
      return nil
    }
    guard all.count == 8, all[0].isMark("("), let (low, high, op) = bounds(all[1]),
      all[2].isMark(")"), all[3].isMark("."), all[4].isWord(["cover", "include", "contains"])
    else { return nil }
    let hasMark = all[5].isMark("?")
    let path = all[hasMark ? 7 : 6]
    guard path.kind == .path else { return nil }
    return (hasMark ? 9 : 8, "(\(path.text) >= \(low) && \(path.text) \(op) \(high))")
  }

  /// `age == 18-25`, `age in 18-25`.
  private static func hyphenRange(_ pieces: [Piece]) -> (count: Int, text: String)? {
    guard pieces.count >= 5, pieces[0].kind == .path, isRoot(pieces[0].text) else { return nil }
    let start = pieces[1].isWord(["in"]) ? 2 : isComparison(pieces[1], pieces[2]) ? 3 : 0
    guard start > 0, pieces.count >= start + 3, pieces[start + 1].isMark("-"),
      !pieces[start + 1].followsSpace, !pieces[start + 2].followsSpace,
      let low = Int64(pieces[start].text), let high = Int64(pieces[start + 2].text), low < high,
      !pieces[1].isMark("!")
    else { return nil }
    return (start + 3, "\(pieces[0].text) >= \(low) && \(pieces[0].text) <= \(high)")
  }

  /// The ends of `18..65`, `18...65` and `18..<65`.
  private static func bounds(_ piece: Piece) -> (low: String, high: String, op: String)? {
    guard piece.kind == .number, let dots = piece.text.firstOccurrence(of: "..") else { return nil }
    let low = piece.text[..<dots.lowerBound]
    let high = piece.text[dots.upperBound...].drop { $0 == "." }
    guard Int64(low) != nil, Int64(high) != nil else { return nil }
    return (String(low), String(high), "<=")
  }

  /// `plan in listOf("a", "b")`, `plan in {"a", "b"}`, `plan not in ["a"]`, `plan !in ["a"]`.
  static func membership(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    guard let path = pieces.first, path.kind == .path else { return nil }
    var rest = pieces.dropFirst()
    let isNegated = rest.first?.isMark("!") == true || rest.first?.isWord(["not"]) == true
    if isNegated { rest = rest.dropFirst() }
    guard let word = rest.first, word.isWord(["in"]) else { return nil }
    rest = rest.dropFirst()
    let functions = ["listof", "setof", "arrayof", "list", "set", "array"]
    if let name = rest.first, name.isWord(functions) { rest = rest.dropFirst() }
    guard let open = rest.first, ["(", "[", "{"].contains(where: { open.isMark($0) }),
      let end = rest.firstIndex(where: { $0.isMark(")") || $0.isMark("]") || $0.isMark("}") })
    else { return nil }
    var values: [String] = []
    for piece in rest[(rest.startIndex + 1)..<end] where !piece.isMark(",") && !piece.isMark(";") {
      guard piece.kind == .quoted || piece.kind == .number else { return nil }
      values.append(piece.text)
    }
    guard !values.isEmpty else { return nil }
    let list = "\(path.text) in [\(values.joined(separator: ", "))]"
    return (end - pieces.startIndex + 1, isNegated ? "!(\(list))" : list)
  }

  /// `any(e == "pro" for e in device.activeEntitlements)`,
  /// `[x for x in user.scores if x > 10] != []`.
  static func comprehension(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    guard let first = pieces.first, let start = pieces.firstIndex(where: { $0.isWord(["for"]) }),
      pieces.count > start - pieces.startIndex + 4
    else { return nil }
    let (variable, word, list) = (pieces[start + 1], pieces[start + 2], pieces[start + 3])
    guard variable.kind == .path, word.isWord(["in"]), list.kind == .path else { return nil }
    let next = pieces[start + 4]
    if first.isWord(["any", "all"]), pieces.dropFirst().first?.isMark("(") == true,
      next.isMark(")")
    {
      let body = text(of: pieces[(pieces.startIndex + 2)..<start])
      let name = first.isWord(["any"]) ? "exists" : "all"
      return (
        start + 5 - pieces.startIndex, "\(list.text).\(name)(\(variable.text), \(body))"
      )
    }
    guard first.isMark("["), next.isWord(["if"]),
      let end = pieces.firstIndex(where: { $0.isMark("]") }), end > start + 5
    else { return nil }
    let tail = Array(pieces[(end + 1)...].prefix(4))
    guard tail.count == 4, tail[0].isMark("!"), tail[1].isMark("="), tail[2].isMark("["),
      tail[3].isMark("]")
    else { return nil }
    let body = text(of: pieces[(start + 5)..<end])
    return (end + 5 - pieces.startIndex, "\(list.text).exists(\(variable.text), \(body))")
  }

  /// `tags[*] == "vip"`, `tags[] == "vip"`, `ANY tags == "vip"`.
  static func anyElement(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(7))
    guard all.count >= 5 else { return nil }
    if all[0].isWord(["any", "some"]), all[1].kind == .path, isRoot(all[1].text),
      isComparison(all[2], all[3]), all[2].isMark("="), all[4].isValue
    {
      return (5, "\(all[4].text) in \(all[1].text)")
    }
    guard all[0].kind == .path, all[1].isMark("[") else { return nil }
    let hasStar = all[2].isMark("*")
    let rest = Array(all.dropFirst(hasStar ? 3 : 2))
    guard rest.count >= 4, rest[0].isMark("]"), isComparison(rest[1], rest[2]),
      rest[1].isMark("="), rest[3].isValue
    else { return nil }
    return (hasStar ? 7 : 6, "\(rest[3].text) in \(all[0].text)")
  }

  /// `role == :admin`, `"iOS" platform`, and a path beside a text: `device.platform "iOS"`.
  static func symbol(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    if all.count == 4, isComparison(all[0], all[1]), all[2].isMark(":"), all[3].kind == .path,
      !all[3].followsSpace
    {
      return (4, "\(all[0].text)= \"\(all[3].text)\"")
    }
    guard all.count >= 2, all[0].kind == .path, isRoot(all[0].text), all[1].kind == .quoted,
      all[1].followsSpace,
      ![".contains", ".startsWith", ".endsWith", ".matches"].contains(where: all[0].text.hasSuffix)
    else { return nil }
    return (2, "\(all[0].text) == \(all[1].text)")
  }

  /// `10k`, `1_000`, `0xFF`, `5L`, `10 000`.
  static func number(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    if let amount = amount(pieces) { return amount }
    guard let first = pieces.first, first.kind == .number else { return nil }
    let text = first.text
    let german = Array(pieces.prefix(3))
    if german.count == 3, german[1].isMark(","), !german[1].followsSpace, !german[2].followsSpace,
      german[2].kind == .number, text.contains("."),
      text.split(separator: ".").dropFirst().allSatisfy({ $0.utf8.count == 3 })
    {
      return (3, text.filter { $0 != "." } + "." + german[2].text)
    }
    if let next = pieces.dropFirst().first, next.kind == .number, next.followsSpace,
      next.text.utf8.count == 3, next.text.utf8.allSatisfy(isDigit), text.utf8.count <= 3,
      text.utf8.allSatisfy(isDigit)
    {
      return (2, text + next.text)
    }
    if text.hasPrefix("0x"), let value = Int64(text.dropFirst(2), radix: 16) {
      return (1, String(value))
    }
    let plain = text.filter { $0 != "_" }
    if plain != text, plain.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) {
      return (1, plain)
    }
    let digits = text.dropLast()
    guard let value = Int64(digits), let suffix = text.last else { return nil }
    switch suffix {
    case "k", "K": return value < 1_000_000 ? (1, String(value * 1_000)) : nil
    case "M": return value < 1_000_000 ? (1, String(value * 1_000_000)) : nil
    case "L", "l", "f", "F": return (1, String(digits))
    default: return nil
    }
  }

  /// `R$ 5000`, `€50`, `50 €`: a number with a currency.
  private static func amount(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(3))
    let signs = ["$", "\u{20AC}", "\u{A3}", "\u{A5}"]
    if all.count >= 2, signs.contains(where: all[0].isMark), all[1].kind == .number {
      return (2, all[1].text)
    }
    if all.count == 3, all[0].isWord(["r", "us", "ca", "au"]), all[1].isMark("$"),
      !all[1].followsSpace, all[2].kind == .number
    {
      return (3, all[2].text)
    }
    if all.count >= 2, all[0].kind == .number, signs.contains(where: all[1].isMark) {
      return (2, all[0].text)
    }
    return nil
  }

  /// `tags.some(t => t == "a")`, `tags.any(…)` and `tags.every(…)`.
  static func loopMethod(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(2))
    guard all.count == 2, all[0].kind == .path, all[1].isMark("("),
      let dot = all[0].text.lastIndex(of: ".")
    else { return nil }
    let names = ["some": "exists", "any": "exists", "every": "all", "find": "exists"]
    guard let name = names[String(all[0].text[all[0].text.index(after: dot)...])] else {
      return nil
    }
    return (2, "\(all[0].text[..<dot]).\(name)(")
  }

  /// `in(region, ["DE"])`.
  static func prefixCall(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(5))
    guard all.count == 5, all[0].isWord(["in"]), all[1].isMark("("), all[2].kind == .path,
      all[3].isMark(","), all[4].isMark("["),
      let end = pieces.firstIndex(where: { $0.isMark("]") }), end + 1 < pieces.endIndex,
      pieces[end + 1].isMark(")")
    else { return nil }
    let list = text(of: pieces[(pieces.startIndex + 4)...end])
    return (end + 2 - pieces.startIndex, "\(all[2].text) in \(list)")
  }

  /// `a > 3 if plan == "free" else False`: a text that is nothing else.
  func choiceAfterValue() -> String? {
    guard let start = pieces.firstIndex(where: { $0.isWord(["if"]) }), start > 0,
      pieces[0].kind != .mark || !pieces[0].isMark("(")
    else { return nil }
    let other = pieces.firstIndex(where: { $0.isWord(["else"]) })
    let value = Self.text(of: pieces[..<start])
    let condition = Self.text(of: pieces[(start + 1)..<(other ?? pieces.endIndex)])
    guard !condition.isEmpty else { return nil }
    let rest = other.map { Self.text(of: pieces[($0 + 1)...]) } ?? "false"
    let standIn = ["true", "false"].contains(rest.lowercased()) ? rest.lowercased() : rest
    return standIn == "false" ? "\(condition) && \(value)" : "\(condition) ? \(value) : \(standIn)"
  }
}
