import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Advice for variables that do not exist.

extension FilterLinter {
  /// Returns advice for a variable that does not exist.
  ///
  /// - Parameter known: The names of the roots.
  func helpForRoot(
    _ id: NodeID, _ name: String, _ parent: SyntaxNode, _ known: Set<String>
  ) -> String {
    if id == tree.root,
      ["all", "any", "everyone", "everybody", "anyone"].contains(name.lowercased())
    {
      return "a filter that matches everyone is `true`"
    }
    return helpForSpelling(name, parent) ?? helpForElement(id, name, parent) ?? helpForValue(
      id, name, parent)
      ?? helpForFunction(id, name, parent) ?? helpForWord(id, name, parent)
      ?? foreignRoot(id, name, parent) ?? helpForPlainRoot(id, name, parent, known)
  }

  /// Returns advice for `Device.Platform`, an attribute in another case.
  private func helpForSpelling(_ name: String, _ parent: SyntaxNode) -> String? {
    let root = name.lowercased()
    guard parent.kind == .select, AttributeRoots.names.contains(root) else { return nil }
    let member = tree.name(of: parent).lowercased()
    return schema.attributes(under: root).first {
      $0.path.dropFirst(root.utf8.count + 1).lowercased() == member
    }.map { "write `\($0.path)`" }
  }

  /// Returns advice for the variable of a loop outside of it, for another name inside, and for a
  /// variable in quotes.
  private func helpForElement(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> String? {
    if let loop = tree.nodes.first(where: { node in
      ScopedCall(node, tree, environment)?.variables.contains {
        tree.name(of: tree[$0]) == name
      } ?? false
    }) {
      return
        "`\(name)` exists only inside of `\(tree.name(of: loop))(…)`: write the condition there"
    }
    // On the right of a comparison it is rather a text without quotes.
    let isSubject = parent.kind != .binary || parent.left == id || !parent.op.info.isComparison
    if isSubject, parent.kind == .select, let element = element(around: id) {
      return "the element is `\(element.name)`: write `\(element.name).\(tree.name(of: parent))`"
    }
    let isArgument = parent.kind == .call && parent.receiver != id && name.utf8.count > 2
    if isArgument, let element = element(around: id), !element.isUsed {
      return "did you mean `\(element.name)`, the element?"
    }
    guard isSubject, parent.kind != .list, !isArgument, let element = element(around: id) else {
      return nil
    }
    return element.hasMembers && name.utf8.count > 1
      ? "did you mean `\(element.name).\(name)`?" : "did you mean `\(element.name)`, the element?"
  }

  /// Returns advice for a constant that is written like a name: `flase`, `l0`, `.gold`, `blank`.
  private func helpForValue(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> String? {
    if let literal = Self.literal(meantBy: name), parent.kind == .binary || parent.kind == .unary {
      return "did you mean `\(literal)`?"
    }
    if let loop = loopWithQuotedVariable(around: id, name) {
      return "the variable is written without quotes: `\(loop)(\(name), …)`"
    }
    if parent.kind == .index, parent.operand == id, outline.isLibraryFunction(name) {
      return "a function is called with parentheses: `\(name)(\(text(parent.subscriptIndex)))`"
    }
    if let value = enumCase(id, name, parent) { return "put text in quotes: `\"\(value)\"`" }
    guard parent.kind == .binary else { return nil }
    if name == "NaN" { return "nothing equals NaN, and no attribute is it: remove the condition" }
    if Self.placeholders.contains(name.uppercased()) {
      return "this was never filled in: write the value"
    }
    if parent.right == id, parent.op.info.isComparison, knownAttribute(parent.left)?.type == .bool {
      return "`\(text(parent.left))` is true or false: write it alone, or with `!` before it"
    }
    return name == "blank" || name == "empty" ? "the empty text is `\"\"`" : nil
  }

  private static let placeholders: Set<String> = [
    "TODO", "TBD", "FIXME", "XXX", "PLACEHOLDER", "VALUE_HERE",
  ]

  /// Returns advice for a function of the SDKs without `device.`, and for a library of another
  /// language.
  private func helpForFunction(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> String? {
    if let bar = name.firstIndex(of: "_"), HistoryFunctionInfo.named(String(name[..<bar])) != nil {
      return "write `device.\(name[..<bar])(\"\(name[name.index(after: bar)...])\")`"
    }
    if HistoryFunctionInfo.named(name) != nil {
      let event = parent.kind == .index ? text(parent.subscriptIndex) : "\"…\""
      return "it is a function: write `device.\(name)(\(event))`"
    }
    guard parent.kind == .call, ["Math", "Date", "Random"].contains(name) else { return nil }
    let function = tree.name(of: parent)
    if let foreign = ForeignFunctions.equivalent(of: function, in: tree.dialect.name) {
      return advice(foreign, for: parent, isMethod: false)
    }
    return name == "Math" && outline.isLibraryFunction(function)
      ? "write `\(function)(…)` without `Math.`" : nil
  }

  /// Returns advice for words of other languages and tools: `percent`, `today`, `else`.
  private func helpForWord(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> String? {
    switch name.lowercased() {
    case "percent", "percentile", "percentage", "bucket", "rollout", "random":
      parent.kind == .select
        ? nil
        : "`user.seed` is a number from 0 to 99 that stays with the user: `user.seed < 10` is a "
          + "tenth of all"
    case "now", "today", "yesterday", "tomorrow", "current_date", "curdate", "getdate", "sysdate":
      ForeignFunctions.help(for: "now", in: tree.dialect.name)
    case "placement", "event", "event_name", "eventname":
      parent.kind != .select || ["name", "id", "identifier"].contains(tree.name(of: parent))
        ? "the name of the placement is `params.event_name`" : nil
    case let cell where Self.isCell(cell):
      "a cell of a table is an attribute here: write its name, such as `user.plan`"
    case "purchases", "superwall", "adapty", "qonversion", "customerinfo", "revenuecat":
      userAttribute(readBy: id)
        ?? "purchases are in `device.activeEntitlements` and `device.subscriptionStatus`: "
        + (soughtPurchase(id).map { "`\"\($0)\" in device.activeEntitlements`" }
          ?? "without any, `size(device.activeEntitlements) == 0`")
    case "else", "then", "elif", "elseif", "endif":
      "a choice is written `condition ? first : second`"
    default: nil
    }
  }

  /// Returns advice for `customerInfo.subscriptions`, `Superwall.shared.userAttributes["age"]` and
  /// `Superwall.shared.subscriptionStatus`.
  private func userAttribute(readBy id: NodeID) -> String? {
    let path = "device.\(text(parent(of: id)))"
    if schema[path] != nil, soughtPurchase(id) == nil { return "write `\(path)`" }
    var current = id
    while current != tree.root {
      current = parent(of: current)
      guard tree[current].kind == .select else { return nil }
      let member = tree.name(of: tree[current])
      let known = ["device.", "user."].first {
        schema["\($0)\(member)"].map { $0.type != .map } ?? false
      }
      if let known { return "write `\(known)\(member)`" }
      if Self.containers.contains(member.lowercased()),
        let name = memberAfter(current)
      {
        return "write `user.\(name)`"
      }
    }
    return nil
  }

  /// Returns the text in the brackets of `customerInfo.entitlements["pro"]`.
  private func soughtPurchase(_ id: NodeID) -> String? {
    var current = id
    while current != tree.root {
      current = parent(of: current)
      let node = tree[current]
      guard node.kind == .select || node.kind == .index else { return nil }
      if node.kind == .index, case .string(let name)? = tree.constant(of: node.subscriptIndex) {
        return name
      }
    }
    return nil
  }

  /// Returns whether a name is a letter and a small number, such as `b2`.
  private static func isCell(_ name: String) -> Bool {
    guard let first = name.utf8.first, first &- 0x61 < 26, (2...3).contains(name.utf8.count) else {
      return false
    }
    return name.utf8.dropFirst().allSatisfy { $0 &- 0x30 < 10 }
  }

  /// Returns advice for a name that no other language explains: another root, an attribute without
  /// its root, or a text without quotes.
  private func helpForPlainRoot(
    _ id: NodeID, _ name: String, _ parent: SyntaxNode, _ known: Set<String>
  ) -> String {
    let starts = "attributes start with `user.`, `device.` or `params.`"
    if parent.kind == .select {
      return Suggestions.help(for: name, among: known.sorted()) ?? starts
    }
    if let hyphenated = hyphenatedName(id, parent) {
      return hyphenated.hasSuffix("]")
        ? "a name with a hyphen is read with brackets: `\(hyphenated)`"
        : "a hyphen is a minus: write `\(hyphenated)`"
    }
    // `device.placementsInWeek(export_pdf >= 5)`
    let outer = tree[self.parent(of: self.parent(of: id))]
    if parent.kind == .binary, outer.kind == .call, historyFunction(outer) != nil {
      return "the name of an event is a text: `\"\(name)\"`"
    }
    if name.lowercased() == "country", let comparison = ConstantComparison(parent, in: tree),
      case .string(let value) = comparison.value,
      AttributeSchema.Attribute.Format.region.isCode(value) == true
    {
      return "did you mean `device.regionCode`?"
    }
    let paths = AttributeRoots.names.map { "\($0).\(name)" }
    if let found = paths.first(where: { schema[$0] != nil }) { return "did you mean `\(found)`?" }
    if parent.kind == .call, parent.receiver == id { return starts }
    if parent.kind == .call, tree.name(of: parent) == "has" {
      return "write `has(user.\(name))`; \(starts)"
    }
    if parent.kind == .index, parent.operand == id, Self.containers.contains(name.lowercased()) {
      if case .string(let key)? = tree.constant(of: parent.subscriptIndex), key.hasPrefix("$") {
        let known = Self.deviceAliases[String(key.dropFirst())]?.first
        return known.map { "did you mean `device.\($0)`?" }
          ?? "the SDKs keep no attributes whose names start with `$`; \(starts)"
      }
      return "write `user[\(text(parent.subscriptIndex))]`; \(starts)"
    }
    if parent.kind == .index, parent.subscriptIndex == id, tree[parent.operand].kind == .select {
      return "for an element, write `\"\(name)\" in \(text(parent.operand))`; for a member, put "
        + "its name in quotes: `\"\(name)\"`"
    }
    let isValue =
      parent.kind == .list || parent.kind == .call || parent.kind == .map
      || (parent.kind == .index && parent.subscriptIndex == id)
      || (parent.kind == .binary && parent.right == id && parent.op.info.isComparison)
    return isValue
      ? "put text in quotes: `\"\(name)\"`; \(starts)"
      : "write `user.\(name)`, or `params.\(name)` for a parameter of the placement"
  }

  /// Returns `false` for `flase`, and `10` for `l0`.
  private static func literal(meantBy name: String) -> String? {
    let digits = name.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "o"), UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "l"), UInt8(ascii: "I"): UInt8(ascii: "1")
      default: byte
      }
    }
    // The letter l alone is rather a name.
    let isNumber = name.utf8.contains { isDigit($0) || ($0 | 0x20) == UInt8(ascii: "o") }
    if digits.allSatisfy(isDigit), isNumber {
      return String(decoding: digits, as: UTF8.self)
    }
    let scalars = Array(name.lowercased().unicodeScalars)
    return ["true", "false"].first {
      Suggestions.distance(scalars, Array($0.unicodeScalars)) == 1
    }
  }

  /// Returns the value that a case of an enumeration means: `"ACTIVE"` for `.active`, and `"Wifi"`
  /// for `RadioType.Wifi`.
  private func enumCase(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> String? {
    let isMember = parent.kind == .select && id != tree.root
    let written = isMember ? tree.name(of: parent) : name
    guard !isMember || name.first?.isUppercase == true && name != "Math" else { return nil }
    let place = isMember ? self.parent(of: id) : id
    let outer = tree[self.parent(of: place)]
    guard outer.kind == .binary, outer.op.info.isComparison, outer.right == place else {
      return nil
    }
    guard let attribute = knownAttribute(outer.left), !attribute.values.isEmpty else {
      return isMember ? written : nil
    }
    let (values, _) = Self.values(meantBy: written, among: attribute.values)
    return values.count == 1 ? values[0] : isMember ? written : nil
  }

  /// Returns the variable of the loop around a name, whether its values may have members, and
  /// whether the loop reads it.
  private func element(
    around id: NodeID
  ) -> (name: String, hasMembers: Bool, isUsed: Bool)? {
    let loop = outline.scope(around: id) { $0.variables.count == 1 && $0.outside.count == 1 }
    guard let loop, let variable = loop.variables.first, let range = loop.outside.first else {
      return nil
    }
    let type = staticType(range)
    let isPlain = if case .list(let element) = type { element.isTextOrNumber } else { false }
    // A `tag` of `user.tags` is the element itself.
    let isElement = text(range).lowercased().hasSuffix(text(id).lowercased() + "s")
    let name = tree.name(of: tree[variable])
    let isUsed = tree.nodes.indices.contains {
      isBound[$0] && NodeID(UInt32($0)) != variable && tree.nodes[$0].kind == .identifier
        && tree.name(of: tree.nodes[$0]) == name
    }
    return (name, !isPlain && !isElement, isUsed)
  }

  /// Returns the loop around a name that is written in quotes as its variable:
  /// `exists("t", t == "vip")`.
  private func loopWithQuotedVariable(around id: NodeID, _ name: String) -> String? {
    outline.nearest(around: id) { node, _ in
      guard node.kind == .call, Self.loops.contains(tree.name(of: node)),
        let first = tree.arguments(of: node).first,
        case .string(name)? = tree.constant(of: first)
      else { return nil }
      return tree.name(of: node)
    }
  }

  /// Returns `user["first-name"]` for `user.first-name`.
  private func hyphenatedName(_ id: NodeID, _ parent: SyntaxNode) -> String? {
    guard parent.isBinary(.subtract), parent.right == id else { return nil }
    // All of `user.sign-up-source`.
    var top = self.parent(of: id)
    while top != tree.root, case let outer = tree[self.parent(of: top)], isHyphen(outer),
      outer.left == top
    {
      top = self.parent(of: top)
    }
    var names: [String] = []
    while isHyphen(tree[top]) {
      names.insert(tree.name(of: tree[tree[top].right]), at: 0)
      top = tree[top].left
    }
    let left = tree[top]
    guard left.kind == .select, !names.isEmpty else { return nil }
    names.insert(tree.name(of: left), at: 0)
    let owner = tree.source.text(of: tree[left.operand].span)
    // The SDKs have names with `_`.
    let joined = "\(owner).\(names.joined(separator: "_"))"
    if owner == "device" || AttributePath(joined).flatMap({ schema.attribute(at: $0) }) != nil {
      return joined
    }
    return "\(owner)[\"\(names.joined(separator: "-"))\"]"
  }

  /// Returns whether a minus joins what is directly before it and a name directly after it.
  private func isHyphen(_ node: SyntaxNode) -> Bool {
    node.isBinary(.subtract) && tree[node.right].kind == .identifier
      && tree[node.left].span.end &+ 1 == tree[node.right].span.start
  }
}
