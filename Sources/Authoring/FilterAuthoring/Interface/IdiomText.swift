/// A text in pieces: paths, numbers, quoted texts and single characters, without the spaces.
struct IdiomText {
  struct Piece {
    enum Kind { case path, number, quoted, mark }
    var kind: Kind
    var text: String
    var followsSpace: Bool

    /// Whether the piece is one of some words, whatever their case.
    func isWord(_ words: [String]) -> Bool {
      kind == .path && words.contains { $0.utf8.elementsEqual(text.utf8.map(lowered)) }
    }

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    var isValue: Bool { kind != .mark }
  }

  /// What a rule makes of the pieces at a place: how many it takes, and what takes their place.
  typealias Rule = (ArraySlice<Piece>) -> (count: Int, text: String)?

  private(set) var pieces: [Piece] = []

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    var followsSpace = false
    while index < bytes.count {
      let first = bytes[index]
      if first == 0x20 || first == 0x09 || first == 0x0A || first == 0x0D {
        followsSpace = true
        index += 1
        continue
      }
      let start = index
      let kind: Piece.Kind
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        kind = .quoted
        index += 1
        while index < bytes.count, bytes[index] != first {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, bytes.count)
      } else if isLetter(first) || isDigit(first) {
        kind = isDigit(first) ? .number : .path
        while index < bytes.count,
          isLetter(bytes[index]) || isDigit(bytes[index]) || bytes[index] == UInt8(ascii: ".")
        {
          index += 1
        }
      } else {
        kind = .mark
        index += 1
        // The other bytes of a character.
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
      }
      let piece = String(decoding: bytes[start..<index], as: UTF8.self)
      pieces.append(Piece(kind: kind, text: piece, followsSpace: followsSpace))
      followsSpace = false
    }
  }

  /// Returns the text with a rule applied wherever it fits; `nil` if that is nowhere.
  func rewritten(_ rule: Rule) -> String? {
    var rest = pieces[...]
    var result = ""
    var isChanged = false
    while let first = rest.first {
      if first.followsSpace { result += " " }
      if let (count, text) = rule(rest) {
        result += text
        rest = rest.dropFirst(count)
        isChanged = true
      } else {
        result += first.text
        rest = rest.dropFirst()
      }
    }
    return isChanged ? result : nil
  }

  // MARK: Rules

  /// `age between 3 and 5`, `age is between 3 and 5`.
  static func between(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    var rest = Array(pieces.prefix(6))
    guard let path = rest.first, path.kind == .path else { return nil }
    rest.removeFirst()
    var count = 5
    if let next = rest.first, next.isWord(["is"]) {
      rest.removeFirst()
      count = 6
    }
    guard rest.count >= 4, rest[0].isWord(["between"]), rest[1].isValue,
      rest[2].isWord(["and"]), rest[3].isValue
    else { return nil }
    return (
      count, "\(path.text) >= \(rest[1].text) && \(path.text) <= \(rest[3].text)"
    )
  }

  private static let there = ["set", "defined", "present", "known"]
  private static let absent = ["unset", "undefined", "missing", "absent", "unknown"]
  private static let blank = ["blank", "empty"]

  /// `email is set`, `email is not set`, `email is blank`.
  static func presence(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count >= 3, all[0].kind == .path, all[1].isWord(["is"]) else { return nil }
    let isNegated = all[2].isWord(["not"])
    guard !isNegated || all.count == 4 else { return nil }
    let word = isNegated ? all[3] : all[2]
    let path = all[0].text
    let count = isNegated ? 4 : 3
    if word.isWord(["empty"]), case .list? = AttributeSchema.builtIn[path]?.type {
      return (count, "size(\(path)) \(isNegated ? ">" : "==") 0")
    }
    if word.isWord(blank) { return (count, "\(path) \(isNegated ? "!=" : "==") \"\"") }
    if word.isWord(there) { return (count, "\(isNegated ? "!" : "")has(\(path))") }
    if word.isWord(absent) { return (count, "\(isNegated ? "" : "!")has(\(path))") }
    return nil
  }

  /// `name regexp "^A"`, `name =~ "^A"`, `name !~ "^A"`.
  static func pattern(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count >= 3, all[0].kind == .path else { return nil }
    if all[1].isWord(["regexp", "regex", "rlike"]), all[2].kind == .quoted {
      return (3, "\(all[0].text).matches(\(all[2].text))")
    }
    guard all.count == 4, all[2].isMark("~"), all[3].kind == .quoted else { return nil }
    if all[1].isMark("=") { return (4, "\(all[0].text).matches(\(all[3].text))") }
    return all[1].isMark("!") ? (4, "!\(all[0].text).matches(\(all[3].text))") : nil
  }

  /// `email =~ /@acme\.com$/`.
  static func regexLiteral(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count == 4, all[0].kind == .path, all[1].isMark("="), all[2].isMark("~"),
      all[3].isMark("/"), let end = pieces.dropFirst(4).firstIndex(where: { $0.isMark("/") })
    else { return nil }
    let inner = text(of: pieces[(pieces.startIndex + 4)..<end])
    return inner.contains("\"") || inner.isEmpty
      ? nil : (end + 1 - pieces.startIndex, "\(all[0].text).matches(r\"\(inner)\")")
  }

  /// `exists(t -> t == "a")`.
  static func arrow(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(4))
    guard all.count == 4, all[0].isMark("("), all[1].kind == .path, all[2].isMark("-"),
      all[3].isMark(">")
    else { return nil }
    return (4, "(\(all[1].text),")
  }

  /// `age:[18 TO 25]`.
  private static func range(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(7))
    guard all.count == 7, all[0].kind == .path, all[1].isMark(":"), all[2].isMark("["),
      all[3].isValue || all[3].isMark("*"), all[4].isWord(["to"]),
      all[5].isValue || all[5].isMark("*"), all[6].isMark("]")
    else { return nil }
    let isVersion =
      all[0].isWord(["version", "appversion"])
      && [all[3], all[5]].allSatisfy { $0.kind == .number || $0.isMark("*") }
    let name = isVersion ? "device.appVersionPadded" : attribute(named: all[0].text)
    let bounds = [(">=", all[3]), ("<=", all[5])].filter { !$1.isMark("*") }
    return bounds.isEmpty
      ? nil
      : (
        7,
        bounds.map { op, bound in
          "\(name) \(op) \(isVersion ? "\"\(FilterLinter.padded(bound.text))\"" : bound.text)"
        }.joined(separator: " && ")
      )
  }

  private static let questions = [
    "start_with": "startsWith", "starts_with": "startsWith", "end_with": "endsWith",
    "ends_with": "endsWith", "include": "contains", "includes": "contains", "match": "matches",
  ]

  /// `email.nil?`, `tags.empty?`, `age.between?(18, 25)`, `plan.start_with?("pro")` and
  /// `["a"].include?(plan)`.
  static func question(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let all = Array(pieces.prefix(7))
    if all.count >= 4, all[0].isMark("."), all[1].kind == .path, all[2].isMark("?"),
      all[3].isMark("("), let function = questions[all[1].text]
    {
      return (4, ".\(function)(")
    }
    if all.count >= 3, all[0].isMark("."), all[1].isWord(["nil"]), all[2].isMark("?") {
      return (3, " == null")
    }
    guard all.count >= 2, all[0].kind == .path, all[1].isMark("?"), !all[1].followsSpace,
      let dot = all[0].text.lastIndex(of: ".")
    else { return nil }
    let owner = all[0].text[..<dot]
    let name = String(all[0].text[all[0].text.index(after: dot)...])
    let isCall = all.count > 2 && all[2].isMark("(")
    if !isCall, all.count >= 5, all[2].isMark("="), all[3].isMark("="), all[4].isWord(["true"]),
      let (_, text) = question(pieces.prefix(2))
    {
      return (5, text)
    }
    if ["eql", "equal"].contains(name), all.count >= 5, isCall, all[3].isValue, all[4].isMark(")") {
      return (5, "\(owner) == \(all[3].text)")
    }
    switch name {
    case "nil" where !isCall: return (2, "\(owner) == null")
    case "empty" where !isCall: return (2, "size(\(owner)) == 0")
    case "blank" where !isCall: return (2, "\(owner) == \"\"")
    case "present" where !isCall: return (2, "has(\(owner))")
    case "between":
      guard all.count == 7, isCall, all[4].isMark(","), all[6].isMark(")") else { return nil }
      return (7, "\(owner) >= \(all[3].text) && \(owner) <= \(all[5].text)")
    default:
      guard isCall, let function = questions[name] else { return nil }
      return (3, "\(owner).\(function)(")
    }
  }

  /// `tags.any { it == "vip" }`, `tags.contains { $0 == "vip" }`,
  /// `subscriptions.first(where: { $0.isActive }) != nil`.
  static func lambda(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    let head = Array(pieces.prefix(5))
    if head.count == 5, head[1].isMark("("), head[2].isWord(["where"]), head[3].isMark(":"),
      head[4].isMark("{"),
      let end = pieces.firstIndex(where: { $0.isMark("}") }), end + 1 < pieces.endIndex,
      pieces[end + 1].isMark(")"),
      let (_, text) = lambda(pieces[...pieces.startIndex] + pieces[(pieces.startIndex + 4)...end])
    {
      let tail = Array(pieces[(end + 2)...].prefix(3))
      let isThere =
        tail.count == 3 && tail[0].isMark("!") && tail[1].isMark("=")
        && tail[2].isWord(["nil", "null"])
      return (end + (isThere ? 5 : 2) - pieces.startIndex, text)
    }
    guard let first = pieces.first, first.kind == .path, let dot = first.text.lastIndex(of: "."),
      pieces.dropFirst().first?.isMark("{") == true,
      let end = pieces.firstIndex(where: { $0.isMark("}") })
    else { return nil }
    let names = [
      "any": "exists", "contains": "exists", "exists": "exists", "first": "exists", "all": "all",
      "allSatisfy": "all", "none": "none",
    ]
    guard let name = names[String(first.text[first.text.index(after: dot)...])] else { return nil }
    var body = ""
    var isElement = false
    var inner = pieces[(pieces.startIndex + 2)..<end]
    while let piece = inner.first {
      if piece.followsSpace, !body.isEmpty { body += " " }
      if piece.isMark("$"), inner.dropFirst().first?.text.hasPrefix("0") == true {
        body += "x" + (inner.dropFirst().first?.text.dropFirst() ?? "")
        isElement = true
        inner = inner.dropFirst(2)
        continue
      }
      if piece.text == "it" || piece.text.hasPrefix("it.") {
        body += "x" + piece.text.dropFirst(2)
        isElement = true
      } else {
        body += piece.text
      }
      inner = inner.dropFirst()
    }
    guard isElement else { return nil }
    let owner = first.text[..<dot]
    let call = name == "none" ? "!\(owner).exists(x, \(body))" : "\(owner).\(name)(x, \(body))"
    return (end - pieces.startIndex + 1, call)
  }

  /// `plan:pro AND age:>3 AND NOT beta:true`: a text that is nothing else.
  func search() -> String? {
    var rest = pieces[...]
    var result = ""
    while true {
      let isNegated = rest.first?.isWord(["not"]) == true
      if isNegated { rest = rest.dropFirst() }
      guard let (count, term) = Self.searchTerm(rest) else { return nil }
      result += isNegated ? "!(\(term))" : term
      rest = rest.dropFirst(count)
      guard let next = rest.first else { return result }
      let signs = ["|", "&"].filter {
        next.isMark($0) && rest.dropFirst().first?.isMark($0) == true
      }
      let isOr = next.isWord(["or"]) || signs == ["|"]
      rest = rest.dropFirst(signs.isEmpty ? isOr || next.isWord(["and"]) ? 1 : 0 : 2)
      result += isOr ? " || " : " && "
    }
  }

  /// Returns the attribute that a name of a search means.
  private static func attribute(named name: String, _ values: [String] = []) -> String {
    let areRegions = values.allSatisfy {
      AttributeSchema.Attribute.Format.region.isCode(String($0.filter { $0 != "\"" })) == true
    }
    if name.lowercased() == "country", !values.isEmpty, areRegions { return "device.regionCode" }
    // `status:active`
    let meant = AttributeSchema.builtIn.attributes(under: "device").filter { attribute in
      attribute.path.lowercased().hasSuffix(name.lowercased()) && !values.isEmpty
        && values.allSatisfy { value in
          attribute.values.contains { $0.lowercased() == value.lowercased() }
        }
    }
    if meant.count == 1 { return meant[0].path }
    return name.utf8.contains(UInt8(ascii: ".")) ? name : AttributeSchema.path(meantBy: name)
  }

  /// `plan:pro`, `age:>3`, `age:[18 TO 25]`, `country:(DE OR AT)`.
  private static func searchTerm(_ pieces: ArraySlice<Piece>) -> (count: Int, text: String)? {
    if let range = range(pieces) { return range }
    guard let path = pieces.first, path.kind == .path,
      pieces.dropFirst().first?.isMark(":") == true
    else { return nil }
    var rest = pieces.dropFirst(2)
    var op = ""
    while let sign = rest.first, ["<", ">", "="].contains(where: sign.isMark) {
      op += sign.text
      rest = rest.dropFirst()
    }
    let name = path.text
    if op.isEmpty, rest.first?.isMark("(") == true,
      let end = rest.firstIndex(where: { $0.isMark(")") })
    {
      let values = rest[rest.startIndex..<end].dropFirst().filter { !$0.isWord(["or"]) }
      guard values.count > 1, values.allSatisfy({ $0.isValue && !$0.isWord(["and"]) }) else {
        return nil
      }
      let texts = values.map { $0.kind == .path ? "\"\($0.text)\"" : $0.text }
      return (
        end + 1 - pieces.startIndex,
        "\(attribute(named: name, texts)) in [\(texts.joined(separator: ", "))]"
      )
    }
    guard let value = rest.first, value.isValue, !value.followsSpace else { return nil }
    let isText = value.kind == .path && !value.isWord(["true", "false"])
    let attribute = attribute(named: name, isText ? [value.text] : [])
    // A search does not tell cases apart.
    let known = AttributeSchema.builtIn[attribute]?.values.first {
      $0.lowercased() == value.text.lowercased()
    }
    return (
      rest.startIndex + 1 - pieces.startIndex,
      "\(attribute) \(op.isEmpty || op == "=" ? "==" : op) "
        + (isText ? "\"\(known ?? value.text)\"" : value.text)
    )
  }
}

func isLetter(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "_") || lowered(byte) &- UInt8(ascii: "a") < 26
}

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

/// Returns the byte in lower case, if it is a letter of ASCII.
func lowered(_ byte: UInt8) -> UInt8 {
  byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
}
