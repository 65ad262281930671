import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports attributes of the SDKs under another root, and functions that are read like attributes.

extension FilterLinter {
  /// Reports `params.totalPaywallViews`, `user.device.platform`, `computed.totalPaywallViews` and
  /// `device.placementsInDay >= 3`.
  ///
  /// - Returns: Whether it did.
  mutating func checkOtherRoot(_ id: NodeID, _ path: AttributePath) -> Bool {
    guard let name = path.names.last else { return false }
    if checkFunctionAsMember(id, path, name) { return true }
    guard schema.attribute(at: path) == nil else { return false }
    if path.root == "computed", path.names.count == 1, HistoryFunctionInfo.named(name) == nil,
      !name.contains("_"), AttributeSchema.builtIn["device.\(name)"] == nil,
      AttributeSchema.builtIn["user.\(name)"] == nil, environment.computedFunctions[name] == nil
    {
      return reportOtherRoot(
        id, path, "`computed` has functions, and no `\(name)`", label: "never there",
        help: "write one of its functions, such as `device.placementsInWeek(\"app_open\")`")
    }
    if let first = path.names.first, Self.roots.contains(first),
      let inner = AttributePath(path.names.joined(separator: ".")), inner.names.count == 1,
      schema.attribute(at: inner) != nil || path.root == "device"
    {
      return reportOtherRoot(
        id, path, "`\(inner)` is not a part of `\(path.root)`",
        label: first == path.root ? "one root too many" : "two roots",
        help: "write `\(inner)`")
    }
    guard path.names.count == 1, Self.roots.contains(path.root) else {
      return checkRootWithin(id, path)
    }
    if path.root == "params",
      ["placement", "placement_name", "placementname", "event", "eventname"]
        .contains(name.lowercased())
    {
      return reportOtherRoot(
        id, path, "the name of the placement is `params.event_name`",
        label: "only if the app sends it", help: "write `params.event_name`")
    }
    if path.root != "device", let bar = name.firstIndex(of: "_"),
      HistoryFunctionInfo.named(String(name[..<bar])) != nil
    {
      return reportOtherRoot(
        id, path, "the history is that of the device", label: "only if the app sets it",
        help: "write `device.\(name)`")
    }
    for root in ["device", "user", "params"] where root != path.root {
      let other = AttributePath(root: root, names: [name])
      guard let attribute = AttributeSchema.builtIn[other.description],
        path.root == "computed" || path.root == "device" || Self.isDistinctive(attribute, name)
          || isComparedWithValue(id, of: attribute)
      else { continue }
      return reportOtherRoot(
        id, path, "the SDK sends `\(other)`, and not `\(path)`",
        label: path.root == "computed" ? "only functions are there" : "only if the app sets it",
        help: "did you mean `\(other)`?")
    }
    return false
  }

  /// Reports `user.params.source`, a root within another one. Returns whether it did.
  private mutating func checkRootWithin(_ id: NodeID, _ path: AttributePath) -> Bool {
    guard path.names.count == 2, let inner = path.names.first, inner != path.root,
      ["user", "device", "params"].contains(inner), ["user", "params"].contains(path.root)
    else { return false }
    let right = "\(inner).\(path.names[1])"
    return reportOtherRoot(
      id, path, "`\(inner)` is not a part of `\(path.root)`", label: "two roots",
      help: "write `\(right)`")
  }

  /// Reports a function that is read like a member: `device.placementsInDay >= 3`,
  /// `device.daysSince.app_open`, `user.name.contains["a"]`.
  ///
  /// - Returns: Whether it did.
  private mutating func checkFunctionAsMember(
    _ id: NodeID, _ path: AttributePath, _ name: String
  ) -> Bool {
    let isHistory = ["device", "computed"].contains(path.root)
    if isHistory, HistoryFunctionInfo.named(name) != nil {
      return reportUncalled(id, path, name)
    }
    if isHistory, path.names.count == 2, HistoryFunctionInfo.named(path.names[0]) != nil {
      return reportOtherRoot(
        id, path, "`\(path.root).\(path.names[0])` is a function", label: "called like a member",
        help: "write `\(path.root).\(path.names[0])(\"\(name)\")`")
    }
    if Self.searches.contains(name), path.names.count > 1, schema.attribute(at: path) == nil,
      !isSubject(id)
    {
      let owner = AttributePath(root: path.root, names: Array(path.names.dropLast()))
      return reportOtherRoot(
        id, path, "`\(name)` is a function, and was not called", label: "without parentheses",
        help: "write `\(owner).\(name)(\"…\")`")
    }
    if tree[id].kind == .index, path.names.count > 2,
      Self.searches.contains(path.names[path.names.count - 2])
    {
      let call = text(tree[id].operand)
      return reportOtherRoot(
        id, path, "a function is called with parentheses", label: "read like a member",
        help: "write `\(call)(\(text(tree[id].subscriptIndex)))`")
    }
    return false
  }

  /// Reports a function of the SDKs without its argument.
  ///
  /// - Returns: `true`.
  private mutating func reportUncalled(
    _ id: NodeID, _ path: AttributePath, _ name: String
  ) -> Bool {
    let parent = tree[parent(of: id)]
    if parent.kind == .call, tree.name(of: parent) == "hasFn" {
      return reportOtherRoot(
        id, path, "`hasFn` takes the name of a function, a text", label: "not a text",
        help: "write `hasFn(\"\(path)\")`")
    }
    // `device.daysSince-run_done`, with a hyphen for the underscore of the older spelling.
    if parent.isBinary(.subtract), parent.left == id, tree[parent.right].kind == .identifier {
      let event = tree.name(of: tree[parent.right])
      return reportOtherRoot(
        id, path, "`\(path)` is a function, and was not called", label: "without an event",
        help: "write `\(path)(\"\(event)\")`")
    }
    let isTime = HistoryFunctionInfo.named(name)?.isTime == true
    let isSought = parent.kind == .call && tree.name(of: parent) == "has"
    return reportOtherRoot(
      id, path, "`\(path)` is a function, and was not called", label: "without an event",
      help: isSought
        ? "to ask whether an event happened, write `\(path)(\"…\") \(isTime ? "!= null" : "> 0")`"
        : "write `\(path)(\"…\")` with the name of an event")
  }

  private mutating func reportOtherRoot(
    _ id: NodeID, _ path: AttributePath, _ message: String, label: String, help: String
  ) -> Bool {
    report(
      Diagnostic(
        .unknownAttribute, message, at: tree[id].span, label: label,
        notes: isSuperscript
          ? ["a missing attribute is not an error: it counts as zero or empty"] : [],
        helps: [help]))
    return true
  }

  /// Returns whether a node has a member or an index of its own.
  private func isSubject(_ id: NodeID) -> Bool {
    let parent = tree[parent(of: id)]
    return (parent.kind == .select || parent.kind == .index) && parent.operand == id
      && id != tree.root
  }

  /// Returns whether an attribute is compared with one of the values of another: `user.platform ==
  /// "iOS"`.
  private func isComparedWithValue(_ id: NodeID, of attribute: AttributeSchema.Attribute) -> Bool {
    guard let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.subject == id
    else { return false }
    let constants: [Value] =
      if case .list(let elements) = comparison.value { elements } else { [comparison.value] }
    return constants.contains { value in
      if case .string(let text) = value { attribute.values.contains(text) } else { false }
    }
  }

  /// Returns whether an app hardly has an attribute of its own with the name: it has several words,
  /// and says what only the SDK knows.
  private static func isDistinctive(
    _ attribute: AttributeSchema.Attribute, _ name: String
  ) -> Bool {
    if attribute.maximum != nil || name.hasPrefix("device") || name == "isSandbox" { return true }
    guard name.dropFirst().contains(where: { $0.isUppercase || $0 == "_" }) else { return false }
    switch attribute.type {
    case .list, .map: return true
    default: break
    }
    switch attribute.format {
    case .version, .systemVersion, .locale, .language, .region, .currency, .model, .country,
      .storefront, .timeZone, .subdivision, .currencySymbol, .decimal, .integer:
      return false
    case .paddedVersion, .date, .time, .dateTime, .placement: return true
    case nil, .url, .host, .path, .pathComponent, .query, .fragment, .pathExtension:
      return attribute.unit != nil || attribute.minimum != nil || !attribute.values.isEmpty
        || attribute.type == .bool && name.nameWords.count > 2
    }
  }
}
