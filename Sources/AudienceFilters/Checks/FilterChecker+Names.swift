import ExpressionEngine
import ExpressionSyntax

extension FilterChecker {
  private static let roots: Set<String> = ["user", "device", "params", "computed"]

  /// The name that a node is a plain call of, if it is the target of one.
  private func isReceiver(_ id: NodeID) -> Bool {
    let parent = tree.nodes[Int(parents[Int(id.index)])]
    return parent.kind == .call && parent.first == id.index
  }

  // MARK: Variables

  mutating func checkRoot(_ id: NodeID, _ node: SyntaxNode) {
    guard isSuperscript, !isBound[Int(id.index)] else { return }
    let name = tree.name(of: node)
    guard !Self.roots.contains(name) else { return }
    let parent = tree.nodes[Int(parents[Int(id.index)])]
    if parent.kind == .message { return }
    // The variable of a malformed loop is reported where the loop is evaluated.
    if parent.kind == .call, parent.first != id.index,
      ["all", "exists", "exists_one", "map", "filter"].contains(tree.name(of: parent))
    {
      return
    }
    var known = Self.roots
    for path in schema.attributes.keys {
      known.insert(String(path.prefix { $0 != "." && $0 != "[" }))
    }
    guard !known.contains(name) else { return }
    var helps: [String] = []
    if parent.kind == .select {
      helps = [
        Suggestions.help(for: name, among: known.sorted())
          ?? "attributes start with `user.`, `device.` or `params.`"
      ]
    } else {
      let paths = ["user", "device", "params"].map { "\($0).\(name)" }
      let found = paths.filter { schema[$0] != nil }
      helps = [
        found.isEmpty
          ? "attributes start with `user.`, `device.` or `params.`; a text stands in quotes: `\"\(name)\"`"
          : "did you mean `\(found[0])`?"
      ]
    }
    report(
      Diagnostic(
        .unknownRoot, "there is no variable `\(name)`", at: node.span, label: "not known",
        notes: ["a variable that the context does not have makes the whole filter null"],
        helps: helps))
  }

  // MARK: Attributes

  mutating func checkAttribute(_ id: NodeID) {
    let parent = tree.nodes[Int(parents[Int(id.index)])]
    let isInner =
      id.index != tree.root.index && (parent.kind == .select || parent.kind == .index)
      && parent.first == id.index
    guard let path = freePath(id) else { return }
    if let attribute = schema.attribute(at: path) {
      if let reason = attribute.deprecated { reportDeprecated(id, path, reason) }
      return
    }
    guard !isInner || path.names.count == 1 else { return }
    // A member of an object is only known where the schema lists members of it.
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
    let isClosed = schema.closedRoots.contains(path.root)
    // In an open root apps have names of their own, and a similar name may be one of them.
    let suggestions =
      isClosed
      ? Suggestions.closest(to: name, among: siblings)
      : siblings.filter { Self.isMisspelling(name, of: $0) }
    guard isClosed || !suggestions.isEmpty else { return }
    let nameSpan = tree[id].kind == .select ? tree.nameSpan(of: tree[id]) : nil
    var fixIts: [Diagnostic.FixIt] = []
    if let only = suggestions.first, suggestions.count == 1, let nameSpan, only.isPlainName,
      Self.isMisspelling(name, of: only)
    {
      fixIts = [Diagnostic.FixIt("write `\(prefix)\(only)`", [Diagnostic.Edit(nameSpan, only)])]
    }
    let names = suggestions.prefix(2).map { "`\(prefix)\($0)`" }.joined(separator: " or ")
    report(
      Diagnostic(
        .unknownAttribute, "unknown attribute `\(path)`", at: tree[id].span,
        label: isClosed ? "not in the schema" : "not in the vocabulary",
        notes: isSuperscript ? ["a missing attribute is no error: it counts as zero or empty"] : [],
        helps: fixIts.isEmpty ? (names.isEmpty ? [] : ["did you mean \(names)?"]) : [],
        fixIts: fixIts))
  }

  /// Whether a name is so close to another that it can hardly be a different one.
  private static func isMisspelling(_ name: String, of other: String) -> Bool {
    if name.lowercased() == other.lowercased() { return true }
    guard min(name.count, other.count) >= 6 else { return false }
    // Names of one family, such as `ipCity` and `ipCode`, differ in a word of their own.
    let a = Array(name.lowercased().unicodeScalars)
    let b = Array(other.lowercased().unicodeScalars)
    guard abs(a.count - b.count) <= 2 else { return false }
    return Suggestions.distance(a, b) <= (min(a.count, b.count) >= 10 ? 2 : 1)
  }

  // MARK: Functions

  mutating func checkCall(_ id: NodeID, _ node: SyntaxNode) {
    let name = tree.name(of: node)
    checkPattern(node, name)
    checkTextFunction(node, name)
    guard isSuperscript, environment.deviceFunctions[name] == nil,
      environment.computedFunctions[name] == nil
    else { return }
    let functions = FunctionNames.all(in: tree.dialect.name)
    let target = node.first == SyntaxNode.none ? nil : tree.nodes[Int(node.first)]
    if let target, target.kind == .identifier, !isBound[Int(node.first)],
      ["device", "computed"].contains(tree.name(of: target)), !functions.contains(name)
    {
      return checkHostCall(node, name, table: tree.name(of: target))
    }
    guard functions.contains(name) else {
      return reportUncallable(node, name, among: functions)
    }
    if let target, FunctionNames.withoutReceiver(in: tree.dialect.name).contains(name) {
      reportMethod(node, name, target)
    }
  }

  private mutating func checkHostCall(_ node: SyntaxNode, _ name: String, table: String) {
    guard schema.hostFunctions["\(table).\(name)"] == nil else { return }
    let known =
      schema.hostFunctions.keys.filter { $0.hasPrefix("\(table).") }
      .map { String($0.dropFirst(table.count + 1)) }
      + (table == "device" ? environment.deviceFunctions : environment.computedFunctions).keys
    let closest = Suggestions.closest(to: name, among: known.sorted())
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
    let known = functions.filter { !["unknownFunction", "test_custom_func"].contains($0) }
    var helps = Suggestions.help(for: name, among: known).map { [$0] } ?? []
    if let foreign = Self.foreignFunctions[name] { helps = [foreign] }
    report(
      Diagnostic(
        .uncallableFunction, "there is no function `\(name)`", at: tree.nameSpan(of: node),
        label: "not known", notes: ["a function that does not exist makes the whole filter null"],
        helps: helps))
  }

  /// What people know from other languages, and what it is here.
  private static let foreignFunctions: [String: String] = [
    "toString": "use `string(…)`", "str": "use `string(…)`", "len": "use `size(…)`",
    "length": "use `size(…)`", "count": "use `size(…)`", "includes": "use `contains(…)`",
    "has_key": "use `has(…)`", "hasPrefix": "use `startsWith(…)`",
    "hasSuffix": "use `endsWith(…)`", "isNull": "compare with null: `… == null`",
    "any": "use `exists(x, …)`", "some": "use `exists(x, …)`", "every": "use `all(x, …)`",
    "min": "there is no `min`; `a < b ? a : b` is the smaller one",
    "lowerAscii": "there is no function that changes case; compare with each spelling",
    "lower": "there is no function that changes case; compare with each spelling",
    "toLowerCase": "there is no function that changes case; compare with each spelling",
    "lowercased": "there is no function that changes case; compare with each spelling",
    "upperAscii": "there is no function that changes case; compare with each spelling",
    "upper": "there is no function that changes case; compare with each spelling",
    "toUpperCase": "there is no function that changes case; compare with each spelling",
    "test": "use `matches(…)`", "match": "use `matches(…)`",
  ]

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
        .functionAsMethod, "`\(name)` is no method", at: tree.nameSpan(of: node),
        label: node.third == 0 ? "has no argument" : "ignores what stands before the dot",
        notes: ["it takes its subject between the parentheses"], fixIts: fixIts))
  }
}
