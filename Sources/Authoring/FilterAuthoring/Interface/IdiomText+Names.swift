import ExpressionSyntax

// Names of attributes with the marks of other languages.

extension IdiomText {
  /// `[user].[age]`, `` `user`.`age` ``, `%user.age%`, `$user.age`, `@"text"`, `"\(user.age)"` and
  /// `#2026-11-27#`.
  static func markedName(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(7))
    guard let first = all.first else { return nil }
    if let member = markedMember(all) { return member }
    if all.count >= 2, first.isWord(["date", "timestamp", "time"]), all[1].kind == .quoted,
      all[1].followsSpace
    {
      return (2, all[1].text)
    }
    if first.kind == .path, first.text.hasSuffix(".") {
      guard all.count >= 3, all[1].isMark("$"), all[2].kind == .path, !all[2].text.contains(".")
      else { return (1, first.text) }
      // The SDKs send their parameters with and without it.
      return first.text == "params."
        ? (3, "params[\"$\(all[2].text)\"]") : (3, "\(first.text)\(all[2].text)")
    }
    if let text = enclosedName(all) { return (7, text) }
    if all.count >= 3, all[1].kind == .path, isRoot(all[1].text),
      first.isMark("%") && all[2].isMark("%") || first.isMark("`") && all[2].isMark("`")
    {
      return (3, all[1].text)
    }
    if all.count >= 2, first.isMark("@"), all[1].kind == .quoted { return (2, all[1].text) }
    if all.count >= 2, first.isMark("$") || first.isMark("@"), all[1].kind == .path,
      !all[1].followsSpace
    {
      if isRoot(all[1].text + ".") || isRoot(all[1].text) { return (2, all[1].text) }
      return all[1].text.contains(".") ? nil : (2, "user.\(all[1].text)")
    }
    if first.kind == .quoted, first.text.dropFirst().hasPrefix("\\("),
      first.text.dropLast().hasSuffix(")")
    {
      let path = String(first.text.dropFirst(3).dropLast(2))
      return isRoot(path) ? (1, path) : nil
    }
    return nil
  }

  /// `user$plan`, `user&.plan` and `user[:plan]`.
  private static func markedMember(_ all: [Piece]) -> (count: Int, text: String)? {
    guard all.count >= 3, let root = all.first, root.kind == .path,
      AttributeRoots.contains(root.text), !all[1].followsSpace,
      !all[2].followsSpace
    else { return nil }
    if all[1].isMark("$"), all[2].kind == .path { return (3, "\(root.text).\(all[2].text)") }
    guard all.count >= 4, all[3].kind == .path else { return nil }
    if all[1].isMark("&"), all[2].isMark(".") { return (4, "\(root.text).\(all[3].text)") }
    if all.count >= 5, all[1].isMark("["), all[2].isMark(":"), all[4].isMark("]") {
      return (5, "\(root.text)[\"\(all[3].text)\"]")
    }
    return nil
  }

  /// `[user].[age]`, `` `user`.`age` `` and `#2026-11-27#`, of seven pieces each.
  private static func enclosedName(_ all: [Piece]) -> String? {
    guard all.count == 7 else { return nil }
    if all[0].isMark("#"), all[1].kind == .number, all[2].isMark("-"), all[4].isMark("-"),
      all[6].isMark("#")
    {
      return "\"\(all[1].text)-\(all[3].text)-\(all[5].text)\""
    }
    let isEnclosed = [("[", "]"), ("`", "`")].contains { open, close in
      all[0].isMark(open) && all[2].isMark(close) && all[4].isMark(open) && all[6].isMark(close)
    }
    guard isEnclosed, all[1].kind == .path, all[3].isMark("."), all[5].kind == .path else {
      return nil
    }
    return "\(all[1].text).\(all[5].text)"
  }

  /// `{Plan}` of Airtable, and `{{Plan}}`.
  static func column(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    guard pieces.first?.isMark("{") == true, let end = pieces.firstIndex(where: { $0.isMark("}") }),
      (2...5).contains(end - pieces.startIndex)
    else { return nil }
    let words = pieces[(pieces.startIndex + 1)..<end]
    guard words.allSatisfy({ $0.kind == .path && !$0.text.contains(".") }), let first = words.first
    else { return nil }
    let rest = words.dropFirst().map { $0.text.prefix(1).uppercased() + $0.text.dropFirst() }
    let name = first.text.prefix(1).lowercased() + first.text.dropFirst() + rest.joined()
    return (end - pieces.startIndex + 1, "user.\(name)")
  }

  /// `age >= 18` and `plan IN ('a')` of a table with columns.
  static func nameOfColumn(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(2))
    guard all.count == 2, all[0].kind == .path, !all[0].text.contains("."),
      ["=", "<", ">", "!"].contains(where: all[1].isMark)
        || all[1].isWord(["in", "like", "between", "is"]),
      !all[0].isWord(["not", "and", "or", "in", "is", "true", "false", "null", "x"])
    else { return nil }
    return (1, "user.\(all[0].text)")
  }

  /// `user.profile{"age"}`.
  static func indexInBraces(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count == 4, all[0].kind == .path, isRoot(all[0].text), all[1].isMark("{"),
      !all[1].followsSpace, all[2].kind == .quoted, all[3].isMark("}")
    else { return nil }
    return (4, "\(all[0].text)[\(all[2].text)]")
  }

  /// `user.age?.let { it >= 18 } ?: false`.
  static func `let`(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(5))
    guard all.count == 5, all[0].kind == .path, isRoot(all[0].text), all[1].isMark("?"),
      all[2].isMark("."), all[3].isWord(["let"]), all[4].isMark("{"),
      let end = pieces.firstIndex(where: { $0.isMark("}") })
    else { return nil }
    let body = text(of: pieces[(pieces.startIndex + 5)..<end]) { piece in
      piece.isWord(["it"]) ? all[0].text : piece.text
    }
    let tail = Array(pieces[(end + 1)...].prefix(3))
    let isFalse =
      tail.count == 3 && tail[0].isMark("?") && tail[1].isMark(":") && tail[2].isWord(["false"])
    return (end + (isFalse ? 4 : 1) - pieces.startIndex, body)
  }
}
