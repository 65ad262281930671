import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Translates queries of databases and rule engines that are JSON: `{"plan": "pro"}`,
// `{"age": {"$gte": 18}}`, `{"==": [{"var": "user.plan"}, "pro"]}` and `["==", user.plan, "pro"]`.

extension FilterLinter {
  private static let jsonOperators = [
    "==": "==", "===": "==", "!=": "!=", "!==": "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<=",
    "in": "in", "$eq": "==", "$ne": "!=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<=",
    "$in": "in",
  ]

  /// Returns the filter that a query means, if it is in one of these forms as a whole.
  func filterMeant(byQuery id: NodeID) -> String? {
    let node = tree[id]
    guard node.kind == .map || node.kind == .list, let text = query(id, depth: 0) else {
      return nil
    }
    // It must be a filter in which nothing else is wrong.
    guard let outline = ParsedFilter(SourceText(text), environment: environment).outline else {
      return nil
    }
    return FilterLinter.check(outline, schema: schema, triesFixes: false).isEmpty ? text : nil
  }

  private static let namesOfFields: Set<String> = [
    "field", "attribute", "property", "key", "name", "fact", "path", "trait", "var", "variable",
  ]
  private static let namesOfOperators: Set<String> = [
    "op", "operator", "comparison", "comparator", "condition", "match", "cmp", "operation",
    "relation",
  ]
  private static let namesOfValues: Set<String> = ["value", "values", "val", "operand", "target"]
  private static let wordsOfOperators = [
    "eq": "==", "equals": "==", "equal": "==", "is": "==", "neq": "!=", "ne": "!=", "not_eq": "!=",
    "gt": ">", "greater_than": ">", "greaterthan": ">", "gte": ">=", "ge": ">=", "lt": "<",
    "less_than": "<", "lessthan": "<", "lte": "<=", "le": "<=", "=": "==", "one_of": "in",
  ]

  /// Returns the condition of `{"field": "plan", "op": "eq", "value": "free"}`.
  private func rule(_ parts: [NodeID]) -> String? {
    guard parts.count == 6 || parts.count == 8 else { return nil }
    var field: String?
    var op: String?
    var value: String?
    for index in stride(from: 0, to: parts.count, by: 2) {
      guard let name = key(parts[index])?.lowercased() else { return nil }
      // `{"field": "tag", "key": "level", …}`
      if Self.namesOfFields.contains(name), field == nil || name == "key" {
        field = plainText(parts[index + 1]).map { path($0) }
      } else if Self.namesOfOperators.contains(name) {
        let word = plainText(parts[index + 1])?.lowercased() ?? ""
        op = Self.jsonOperators[word] ?? Self.wordsOfOperators[word]
      } else if Self.namesOfValues.contains(name) {
        value = operand(parts[index + 1])
      }
    }
    guard let field, let op, var value, AttributePath(field) != nil else { return nil }
    // Where all values are texts, an order is that of numbers.
    if op.first == "<" || op.first == ">", let number = plainNumber(in: value) { value = number }
    return "\(field) \(op) \(value)"
  }

  /// Returns `10` for `"10"`.
  private func plainNumber(in literal: String) -> String? {
    let digits = literal.dropFirst().dropLast()
    return literal.hasPrefix("\"") && (1...9).contains(digits.utf8.count)
      && digits.utf8.allSatisfy(isDigit) ? String(digits) : nil
  }

  private func query(_ id: NodeID, depth: Int) -> String? {
    let node = tree[id]
    guard depth < 8 else { return nil }
    if node.kind == .list {
      let parts = tree.arguments(of: node)
      let rules = parts.compactMap { tree[$0].kind == .map ? query($0, depth: depth + 1) : nil }
      if !parts.isEmpty, rules.count == parts.count { return rules.joined(separator: " && ") }
      guard parts.count == 3, let name = plainText(parts[0]), let op = Self.jsonOperators[name],
        let left = quotedPath(parts[1]) ?? operand(parts[1]), let right = operand(parts[2])
      else { return nil }
      return "\(left) \(op) \(right)"
    }
    guard node.kind == .map else { return nil }
    let parts = tree.parts(of: node)
    guard !parts.isEmpty, parts.count.isMultiple(of: 2) else { return nil }
    if let rule = rule(parts) { return rule }
    var conditions: [String] = []
    for index in stride(from: 0, to: parts.count, by: 2) {
      guard let key = key(parts[index]),
        let condition = condition(key, parts[index + 1], depth: depth)
      else { return nil }
      conditions.append(condition)
    }
    return conditions.joined(separator: " && ")
  }

  private func condition(_ key: String, _ value: NodeID, depth: Int) -> String? {
    let name = key.lowercased()
    if ["and", "$and", "all", "or", "$or", "any"].contains(name) {
      let parts = tree.arguments(of: tree[value])
      let conditions = parts.compactMap { query($0, depth: depth + 1) ?? operand($0) }
      guard tree[value].kind == .list, !parts.isEmpty, conditions.count == parts.count else {
        return nil
      }
      let isOr = ["or", "$or", "any"].contains(name)
      let joined = conditions.joined(separator: isOr ? " || " : " && ")
      return isOr && conditions.count > 1 ? "(\(joined))" : joined
    }
    if name == "!" || name == "not" || name == "$not" {
      let inner = tree[value].kind == .list ? tree.arguments(of: tree[value]).first : value
      return inner.flatMap { query($0, depth: depth + 1) ?? operand($0) }.map { "!(\($0))" }
    }
    if let op = Self.jsonOperators[name] {
      let parts = tree.arguments(of: tree[value])
      guard tree[value].kind == .list, parts.count == 2, let left = operand(parts[0]),
        let right = operand(parts[1])
      else { return nil }
      return "\(left) \(op) \(right)"
    }
    let path = path(key)
    guard !key.hasPrefix("$"), AttributePath(path) != nil else { return nil }
    guard tree[value].kind == .map else { return operand(value).map { "\(path) == \($0)" } }
    let parts = tree.parts(of: tree[value])
    var conditions: [String] = []
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      guard let name = plainText(parts[index]) else { return nil }
      if name == "$exists", case .bool(let truth)? = tree.constant(of: parts[index + 1]) {
        conditions.append("\(truth ? "" : "!")has(\(path))")
      } else if name == "$nin", let list = operand(parts[index + 1]) {
        conditions.append("!(\(path) in \(list))")
      } else if let op = Self.jsonOperators[name], let right = operand(parts[index + 1]) {
        conditions.append("\(path) \(op) \(right)")
      } else {
        return nil
      }
    }
    return conditions.isEmpty ? nil : conditions.joined(separator: " && ")
  }

  /// Returns a value: a literal, an attribute or `{"var": "user.plan"}`.
  private func operand(_ id: NodeID) -> String? {
    let node = tree[id]
    if node.kind == .map {
      let parts = tree.parts(of: node)
      guard parts.count == 2, plainText(parts[0]) == "var", let name = plainText(parts[1]) else {
        return nil
      }
      return path(name)
    }
    guard tree.constant(of: id) != nil || freePath(id) != nil else { return nil }
    return tree.source.text(of: node.span)
  }

  /// Reports `user.age == {"$gte": 18}`, a condition as databases of documents have it. Returns
  /// whether it did.
  mutating func checkQueryOfValue(_ node: SyntaxNode, _ left: NodeID, _ right: NodeID) -> Bool {
    guard node.op == .equal, tree[right].kind == .map,
      let first = tree.parts(of: tree[right]).first,
      let key = plainText(first), key.hasPrefix("$"), let path = freePath(left)
    else { return false }
    let meant = condition(path.description, right, depth: 0)
    report(
      Diagnostic(
        .typeMismatch, "this map is compared as a whole", at: tree[right].span,
        label: "a query of another language", notes: [Self.isAlwaysFalse],
        helps: [
          meant.map { "write `\($0)`" } ?? "write the operators between values, as in `… >= 1`"
        ]))
    return true
  }

  /// Returns the attribute that a text names: `"user.plan"`.
  private func quotedPath(_ id: NodeID) -> String? {
    guard let text = plainText(id), AttributePath(text) != nil,
      AttributeRoots.names.contains(
        where: { text.hasPrefix("\($0).") })
    else { return nil }
    return text
  }

  private func plainText(_ id: NodeID) -> String? {
    guard tree[id].kind == .stringLiteral else { return nil }
    return String(decoding: tree.text(of: tree[id]), as: UTF8.self)
  }

  /// Returns the key of an entry, a text or an attribute.
  private func key(_ id: NodeID) -> String? {
    plainText(id) ?? freePath(id).map { $0.description }
      ?? (tree[id].kind == .identifier ? tree.name(of: tree[id]) : nil)
  }

  /// Returns the attribute that a name means; one without a root is the app's.
  private func path(_ name: String) -> String {
    let isWhole = ["user.", "device.", "params."].contains { name.hasPrefix($0) }
    return isWhole ? name : AttributeSchema.path(meantBy: name)
  }
}

extension AttributeSchema {
  /// Returns the path of a name without its root: an attribute of the SDKs with listed values,
  /// which the app hardly has itself, or else one of the app.
  static func path(meantBy name: String) -> String {
    let isOfDevice = builtIn["device.\(name)"]?.values.isEmpty == false
    return "\(isOfDevice ? "device" : "user").\(name)"
  }
}
