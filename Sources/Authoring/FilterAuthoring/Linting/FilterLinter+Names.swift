import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

extension FilterLinter {
  static let roots: Set<String> = ["user", "device", "params", "computed"]

  // MARK: Variables

  mutating func checkRoot(_ id: NodeID, _ node: SyntaxNode) {
    guard !isBound[Int(id.index)] else { return }
    let name = tree.name(of: node)
    guard !Self.roots.contains(name) else { return }
    let parent = tree.nodes[Int(parents[Int(id.index)])]
    if parent.kind == .message { return }
    // The variable of a malformed loop is reported with the loop.
    if parent.kind == .call, parent.first != id.index,
      ["all", "exists", "exists_one", "map", "filter"].contains(tree.name(of: parent))
    {
      return
    }
    let known = knownRoots
    guard !known.contains(name), !isArgumentOfUnknownFunction(id) else { return }
    poisoned.insert(id.index)
    if let literal = ForeignWords.literal(for: name), parent.kind != .select {
      return reportForeignLiteral(name, literal, node)
    }
    report(
      Diagnostic(
        .unknownRoot, "there is no variable `\(name)`", at: node.span, label: "not known",
        notes: [
          isSuperscript
            ? "a variable that the context does not have makes the whole filter null, "
              + "so it does not match"
            : "a variable that the context does not have is an error"
        ],
        helps: [helpForRoot(id, name, parent, known)]))
  }

  /// Reports `None`, `TRUE` and `undefined`.
  private mutating func reportForeignLiteral(_ name: String, _ literal: String, _ node: SyntaxNode)
  {
    report(
      Diagnostic(
        .unknownRoot, "`\(name)` is not a literal here", at: node.span, label: "write `\(literal)`",
        notes: ["it is read as a variable, and there is none of that name"],
        fixIts: [Diagnostic.FixIt("write `\(literal)`", [Diagnostic.Edit(node.span, literal)])]))
  }

  /// Returns whether a name is in the arguments of an unknown function, or of a loop without a
  /// variable, which is then the mistake to report.
  private func isArgumentOfUnknownFunction(_ id: NodeID) -> Bool {
    let loops: Set<String> = ["all", "exists", "exists_one", "map", "filter"]
    var current = id.index
    for _ in 0..<8 {
      let next = parents[Int(current)]
      guard next != current else { return false }
      let node = tree.nodes[Int(next)]
      if node.kind == .call, node.first != current {
        let name = tree.name(of: node)
        if loops.contains(name), isSuperscript,
          let needed = FunctionNames.argumentCount(
            of: name, hasReceiver: node.first != SyntaxNode.none),
          node.third < needed
        {
          return true
        }
        if isSuperscript, !outline.isLibraryFunction(name), !outline.isHostFunction(name),
          node.first == SyntaxNode.none || tree.nodes[Int(node.first)].kind != .identifier
        {
          return true
        }
      }
      current = next
    }
    return false
  }

  private func helpForRoot(
    _ id: NodeID, _ name: String, _ parent: SyntaxNode, _ known: Set<String>
  ) -> String {
    if id.index == tree.root.index,
      ["all", "any", "everyone", "everybody", "anyone"].contains(name.lowercased())
    {
      return "a filter that matches everyone is `true`"
    }
    if ["now", "today", "yesterday", "tomorrow"].contains(name.lowercased()),
      let clock = ForeignFunctions.help(for: "now", in: tree.dialect.name)
    {
      return clock
    }
    if ["else", "then", "elif", "elseif", "endif"].contains(name.lowercased()) {
      return "a choice is written `condition ? first : second`"
    }
    if ["Math", "Date", "Random"].contains(name), parent.kind == .call,
      let foreign = ForeignFunctions.help(for: tree.name(of: parent), in: tree.dialect.name)
    {
      return foreign
    }
    if name == "Math", parent.kind == .call,
      outline.isLibraryFunction(tree.name(of: parent))
    {
      return "write `\(tree.name(of: parent))(…)` without `Math.`"
    }
    let starts = "attributes start with `user.`, `device.` or `params.`"
    if parent.kind == .select {
      return Suggestions.help(for: name, among: known.sorted()) ?? starts
    }
    if let hyphenated = hyphenatedName(id, parent) {
      return "a name with a hyphen is read with brackets: `\(hyphenated)`"
    }
    let paths = ["user", "device", "params"].map { "\($0).\(name)" }
    if let found = paths.first(where: { schema[$0] != nil }) { return "did you mean `\(found)`?" }
    let quoted = "put text in quotes: `\"\(name)\"`"
    if parent.kind == .call, parent.first == id.index { return starts }
    let isValue =
      parent.kind == .list || parent.kind == .call
      || (parent.kind == .index && parent.second == id.index)
      || (parent.kind == .binary && parent.second == id.index && parent.op.info.isComparison)
    return isValue ? "\(quoted); \(starts)" : "write `user.\(name)`; \(starts)"
  }

  /// Returns `user["first-name"]` for `user.first-name`.
  private func hyphenatedName(_ id: NodeID, _ parent: SyntaxNode) -> String? {
    guard parent.kind == .binary, parent.op == .subtract, parent.second == id.index else {
      return nil
    }
    let left = tree.nodes[Int(parent.first)]
    let node = tree[id]
    guard left.kind == .select, left.span.end &+ 1 == node.span.start else { return nil }
    let owner = tree.source.text(of: tree.nodes[Int(left.first)].span)
    return "\(owner)[\"\(tree.name(of: left))-\(tree.name(of: node))\"]"
  }

  // MARK: Attributes

  mutating func checkAttribute(_ id: NodeID) {
    let parent = tree.nodes[Int(parents[Int(id.index)])]
    let isInner =
      id.index != tree.root.index && (parent.kind == .select || parent.kind == .index)
      && parent.first == id.index
    guard let path = freePath(id) else { return }
    if !isInner, checkMemberForFunction(id, path) { return }
    if let attribute = schema.attribute(at: path) {
      if let reason = attribute.deprecated { reportDeprecated(id, path, reason) }
      return
    }
    let isWhole = !isInner || freePath(NodeID(parents[Int(id.index)])) == nil
    if isWhole, checkNoMembers(id, path) { return }
    guard !isInner || path.names.count == 1 else { return }
    // Members of an object are known only if the schema lists members of that object.
    let container = AttributePath(root: path.root, names: Array(path.names.dropLast()))
    if path.names.count > 1 {
      guard schema.attributes.keys.contains(where: { $0.hasPrefix("\(container).") }) else {
        return
      }
    } else if isInner, schema.attributes.keys.contains(where: { $0.hasPrefix("\(path).") }) {
      return
    }
    reportUnknown(id, path, container)
  }

  private mutating func reportDeprecated(_ id: NodeID, _ path: AttributePath, _ reason: String) {
    report(
      Diagnostic(
        .deprecatedAttribute, "`\(path)` is deprecated", at: tree[id].span, label: "deprecated",
        notes: [reason]))
  }

  private mutating func reportUnknown(
    _ id: NodeID, _ path: AttributePath, _ container: AttributePath
  ) {
    guard let name = path.names.last else { return }
    let prefix = "\(container)."
    let siblings = schema.attributes.keys.filter { $0.hasPrefix(prefix) && !$0.hasSuffix("*") }
      .map { String($0.dropFirst(prefix.count)) }.filter { !$0.contains(".") }.sorted()
    // The SDKs' own vocabulary lists the attributes of a device, but not all members of its
    // objects.
    let isVocabulary = AttributeSchema.builtIn.closedRoots.contains(path.root)
    let isClosed =
      schema.closedRoots.contains(path.root) && (!isVocabulary || path.names.count == 1)
    // In an open root, apps have names of their own, and a similar name may be one of them.
    let suggestions =
      isClosed && !isVocabulary
      ? Suggestions.closest(to: name, among: siblings)
      : siblings.filter {
        Self.isMisspelling(name, of: $0)
          || AttributeSchema.builtIn[prefix + $0] == nil && Self.isSlip(name, of: $0)
      }
    if suggestions.isEmpty, let meant = Self.deviceAliases[name], path.root == "device",
      path.names.count == 1, schema["device.\(meant[0])"] != nil
    {
      return report(
        Diagnostic(
          .unknownAttribute, "unknown attribute `\(path)`", at: tree[id].span,
          label: "not in the vocabulary",
          notes: isSuperscript
            ? ["a missing attribute is not an error: it counts as zero or empty"] : [],
          helps: ["did you mean \(meant.map { "`device.\($0)`" }.joined(separator: " or "))?"]))
    }
    guard isClosed || !suggestions.isEmpty else { return }
    let nameSpan = tree[id].kind == .select ? tree.nameSpan(of: tree[id]) : nil
    var fixIts: [Diagnostic.FixIt] = []
    if let only = suggestions.first, suggestions.count == 1, let nameSpan, only.isPlainName,
      Self.isMisspelling(name, of: only)
    {
      fixIts = [Diagnostic.FixIt("write `\(prefix)\(only)`", [Diagnostic.Edit(nameSpan, only)])]
    }
    let names = suggestions.prefix(2).map { "`\(prefix)\($0)`" }.joined(separator: " or ")
    let isOwn = suggestions.contains { AttributeSchema.builtIn[prefix + $0] == nil }
    report(
      Diagnostic(
        .unknownAttribute, "unknown attribute `\(path)`", at: tree[id].span,
        label: isClosed && !isVocabulary || isOwn ? "not in the schema" : "not in the vocabulary",
        notes: isSuperscript
          ? ["a missing attribute is not an error: it counts as zero or empty"] : [],
        helps: fixIts.isEmpty ? (names.isEmpty ? [] : ["did you mean \(names)?"]) : [],
        fixIts: fixIts))
  }

  /// Common other names of device attributes, with the real names.
  private static let deviceAliases: [String: [String]] = [
    "os": ["platform", "osVersion"], "country": ["regionCode", "ipCountry"],
    "countryCode": ["regionCode", "storeFrontCountryCode"], "region": ["regionCode", "ipRegion"],
    "language": ["deviceLanguageCode", "preferredLanguageCode"],
    "languageCode": ["deviceLanguageCode", "preferredLanguageCode"],
    "hour": ["localTime"], "localHour": ["localTime"], "today": ["localDate"],
    "name": ["deviceModel"], "isTablet": ["interfaceType"], "isIpad": ["interfaceType"],
    "storefront": ["storeFrontCountryCode"],
    "locale": ["deviceLocale", "preferredLocale"], "model": ["deviceModel"],
    "version": ["appVersionPadded", "osVersion"], "appVersionPad": ["appVersionPadded"],
    "currency": ["deviceCurrencyCode"],
    "type": ["interfaceType"], "deviceType": ["interfaceType"], "timezone": ["timezoneOffset"],
    "isLowPowerMode": ["isLowPowerModeEnabled"], "darkMode": ["interfaceStyle"],
    "entitlements": ["activeEntitlements"], "products": ["activeProducts"],
    "paywallViews": ["totalPaywallViews"], "installDate": ["appInstallDate"],
    "date": ["localDate", "utcDate"], "time": ["localTime", "utcTime"], "city": ["ipCity"],
    "isSubscribed": ["subscriptionStatus"], "buildNumber": ["appBuildStringNumber"],
  ]

  /// Returns whether a name is so close to another that it is hardly a different one.
  private static func isMisspelling(_ name: String, of other: String) -> Bool {
    if name.lowercased() == other.lowercased() { return true }
    guard min(name.count, other.count) >= 6 else { return false }
    // Names of one family, such as `ipCity` and `ipCode`, differ in one whole word.
    let a = Array(name.lowercased().unicodeScalars)
    let b = Array(other.lowercased().unicodeScalars)
    guard abs(a.count - b.count) <= 2 else { return false }
    return Suggestions.distance(a, b) <= (min(a.count, b.count) >= 10 ? 2 : 1)
  }

  /// Returns whether a name is one slip away from a name of five letters or more, other than its
  /// plural.
  private static func isSlip(_ name: String, of other: String) -> Bool {
    guard min(name.count, other.count) >= 5, abs(name.count - other.count) <= 1,
      name + "s" != other, other + "s" != name
    else {
      return false
    }
    return Suggestions.distance(
      Array(name.lowercased().unicodeScalars), Array(other.lowercased().unicodeScalars)) <= 1
  }

  // MARK: Functions

  mutating func checkCall(_ id: NodeID, _ node: SyntaxNode) {
    let name = tree.name(of: node)
    checkPattern(node, name)
    checkTextFunction(node, name)
    checkSoughtText(node, name)
    guard isSuperscript, environment.deviceFunctions[name] == nil,
      environment.computedFunctions[name] == nil
    else { return }
    let target = node.first == SyntaxNode.none ? nil : tree.nodes[Int(node.first)]
    if let target, target.kind == .identifier, !isBound[Int(node.first)],
      ["device", "computed"].contains(tree.name(of: target)), !outline.isLibraryFunction(name)
    {
      return checkHostCall(node, name, table: tree.name(of: target))
    }
    guard outline.isLibraryFunction(name) else {
      return reportUncallable(node, name, among: FunctionNames.all(in: tree.dialect.name))
    }
    if let target, FunctionNames.withoutReceiver(in: tree.dialect.name).contains(name) {
      return reportMethod(node, name, target)
    }
    checkArgumentCount(node, name)
    if checkArgumentTypes(id, node, name) { return }
    if name == "has" { checkHas(node) }
  }

  // MARK: Arguments

  private mutating func checkArgumentCount(_ node: SyntaxNode, _ name: String) {
    let hasReceiver = node.first != SyntaxNode.none
    guard let needed = FunctionNames.argumentCount(of: name, hasReceiver: hasReceiver),
      Int(node.third) != needed
    else { return }
    let isMissing = node.third < needed
    var helps: [String] = []
    if hasReceiver, needed == 2, node.third == 1, name != "maybe" {
      let owner = text(NodeID(node.first))
      helps = ["name the element first: `\(owner).\(name)(x, x == …)`"]
    } else if name == "exists", !hasReceiver, let only = tree.children(of: node).first,
      freePath(NodeID(only)) != nil
    {
      helps = ["to ask whether it is there, write `has(\(text(NodeID(only))))`"]
    } else if hasReceiver, !isMissing {
      helps = helpForSurplus(node, name)
    }
    report(
      Diagnostic(
        .wrongArgumentCount,
        "`\(name)` takes \(needed) argument\(needed == 1 ? "" : "s"), \(node.third) given",
        at: tree.nameSpan(of: node),
        label: isMissing ? "an argument is missing" : "the rest is ignored",
        notes: FunctionNames.signatures(of: name).map { "`\($0)`" }, helps: helps))
  }

  /// Returns advice for `user.email.startsWith("a", "b")` and `user.email.contains("x", "i")`.
  private func helpForSurplus(_ node: SyntaxNode, _ name: String) -> [String] {
    let arguments = Array(tree.children(of: node)).map { NodeID($0) }
    guard ["startsWith", "endsWith", "contains", "matches"].contains(name), arguments.count == 2,
      case .string(let second)? = tree.constant(of: arguments[1]),
      case .string(let first)? = tree.constant(of: arguments[0])
    else { return [] }
    let subject = text(NodeID(node.first))
    if second == "i" {
      let isPlain = first.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
      return isPlain || name == "matches"
        ? ["to ignore case, write `\(subject).matches(\"(?i)\(first)\")`"] : []
    }
    return [
      "for one of several, write `\(arguments.map { "\(subject).\(name)(\(text($0)))" }.joined(separator: " || "))`"
    ]
  }

  /// Reports `has("user.age")`, `has(user)` and `user.has("age")`, which are true whatever the
  /// attribute is.
  private mutating func checkHas(_ node: SyntaxNode) {
    guard let argument = tree.children(of: node).first else { return }
    let inner = tree.nodes[Int(argument)]
    if checkHasOfValue(NodeID(argument)) { return }
    guard inner.kind == .stringLiteral || inner.kind == .identifier, !isBound[Int(argument)] else {
      return
    }
    var helps = ["ask for an attribute: `has(user.age)`"]
    if inner.kind == .stringLiteral {
      let name = String(decoding: tree.text(of: inner), as: UTF8.self)
      let owner =
        node.first == SyntaxNode.none ? "" : "\(text(NodeID(node.first)))."
      let isPath = name.utf8.allSatisfy {
        $0 == 0x2E || $0 == 0x5F || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26
      }
      if let receiver = element(receiverOf: node) {
        helps = ["to look for it, write `\(text(NodeID(argument))) in \(receiver)`"]
        if isPath, staticType(NodeID(node.first)) == .any {
          helps.append("to ask for a member of that name, write `has(\(receiver).\(name))`")
        }
      } else if isPath, !name.isEmpty, !owner.isEmpty || name.contains(".") {
        helps = ["write `has(\(owner)\(name))`"]
      }
    }
    report(
      Diagnostic(
        .alwaysTrue, "`has` of something other than an attribute is always true", at: inner.span,
        label: inner.kind == .stringLiteral
          ? "a text, which is there" : "all of it, which is there",
        helps: helps))
  }

  /// Returns what is searched in `user.tags.has("dawn")`: an attribute that is a list or a text, or
  /// may be one. `has` on a root or an object asks for a member.
  private func element(receiverOf node: SyntaxNode) -> String? {
    guard node.first != SyntaxNode.none, freePath(NodeID(node.first)) != nil else { return nil }
    switch staticType(NodeID(node.first)) {
    case .map: return nil
    default: return text(NodeID(node.first))
    }
  }

  private mutating func checkHostCall(_ node: SyntaxNode, _ name: String, table: String) {
    guard schema.hostFunctions["\(table).\(name)"] == nil else {
      return checkHostArguments(node, name, table: table)
    }
    let known =
      schema.hostFunctions.keys.filter { $0.hasPrefix("\(table).") }
      .map { String($0.dropFirst(table.count + 1)) }
      + (table == "device" ? environment.deviceFunctions : environment.computedFunctions).keys
    var closest = Suggestions.closest(to: name, among: known.sorted())
    if let same = closest.first, same.lowercased() == name.lowercased() { closest = [same] }
    report(
      Diagnostic(
        .uncallableFunction, "there is no function `\(table).\(name)`",
        at: tree.nameSpan(of: node), label: "not known",
        notes: ["the app does not offer it, nor do the SDKs"],
        helps: closest.isEmpty
          ? []
          : ["did you mean \(closest.map { "`\(table).\($0)`" }.joined(separator: " or "))?"]))
  }

  private mutating func reportUncallable(
    _ node: SyntaxNode, _ name: String, among functions: [String]
  ) {
    // In `Math.max(…)` the name before the dot is the mistake.
    if node.first != SyntaxNode.none, poisoned.contains(node.first) { return }
    let known = functions.filter { !["unknownFunction", "test_custom_func"].contains($0) }
    var helps = Suggestions.help(for: name, among: known).map { [$0] } ?? []
    if let foreign = ForeignFunctions.help(for: name, in: tree.dialect.name) {
      helps = [filled(foreign, for: node)]
    } else if schema.hostFunctions["device.\(name)"] != nil {
      helps = ["did you mean `device.\(name)`?"]
    } else if helps.isEmpty, node.third == 0, node.first != SyntaxNode.none {
      let owner = tree.source.text(of: tree.nodes[Int(node.first)].span).shortened(to: 40)
      helps = ["an attribute is read without parentheses: `\(owner).\(name)`"]
    }
    let nameSpan = tree.nameSpan(of: node)
    var fixIts: [Diagnostic.FixIt] = []
    if name.lowercased() == "not", node.first == SyntaxNode.none, node.third == 1 {
      helps = []
      fixIts = [Diagnostic.FixIt("write `!(…)`", [Diagnostic.Edit(nameSpan, "!")])]
    }
    report(
      Diagnostic(
        .uncallableFunction, "there is no function `\(name)`", at: nameSpan, label: "not known",
        notes: [
          "a function that does not exist makes the whole filter null, so it does not match"
        ],
        helps: helps, fixIts: fixIts))
  }

  /// Returns advice with the subject of a method in the place of `…`: `int(user.age)` for
  /// `user.age.toInt()`.
  private func filled(_ help: String, for node: SyntaxNode) -> String {
    guard node.first != SyntaxNode.none, help.hasPrefix("use `") || help.hasPrefix("write `") else {
      return help
    }
    let subject = text(NodeID(node.first))
    for function in ["string", "int", "double", "size"] {
      let call = "`\(function)(…)"
      guard let range = help.firstOccurrence(of: call) else { continue }
      return help[..<range.lowerBound] + "`\(function)(\(subject))" + help[range.upperBound...]
    }
    return help
  }

  // MARK: Members that are functions in other languages

  /// Reports `user.tags.length` and `user.name.isEmpty`, which are written like members but are not
  /// members.
  private mutating func checkMemberForFunction(_ id: NodeID, _ path: AttributePath) -> Bool {
    let node = tree[id]
    guard node.kind == .select, path.names.count >= 2, let name = path.names.last,
      schema.attribute(at: path) == nil
    else { return false }
    let container = AttributePath(root: path.root, names: Array(path.names.dropLast()))
    let type = schema.attribute(at: container)?.type
    let isSized: Bool
    switch type {
    case .string, .list: isSized = true
    case .map, .bool, .int, .number: isSized = false
    case .any, nil: isSized = path.root != "device"
    }
    guard isSized else { return false }
    // An object of the app may have a `count` of its own; a plural name suggests a list.
    let isList = if case .list? = type { true } else { false }
    let isCertain = type == .string || type != nil || container.names.last?.last == "s"
    let help: String
    switch name {
    case "length": help = "write `size(\(container))`"
    case "count", "size":
      guard isCertain else { return false }
      help = "write `size(\(container))`"
    case "isEmpty": help = "write `size(\(container)) == 0`"
    case "first", "last":
      guard isList || (type == nil && isCertain) else { return false }
      help =
        name == "first"
        ? "write `\(container)[0]`" : "write `\(container)[size(\(container)) - 1]`"
    default: return false
    }
    report(
      Diagnostic(
        .memberForFunction,
        name == "first" || name == "last"
          ? "`.\(name)` is not an element of `\(container)`"
          : "`.\(name)` does not count what is in `\(container)`",
        at: tree.nameSpan(of: node), label: "read like an attribute of that name",
        notes: isSuperscript && name != "size"
          ? ["a missing attribute is not an error: it counts as zero or empty"] : [],
        helps: [help]))
    return true
  }

  private mutating func reportMethod(_ node: SyntaxNode, _ name: String, _ target: SyntaxNode) {
    let receiver = tree.source.text(of: target.span)
    var fixIts: [Diagnostic.FixIt] = []
    if node.third == 0 {
      fixIts = [
        Diagnostic.FixIt(
          "write `\(name)(\(text(NodeID(node.first))))`",
          [Diagnostic.Edit(node.span, "\(name)(\(receiver))")])
      ]
    }
    report(
      Diagnostic(
        .functionAsMethod, "`\(name)` is not a method", at: tree.nameSpan(of: node),
        label: node.third == 0 ? "has no argument" : "ignores the value before the dot",
        notes: ["it takes its subject between the parentheses"], fixIts: fixIts))
  }
}
