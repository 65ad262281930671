import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports members of attributes that have none.

extension FilterLinter {
  /// Reports `user.age.x`, `user.plan["x"]` and `user.tags["vip"]`.
  ///
  /// - Parameter path: The path of the whole chain of members.
  /// - Returns: Whether it did.
  mutating func checkNoMembers(_ id: NodeID, _ path: AttributePath) -> Bool {
    guard path.names.count > 1 else { return false }
    for count in 1..<path.names.count {
      let owner = AttributePath(root: path.root, names: Array(path.names.prefix(count)))
      guard let attribute = schema[owner.description], attribute.type != .map,
        attribute.type != .any || attribute.format?.isLinkPart == true,
        !schema.attributes.keys.contains(where: { $0.hasPrefix("\(owner).") })
      else { continue }
      var node = tree[id]
      for _ in (count + 1)..<path.names.count { node = tree[node.operand] }
      let isIndex = node.kind == .index
      report(
        Diagnostic(
          .unknownAttribute,
          "`\(owner)` is \(attribute.type == .any ? "a text" : attribute.type.withArticle) and has no "
            + "members",
          at: isIndex ? tree[node.subscriptIndex].span : tree.nameSpan(of: node),
          label: "not there",
          secondary: [
            Diagnostic.Label(
              tree[node.operand].span, attribute.type == .any ? "a text" : attribute.type.name)
          ],
          notes: isSuperscript && !isIndex
            ? ["a missing attribute is not an error: it counts as zero or empty"]
            : [Self.failsAtRunTime],
          helps: [
            attribute.format == .query
              ? "the parameters of a link are parameters of the placement: "
                + "`\(path.root).\(path.names[count])`"
              : helpForSoughtMember(id, owner, attribute)
                ?? helpForMember(of: owner, attribute, Array(path.names.dropFirst(count)), id)
          ]))
      return true
    }
    return false
  }

  /// Reports `s.active` in a loop over subscriptions, which have no such member.
  mutating func checkElementMember(_ id: NodeID) {
    if checkMemberOfResult(id) { return }
    guard let (list, name) = elementMember(id), !list.members.contains(where: { $0.path == name })
    else { return }
    let owner = text(tree[id].operand)
    let objects = schema[
      "\(list.path.hasSuffix("s") ? String(list.path.dropLast()) : list.path)Objects"]
    if let objects, objects.has(member: name), name != "identifier" {
      return report(
        Diagnostic(
          .unknownAttribute, "the elements of `\(list.path)` have no members",
          at: tree.nameSpan(of: tree[id]), label: "not there",
          secondary: [Diagnostic.Label(tree[tree[id].operand].span, "an id")],
          helps: ["the elements of `\(objects.path)` have it"]))
    }
    if case .list(let element) = list.type, element.isTextOrNumber {
      return report(
        Diagnostic(
          .unknownAttribute, "the elements of `\(list.path)` have no members",
          at: tree.nameSpan(of: tree[id]), label: element.name,
          secondary: [Diagnostic.Label(tree[tree[id].operand].span, "\(element.withArticle)")],
          helps: Self.roots.contains(text(tree[id].operand))
            ? []
            : [
              "compare the element itself: `\(comparedElement(id, owner))`"
            ]))
    }
    guard !list.members.isEmpty else { return }
    let names = list.members.map { $0.path }
    let meant =
      Self.memberAliases[name].flatMap { aliases in aliases.first { names.contains($0) } }
      ?? names.first { $0.lowercased().hasSuffix(name.lowercased()) }
      ?? Suggestions.closest(to: name, among: names).first
    report(
      Diagnostic(
        .unknownAttribute, "the elements of `\(list.path)` have no `\(name)`",
        at: tree.nameSpan(of: tree[id]), label: "not there",
        notes: meant == nil ? ["they have \(names.joined(separator: ", "))"] : [],
        helps: meant.map { ["did you mean `\(owner).\($0)`?"] } ?? []))
  }

  /// Returns the comparison around a member, with the element itself.
  private func comparedElement(_ id: NodeID, _ owner: String) -> String {
    let parent = tree[parent(of: id)]
    if parent.kind == .call, tree.name(of: parent) == "map" { return owner }
    guard let comparison = ConstantComparison(parent, in: tree), comparison.subject == id
    else { return "\(owner) == …" }
    return "\(owner) \(comparison.op.spelling) \(text(comparison.constant))"
  }

  /// Returns whether a node is a call or a number, the members of which depend on its type.
  func isResultOrNumber(_ id: NodeID) -> Bool {
    [.call, .intLiteral, .doubleLiteral].contains(tree[id].kind)
  }

  /// Reports `device.hoursSince("app_open").hours`: a number has no members.
  private mutating func checkMemberOfResult(_ id: NodeID) -> Bool {
    let node = tree[id]
    guard node.kind == .select, isResultOrNumber(node.operand) else { return false }
    let owner = node.operand
    let type = staticType(owner)
    let name = tree.name(of: node)
    let isRoot = Self.roots.contains(name)
    // The type checker reports other members of numbers.
    if isList(type), ["length", "count", "size", "isEmpty"].contains(name) {
      report(
        Diagnostic(
          .unknownAttribute, "a list has no members", at: tree.nameSpan(of: node),
          label: "not there", secondary: [Diagnostic.Label(tree[owner].span, type.name)],
          helps: ["write `size(\(text(owner)))\(name == "isEmpty" ? " == 0" : "")`"]))
      return true
    }
    guard type == .bool || type == .string || type.isNumeric,
      tree[owner].kind == .call || isRoot || Self.unitsOfTime.contains(name)
        || name.lowercased() == "x"
    else { return false }
    report(
      Diagnostic(
        .unknownAttribute, "\(type.withArticle) has no members", at: tree.nameSpan(of: node),
        label: "not there", secondary: [Diagnostic.Label(tree[owner].span, type.name)],
        helps: [
          tree[owner].kind == .call
            ? "compare `\(text(owner))` itself"
            : name.lowercased() == "x"
              ? "for all of them, ask for the beginning: `….startsWith(\"\(text(owner)).\")`"
              : isRoot
                ? "remove `\(text(owner))`"
                : ConstantComparison(tree[parent(of: id)], in: tree) != nil
                  || tree[parent(of: id)].op.info.isComparison
                  ? "write the number alone, in the unit of the attribute: `\(text(owner))`"
                  : "there is no clock; compare an attribute such as `device.daysSinceInstall`"
        ]))
    return true
  }

  private static let unitsOfTime = Set(
    ["second", "minute", "hour", "day", "week", "month", "year"].flatMap { [$0, $0 + "s"] })

  /// Other names of the members of purchases.
  private static let memberAliases: [String: [String]] = [
    "id": ["identifier", "productId", "transactionId"], "name": ["identifier", "productId"],
    "entitlement": ["identifier"], "expiry": ["expiresAt", "expirationDate"],
    "expires": ["expiresAt", "expirationDate"], "expiration": ["expiresAt", "expirationDate"],
    "expiresDate": ["expiresAt", "expirationDate"], "expirationDate": ["expiresAt"],
    "expiresAt": ["expirationDate"], "autoRenew": ["willRenew"], "willAutoRenew": ["willRenew"],
    "renews": ["willRenew"], "status": ["state", "isActive"], "isTrial": ["offerType"],
    "trial": ["offerType"], "periodType": ["offerType"], "start": ["startsAt", "purchaseDate"],
    "startDate": ["startsAt", "purchaseDate"], "product": ["productId", "latestProductId"],
    "productId": ["latestProductId"], "sku": ["productId"], "platform": ["store"],
    "refunded": ["isRevoked"], "lifetime": ["isLifetime"],
  ]

  /// Returns advice for `device.activeEntitlements.identifier == "pro"`, which means `"pro"`.
  private func helpForSoughtMember(
    _ id: NodeID, _ owner: AttributePath, _ attribute: AttributeSchema.Attribute
  ) -> String? {
    let parent = tree[parent(of: id)]
    guard case .list(.string) = attribute.type else { return nil }
    // `device.activeEntitlements.all.contains("pro")`
    if parent.kind == .call, tree.name(of: parent) == "contains", parent.receiver == id,
      let sought = tree.arguments(of: parent).first, case .string? = tree.constant(of: sought)
    {
      return "its elements are texts: write `\(text(sought)) in \(owner)`"
    }
    guard let comparison = ConstantComparison(parent, in: tree),
      comparison.isEquality, case .string = comparison.value, comparison.subject == id
    else { return nil }
    let membership = "\(text(comparison.constant)) in \(owner)"
    return "its elements are texts: write `\(comparison.op.asked(membership))`"
  }

  /// Returns the attribute that has a part of a locale.
  private func helpForPartOfLocale(
    _ name: String, _ attribute: AttributeSchema.Attribute
  ) -> String? {
    let isLanguage = name.lowercased().hasPrefix("lang")
    guard
      isLanguage || ["region", "regioncode", "country", "countrycode"].contains(name.lowercased())
    else { return nil }
    let root = attribute.path.prefix { $0 != "." }
    let format: AttributeSchema.Attribute.Format = isLanguage ? .language : .region
    let stem = attribute.path.hasSuffix("Locale") ? attribute.path.dropLast(6) : ""
    let known = schema.attributes(under: String(root)).filter { $0.format == format }
    let other = known.first { !stem.isEmpty && $0.path.hasPrefix(stem) } ?? known.first
    return other.map { "the \(isLanguage ? "language" : "region") is in `\($0.path)`" }
  }

  private func helpForPartOfVersion(
    _ name: String, _ owner: AttributePath, _ attribute: AttributeSchema.Attribute, _ id: NodeID
  ) -> String? {
    guard [.version, .systemVersion].contains(attribute.format),
      ["major", "minor", "patch", "majorVersion", "minorVersion"].contains(name)
    else { return nil }
    let comparison = ConstantComparison(tree[parent(of: id)], in: tree)
    if let padded = schema[attribute.path + "Padded"] {
      return
        "a version is a text; compare padded ones: `\(padded.path) \(comparedVersion(comparison))`"
    }
    var number = "17"
    if case .int(let int)? = comparison?.value, (0..<1_000).contains(int) { number = "\(int)" }
    return Self.helpForVersion("\(owner)", number)
  }

  private func isArgumentOfSize(_ id: NodeID) -> Bool {
    let parent = tree[parent(of: id)]
    return parent.kind == .call && tree.name(of: parent) == "size" && parent.receiver == nil
  }

  private func helpForMember(
    of owner: AttributePath, _ attribute: AttributeSchema.Attribute, _ names: [String],
    _ id: NodeID
  ) -> String {
    let name = names.first ?? ""
    if Self.searches.contains(name) {
      let argument = names.count > 1 ? Value.string(names[1]).literal : "…"
      return "a call is written with parentheses: `\(owner).\(name)(\(argument))`"
    }
    switch attribute.type {
    case .list
    where attribute.members.contains { $0.path == name && $0.type == .bool }:
      let comparison = ConstantComparison(tree[parent(of: id)], in: tree)
      // `subscriptions.willRenew == false` is about those that do not renew.
      if comparison?.op == .equal, comparison?.value == .bool(false) {
        return "ask its elements: `\(owner).exists(x, !x.\(name))`"
      }
      let sought = replacement("\(owner).exists(x, x.\(name))", for: id)
      return "ask its elements: `\(sought)`"
    case .list
    where ["isNotEmpty", "notEmpty", "active", "any", "all", "isActive"].contains(name):
      return tree[parent(of: id)].isUnary(.not)
        ? "to ask whether there is none, write `size(\(owner)) == 0`"
        : "to ask whether there are any, write `size(\(owner)) > 0`"
    case .list(let element) where element == .string || element == .any:
      let membership = replacement("\(Value.string(name).literal) in \(owner)", for: id)
      return "to ask for an element, write `\(membership)`"
    case .list where name.isPlainName && isArgumentOfSize(id):
      return "to count its elements, write `size(\(owner))`"
    case .list(let element) where element == .map:
      let known = attribute.members.map { $0.path }
      let right =
        known.contains(name)
        ? name : (Self.memberAliases[name] ?? []).first { known.contains($0) }
      if right == nil, name == "first" {
        let rest = names.dropFirst().map { ".\($0)" }.joined()
        return "the first element is `\(owner)[0]`: write `\(owner)[0]\(rest)`"
      }
      // The name is rather that of an element: `entitlements.pro.isActive`.
      if right == nil, name.isPlainName,
        let key = ["identifier", "productId"].first(where: known.contains)
      {
        let rest = names.dropFirst().first.flatMap { known.contains($0) ? " && x.\($0)" : nil }
        let sought = "\(owner).exists(x, x.\(key) == \(Value.string(name).literal)\(rest ?? ""))"
        return "ask its elements: `\(replacement(sought, for: id))`"
      }
      let member =
        right.map { "x.\($0)" }
        ?? (name.isPlainName ? "x.\(name)" : "x[\(Value.string(name).literal)]")
      return "ask its elements: `\(owner).exists(x, \(member) == …)`"
    case .list: return "an element of a list is read by its number: `\(owner)[0]`"
    default: break
    }
    if attribute.format == .time {
      return clockHelp(comparedAt: id, "\(owner)")
        ?? "it is a text: compare it with one, or write `\(owner).startsWith(\"…\")`"
    }
    if attribute.format == .locale, let part = helpForPartOfLocale(name, attribute) { return part }
    if let part = helpForPartOfVersion(name, owner, attribute, id) { return part }
    if attribute.type == .string,
      let foreign = ForeignFunctions.help(for: name, in: tree.dialect.name)
    {
      return foreign
    }
    if schema["\(owner.root).\(name)"] != nil { return "did you mean `\(owner.root).\(name)`?" }
    return [.date, .dateTime].contains(attribute.format)
      ? "there is no clock; ask for the time since an event, such as `device.daysSinceInstall`"
      : "compare `\(owner)` itself"
  }
}
