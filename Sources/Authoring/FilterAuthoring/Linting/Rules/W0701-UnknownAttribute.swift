import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports attributes that the schema does not have.

extension FilterLinter {
  mutating func checkAttribute(_ id: NodeID) {
    let parent = tree[parent(of: id)]
    let isInner =
      id != tree.root && (parent.kind == .select || parent.kind == .index) && parent.operand == id
    guard let path = freePath(id) else { return checkElementMember(id) }
    if !isInner, checkMemberForFunction(id, path) { return }
    checkLegacyEvent(id, path)
    if let attribute = schema.attribute(at: path) {
      if let reason = attribute.deprecated { reportDeprecated(id, path, reason) }
      return
    }
    let isWhole = !isInner || freePath(self.parent(of: id)) == nil
    if isWhole, checkNoMembers(id, path) || checkOtherRoot(id, path) { return }
    if isWhole, path.names.count > 1, path.names[0] == path.root {
      let meant = AttributePath(root: path.root, names: Array(path.names.dropFirst()))
      return reportUnknown(id, path, label: "`\(path.root)` twice", helps: ["write `\(meant)`"])
    }
    guard !isInner || path.names.count == 1 && !Self.roots.contains(path.names[0]) else { return }
    // The whole path is reported.
    if isInner, let first = path.names.first, HistoryFunctionInfo.named(first) != nil { return }
    // Members of an object are known only if the schema lists members of that object.
    let container = AttributePath(root: path.root, names: Array(path.names.dropLast()))
    if path.names.count > 1 {
      if reportJoinedName(id, path) { return }
      guard schema.attributes.keys.contains(where: { $0.hasPrefix("\(container).") }) else {
        return
      }
    } else if isInner, schema.attributes.keys.contains(where: { $0.hasPrefix("\(path).") }) {
      return
    }
    reportUnknown(id, path, container)
  }

  /// Reports `user.acquisition.source`, a name with `_` that was written with a point.
  private mutating func reportJoinedName(_ id: NodeID, _ path: AttributePath) -> Bool {
    let joined = AttributePath(root: path.root, names: [path.names.joined(separator: "_")])
    guard schema.attribute(at: joined) != nil else { return false }
    report(
      Diagnostic(
        .unknownAttribute, "`\(path)` is another attribute than `\(joined)`", at: tree[id].span,
        label: "a member of a member", helps: ["did you mean `\(joined)`?"]))
    return true
  }

  /// Returns advice for an attribute of the device that nothing resembles: the app may set it for
  /// its user.
  private func helpForOwnAttribute(_ path: AttributePath) -> [String] {
    guard path.root == "device", path.names.count == 1, let name = path.names.first,
      name.isPlainName
    else { return [] }
    if let function = HistoryFunctionInfo.all.first(where: { name.hasPrefix($0.name) }) {
      let event = name.dropFirst(function.name.count).drop { $0 == "_" }
      // Names of events have small letters: `LastOpen` is another word for one.
      let isEvent = event.first?.isUppercase == false || event.isEmpty
      let known = EventVocabulary.event(meantBy: String(event))
      let isOpening = event.lowercased().hasSuffix("open") || event.lowercased().hasSuffix("launch")
      let sought = known ?? (event.isEmpty || isOpening && !isEvent ? "app_open" : nil)
      if sought == nil, !isEvent {
        return ["write `device.\(function.name)(\"…\")` with the name of the event"]
      }
      return ["write `device.\(function.name)(\"\(sought ?? String(event))\")`"]
    }
    if let help = Suggestions.help(
      for: name, among: AttributeSchema.builtIn.memberNames(of: "user"))
    {
      return [help.replacingFirst("`", by: "`user.")]
    }
    return [
      "an attribute that your app sets is `user.\(name)`; `swexpr doc device` lists all others"
    ]
  }

  /// Returns the first spelling of each attribute, by its root and its letters and digits.
  private mutating func spellings() -> [String: String] {
    if let known = firstSpellings { return known }
    var found: [String: String] = [:]
    for index in tree.nodes.indices where tree.nodes[index].kind == .select {
      guard let path = freePath(NodeID(UInt32(index))), path.names.count == 1,
        let name = path.names.first
      else { continue }
      let key = "\(path.root).\(name.nameKey)"
      if found[key] == nil { found[key] = name }
    }
    firstSpellings = found
    return found
  }

  /// Reports the second of two names of the app that differ only in case or in `_`, and a name that
  /// is almost one of a family: `user.acqusition_campaign`.
  private mutating func reportOtherSpelling(_ id: NodeID, _ path: AttributePath) -> Bool {
    guard path.names.count == 1, let name = path.names.first else { return false }
    var meant: String?
    let key = name.nameKey
    // Such names are made on purpose.
    guard ForeignWords.literal(for: name) == nil else { return false }
    let first = spellings()["\(path.root).\(key)"]
    if let first, first != name { meant = first }
    if meant == nil, let bar = name.firstIndex(of: "_"),
      let family = schema.familyNames(under: path.root).first(where: {
        $0 != name[...bar] && $0.hasSuffix("_") && Self.isMisspelling(String(name[...bar]), of: $0)
      })
    {
      meant = family + name[name.index(after: bar)...]
    }
    if meant == nil, let right = Self.withoutExchange(in: name) {
      reportUnknown(
        id, path, label: "two letters exchanged", helps: ["did you mean `\(path.root).\(right)`?"])
      return true
    }
    guard let meant else { return false }
    report(
      Diagnostic(
        .unknownAttribute, "`\(path)` is another attribute than `\(path.root).\(meant)`",
        at: tree[id].span, label: "another spelling",
        notes: ["names are compared letter by letter"],
        helps: ["did you mean `\(path.root).\(meant)`?"]))
    return true
  }

  private mutating func reportUnknown(
    _ id: NodeID, _ path: AttributePath, _ container: AttributePath
  ) {
    // The SDKs send a copy of each of their parameters with `$` before its name.
    guard let name = path.names.last, !(path.root == "params" && name.hasPrefix("$")) else {
      return
    }
    if path.root == "user", name.hasPrefix("$"), path.names.count == 1 {
      return report(
        Diagnostic(
          .unknownAttribute, "`\(path)` is never set", at: tree[id].span, label: "starts with `$`",
          notes: ["the SDK keeps no attributes of the app whose names start with `$`"],
          helps: name.dropFirst().isEmpty ? [] : ["did you mean `user.\(name.dropFirst())`?"]))
    }
    let prefix = "\(container)."
    let siblings = members(of: "\(container)")
    // The SDKs' own vocabulary lists the attributes of a device, but not all members of its
    // objects.
    let isVocabulary = AttributeSchema.builtIn.closedRoots.contains(path.root)
    let isClosed =
      schema.closedRoots.contains(path.root) && (!isVocabulary || path.names.count == 1)
    // In an open root, apps have names of their own, and a similar name may be one of them.
    let key = name.nameKey
    let sameLetters = siblings.named(key)
    // `loggedIn` for `isLoggedIn`, and `seeds` for `seed`.
    let inOtherForm =
      siblings.named("is" + key)
      // `isLogged` for `isLoggedIn`
      + (name.hasPrefix("is")
        ? siblings.all.filter {
          $0.isBuiltIn && $0.name.hasPrefix(name)
            && $0.name.dropFirst(name.count).first?.isUppercase == true
        }.map { $0.name } : [])
      + (key.hasSuffix("s") ? siblings.named(String(key.dropLast())) : [])
      .filter { AttributeSchema.builtIn[prefix + $0]?.type.isNumeric == true }
    let suggestions =
      !sameLetters.isEmpty
      ? sameLetters
      : isClosed && !isVocabulary
        ? Suggestions.closest(to: name, among: siblings.all.map { $0.name })
        : siblings.all.filter {
          Self.isMisspelling(name, of: $0.name) || inOtherForm.contains($0.name)
            || !$0.isBuiltIn && Self.isSlip(name, of: $0.name)
        }.map { $0.name }
    // Other names of an attribute lead to it, and not to the most similar name.
    if path.root == "device", Self.deviceAliases[name] != nil, sameLetters.isEmpty,
      reportSimilar(id, path, siblings, isClosed: isClosed)
    {
      return
    }
    if path.root == "device", path.names.count == 1, Self.namesOfUsers.contains(name) {
      return reportUnknown(id, path, helps: ["did you mean `user.\(name)`?"])
    }
    if suggestions.isEmpty, reportOtherSpelling(id, path) { return }
    if suggestions.isEmpty, reportSimilar(id, path, siblings, isClosed: isClosed) { return }
    guard isClosed || !suggestions.isEmpty else { return }
    let isOwn = suggestions.contains { AttributeSchema.builtIn[prefix + $0] == nil }
    reportUnknown(
      id, path, suggestions.map { (name: $0, path: prefix + $0) },
      label: isClosed && !isVocabulary || isOwn ? "not in the schema" : "not in the vocabulary")
  }

  /// Names that apps give to attributes of users.
  private static let namesOfUsers: Set<String> = [
    "age", "coins", "credits", "email", "gender", "goal", "interests", "level", "points", "plan",
    "score", "streak", "tags", "tier",
  ]

  /// Reports an unknown attribute with the names that it may mean.
  private mutating func reportUnknown(
    _ id: NodeID, _ path: AttributePath, _ suggestions: [(name: String, path: String)],
    label: String
  ) {
    let name = path.names.last ?? ""
    if path.names.count == 1, let member = member(name, ofLoopAround: id) {
      return reportUnknown(
        id, path, label: label, helps: ["the element has such a member: `\(member)`"])
    }
    let nameSpan = tree[id].kind == .select ? tree.nameSpan(of: tree[id]) : nil
    var fixIts: [Diagnostic.FixIt] = []
    if let only = suggestions.first, suggestions.count == 1, let nameSpan, only.name.isPlainName,
      only.name.nameKey == name.nameKey || Self.isMisspelling(name, of: only.name)
    {
      fixIts = [
        Diagnostic.FixIt("write `\(only.path)`", [Diagnostic.Edit(nameSpan, only.name)])
      ]
    }
    let names = suggestions.prefix(2).map { "`\($0.path)`" }.joined(separator: " or ")
    reportUnknown(
      id, path, label: label,
      helps: fixIts.isEmpty
        ? (names.isEmpty ? helpForOwnAttribute(path) : ["did you mean \(names)?"]) : [],
      fixIts: fixIts)
  }

  /// Returns a member of a loop's element by its name: `e.isActive` for `device.isActive`.
  private func member(_ name: String, ofLoopAround id: NodeID) -> String? {
    var inner = id
    while inner != tree.root {
      let outer = parent(of: inner)
      if let loop = outline.loop(tree[outer]), loop.body == inner,
        knownAttribute(loop.range)?.has(member: name) == true
      {
        return "\(loop.variable).\(name)"
      }
      inner = outer
    }
    return nil
  }

  /// Reports an unknown attribute, which counts as missing.
  mutating func reportUnknown(
    _ id: NodeID, _ path: AttributePath, label: String = "not in the vocabulary", helps: [String],
    fixIts: [Diagnostic.FixIt] = []
  ) {
    report(
      Diagnostic(
        .unknownAttribute, "unknown attribute `\(path)`", at: tree[id].span, label: label,
        notes: isSuperscript && tree[parent(of: id)].kind != .call
          ? ["a missing attribute is not an error: it counts as zero or empty"] : [],
        helps: helps, fixIts: fixIts))
  }
}
