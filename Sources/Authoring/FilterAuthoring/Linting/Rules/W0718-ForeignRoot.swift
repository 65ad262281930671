import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Advice for variables of other languages and tools: `app.version`, `event.name`,
// `context.user.plan` and `string.isNullOrEmpty(user.email)`.

/// A path that begins with the name of another tool's object.
struct ForeignPath {
  let root: String
  /// The name after the root.
  let member: String
  /// The node of the root with the member.
  let place: NodeID
  /// The whole path, and the node around it.
  let whole: NodeID
  let outer: SyntaxNode

  /// Whether the path is ordered: of two forms of a version, the padded one is meant then.
  var isOrdered: Bool {
    outer.kind == .binary && outer.op != .equal && outer.op != .notEqual
  }
}

extension FilterLinter {
  /// A guess at what a foreign path means.
  struct ForeignGuess: Sendable {
    /// A path for which it is the first that applies.
    let example: String
    let advice: @Sendable (FilterLinter, ForeignPath) -> String?
  }

  /// The guesses, of which the first that applies is given.
  static let foreignGuesses: [ForeignGuess] = [
    ForeignGuess(example: "context.user.plan") { $0.pathInside($1) },
    ForeignGuess(example: "app.version") { $0.ofDevice($1) },
    ForeignGuess(example: "person.properties.plan") { $0.inContainer($1) },
    ForeignGuess(example: "customer.plan") { $0.ofPerson($1) },
    ForeignGuess(example: "context.kind") { _, path in
      path.member == "kind" && path.root == "context"
        ? "there are no kinds of users: remove the condition" : nil
    },
    ForeignGuess(example: "campaign.abandoned_product_id") { $0.sameAttribute($1) },
    ForeignGuess(example: "traits.plan") { $0.ofApp($1) },
  ]

  /// Returns advice for a variable of another language or tool.
  func foreignRoot(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> String? {
    if parent.kind == .call, parent.receiver == id { return foreignCall(name, parent) }
    if let value = foreignValue(id, name, parent) { return value }
    if parent.kind == .index, parent.subscriptIndex == id {
      return name == "last"
        ? "the last element is `\(text(parent.operand))[size(\(text(parent.operand))) - 1]`" : nil
    }
    guard parent.kind == .select || parent.kind == .index else { return nil }
    let path = foreignPath(id, name, parent)
    if isText(path) { return "put text in quotes: `\"\(text(path.whole))\"`" }
    guard path.whole != tree.root, !path.member.isEmpty else { return nil }
    return Self.foreignGuesses.lazy.compactMap { $0.advice(self, path) }.first
  }

  private func foreignCall(_ name: String, _ call: SyntaxNode) -> String? {
    let function = tree.name(of: call)
    return ForeignFunctions.equivalent(of: function, in: tree.dialect.name)
      .map { advice($0, for: call, isMethod: false) }
      ?? (outline.isLibraryFunction(function) ? libraryOrUser(name, call) : nil)
  }

  /// Returns advice for constants: `NA`, `T`, `ten`.
  private func foreignValue(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> String? {
    if name == "NA" || name == "Nothing" || name == "nothing" { return "write `null`" }
    guard parent.kind == .binary else { return nil }
    if name == "T" { return "write `true`, or put text in quotes: `\"T\"`" }
    guard parent.right == id, let number = Self.numbers[name.lowercased()] else { return nil }
    return "write the number: `\(number)`"
  }

  func foreignPath(_ id: NodeID, _ name: String, _ parent: SyntaxNode) -> ForeignPath {
    let place = self.parent(of: id)
    var member = ""
    if parent.kind == .select {
      member = tree.name(of: parent)
    } else if case .string(let text)? = tree.constant(of: parent.subscriptIndex) {
      member = text
    }
    var whole = place
    while whole != tree.root, tree[self.parent(of: whole)].kind == .select {
      whole = self.parent(of: whole)
    }
    return ForeignPath(
      root: name, member: member, place: place, whole: whole, outer: tree[self.parent(of: whole)])
  }

  /// Returns whether a path is rather a text without quotes, as `com.acme.monthly` on the right of
  /// a comparison. The first argument of a function is rather an attribute.
  private func isText(_ path: ForeignPath) -> Bool {
    let outer = path.outer
    if outer.kind == .call, outer.receiver != path.whole {
      return outer.receiver != nil || tree.arguments(of: outer).first != path.whole
    }
    return outer.kind == .binary && outer.op.info.isComparison && outer.right == path.whole
  }

  /// Returns advice for `context.user.plan`, a path of this language in another one.
  private func pathInside(_ path: ForeignPath) -> String? {
    guard Self.roots.contains(path.member), tree[parent(of: path.place)].kind == .select else {
      return nil
    }
    let inner = String(text(path.whole).dropFirst(path.root.count + 1))
    if path.member == "device", schema[inner] == nil, let name = AttributePath(inner)?.names.last,
      let other = Self.deviceAliases[name]?.first
    {
      return "did you mean `device.\(other)`?"
    }
    return "write `\(inner)`"
  }

  private func ofDevice(_ path: ForeignPath) -> String? {
    guard let meant = deviceAttribute(meantBy: path.member, of: path.root) else { return nil }
    let padded = schema["device.\(meant)Padded"] != nil && path.isOrdered ? "Padded" : ""
    if !padded.isEmpty, let comparison = ConstantComparison(path.outer, in: tree),
      case .string(let text) = comparison.value, AttributeSchema.Attribute.Format.isVersion(text)
    {
      return "did you mean `device.\(meant)Padded \(comparison.op.spelling) "
        + "\"\(Self.padded(text))\"`?"
    }
    return "did you mean `device.\(meant)\(padded)`?"
  }

  private func inContainer(_ path: ForeignPath) -> String? {
    guard Self.containers.contains(path.member.lowercased()) else { return nil }
    return memberAfter(path.place).map { "write `user.\($0)`" }
  }

  /// Returns advice for other words for a user, and for `users.plan` and `param.source`.
  private func ofPerson(_ path: ForeignPath) -> String? {
    let name = path.root.lowercased()
    let root =
      ["params", "device", "user"].first { name.hasPrefix($0.dropLast()) }
      ?? (Self.people.contains(name) ? "user" : nil)
    return root.map { "write `\($0).\(path.member)`" }
  }

  /// Returns the attribute of the device that a member of another tool's object is: of the app or
  /// the system, or a purchase of a person.
  private func deviceAttribute(meantBy member: String, of name: String) -> String? {
    if name == "context", member == "key" { return "appUserId" }
    // The name of an app or of a person is not the model of the device.
    guard !["name", "type", "date", "time"].contains(member) else { return nil }
    let known = (Self.deviceAliases[member] ?? []).first { schema["device.\($0)"] != nil }
    if Self.people.contains(name.lowercased()) {
      return known.flatMap { Self.purchases.contains($0) ? $0 : nil }
    }
    return ["app", "application", "bundle", "os", "system", "env", "context", "ctx"]
      .contains(name.lowercased()) ? known : nil
  }

  private static let purchases: Set<String> = [
    "activeEntitlements", "activeProducts", "subscriptionStatus", "customerInfo.subscriptions",
  ]

  /// Objects of other tools that hold the attributes of a user.
  static let containers: Set<String> = [
    "userproperty", "userproperties", "attributes", "properties", "traits", "customattributes",
    "user_properties", "custom_attributes", "userattributes", "user_attributes",
    "custom_attribute", "customattribute", "user_attribute", "userattribute",
  ]

  /// Returns the plain name that is read of a node.
  func memberAfter(_ id: NodeID) -> String? {
    let parent = tree[self.parent(of: id)]
    switch parent.kind {
    case .select where parent.operand == id: return tree.name(of: parent)
    case .index where parent.operand == id:
      guard case .string(let name)? = tree.constant(of: parent.subscriptIndex), name.isPlainName
      else { return nil }
      return name
    default: return nil
    }
  }

  /// Words of other tools for the user.
  private static let people: Set<String> = [
    "customer", "person", "profile", "account", "member", "subscriber", "visitor", "client", "usr",
    "people", "contact", "player", "self", "this",
  ]

  /// Returns advice for a known attribute under a root of another tool: `app.version`,
  /// `event.source`.
  private func sameAttribute(_ path: ForeignPath) -> String? {
    let names = text(path.whole).split(separator: ".").map { String($0) }
    let joined = names.indices.dropLast().map { names[$0...].joined() }
    for key in joined + [path.root + path.member, path.member] {
      for root in ["device", "params", "user"] {
        if let attribute = AttributeSchema.builtIn.attributes(under: root)
          .first(where: { $0.path.dropFirst(root.count + 1).description.nameKey == key.nameKey })
        {
          let padded = attribute.path + "Padded"
          let isPadded = schema[padded] != nil && path.isOrdered
          return "did you mean `\(isPadded ? padded : attribute.path)`?"
        }
      }
    }
    return nil
  }

  /// Returns advice for objects that hold what an app knows.
  private func ofApp(_ path: ForeignPath) -> String? {
    let isOfApp = ["app", "event", "context", "ctx", "data", "traits", "attributes", "properties"]
      .contains(path.root.lowercased())
    return isOfApp && path.member.isPlainName && text(path.whole).count { $0 == "." } <= 1
      ? "write `user.\(path.member)`, or `params.\(path.member)` if the placement sends it" : nil
  }

  /// Returns advice for a call of a library function on an unknown name: the name of a library in
  /// other languages, or an attribute without its root.
  private func libraryOrUser(_ name: String, _ parent: SyntaxNode) -> String {
    let call = tree.name(of: parent)
    if name.first?.isUppercase == true || Self.libraries.contains(name.lowercased()) {
      return "write `\(call)(…)` without `\(name).`"
    }
    let known = ["device", "params", "user"].map { "\($0).\(name)" }.first { schema[$0] != nil }
    return "attributes start with `user.`, `device.` or `params.`: "
      + "`\(known ?? "user.\(name)").\(call)(…)`"
  }

  /// Libraries of other languages for texts, lists and numbers.
  private static let libraries: Set<String> = [
    "string", "strings", "str", "text", "math", "list", "lists", "array", "arrays", "util", "utils",
    "lodash", "_", "fn", "std", "cel", "object", "regex", "re",
  ]

  static let numbers = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
  ]
}
