import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions that are right in themselves and seldom what is meant.

extension FilterLinter {
  /// Reports `user.seed in [0, 49]`: two numbers, and not a range.
  mutating func checkEndsInList(_ comparison: ConstantComparison) {
    guard comparison.op == .in, case .list(let elements) = comparison.value, elements.count == 2,
      case .int(let low) = elements[0], case .int(let high) = elements[1], 0 <= low, low < high,
      let path = freePath(comparison.subject)
    else { return }
    let attribute = schema.attribute(at: path)
    let isShare = attribute?.minimum == 0 && attribute?.maximum != nil
    // Ages are asked for by ranges, steps of other counts by their numbers.
    guard isShare ? high - low >= 9 : path.names.last?.nameWords.last == "age" && high - low >= 3
    else { return }
    let subject = text(comparison.subject)
    report(
      Diagnostic(
        .seldomMeant, "this is \(low) or \(high), and no number between them",
        at: tree[comparison.constant].span, label: "two numbers",
        helps: ["for a range, write `(\(subject) >= \(low) && \(subject) <= \(high))`"]))
  }

  /// Reports `device.activeEntitlements.exists(e, e != "pro")`, which users with two of them pass,
  /// and `["a", "b"].exists(x, user.plan != x)`, which is always true.
  mutating func checkOtherElement(_ id: NodeID, _ node: SyntaxNode) {
    guard let loop = outline.loop(node) else { return }
    let body = tree[loop.body]
    if tree[loop.range].kind == .list { return checkOneOfMany(loop, body) }
    guard loop.kind == .exists, freePath(loop.range) != nil,
      let comparison = ConstantComparison(body, in: tree), comparison.op == .notEqual,
      tree[comparison.subject].kind == .identifier, case .string(let name) = comparison.value,
      // Anything better than the least is meant.
      !["basic", "free", "trial", "lite", "starter"].contains(name.lowercased())
    else { return }
    let sought = "\(text(comparison.constant)) in \(text(loop.range))"
    if isDenied(id) {
      return report(
        Diagnostic(
          .seldomMeant,
          "this is true if every element is \(text(comparison.constant)), or none is there",
          at: body.span, label: "negated twice",
          helps: ["for users without it, write `!(\(sought))`; for those with it, `\(sought)`"]))
    }
    report(
      Diagnostic(
        .seldomMeant, "users with any other element pass, also with this one beside it",
        at: body.span, label: "one that differs is enough",
        helps: ["for users without it, write `!(\(sought))`"]))
  }

  /// Reports a loop over different constants, one of which always differs from a value.
  private mutating func checkOneOfMany(_ loop: FilterOutline.Loop, _ body: SyntaxNode) {
    let elements = tree.arguments(of: tree[loop.range]).map { tree.constant(of: $0) }
    guard elements.count > 1, let first = elements[0],
      elements.allSatisfy({ $0 != nil }), elements.contains(where: { $0 != first }),
      body.kind == .binary, body.op == (loop.kind == .exists ? .notEqual : .equal),
      loop.kind != .existsOne
    else { return }
    let sides = [body.left, body.right]
    guard
      let other = sides.first(where: { tree.name(of: tree[$0]) != loop.variable }),
      sides.contains(where: {
        tree[$0].kind == .identifier && tree.name(of: tree[$0]) == loop.variable
      }), freePath(other) != nil
    else { return }
    let isTrue = loop.kind == .exists
    let sought = "\(text(other)) in \(text(loop.range))"
    report(
      .always(
        isTrue,
        "this is always \(isTrue): no value equals all of these", at: body.span,
        label: isTrue ? "one of them differs" : "one of them is not equal",
        helps: ["write `\(isTrue ? "!(\(sought))" : sought)`"]))
  }

  /// Reports `device.activeEntitlements == ["pro", "plus"]`: their order is not fixed.
  mutating func checkOrderOfList(_ comparison: ConstantComparison) {
    guard comparison.isEquality, case .list(let elements) = comparison.value, elements.count > 1,
      // The app knows the order of its own lists.
      isListOfIDs(comparison.subject)
    else { return }
    let (list, subject) = (text(comparison.constant), text(comparison.subject))
    let not = comparison.op == .notEqual ? "!" : ""
    report(
      Diagnostic(
        .seldomMeant, "lists are equal only in the same order, which is not fixed here",
        at: tree[comparison.constant].span, label: "these, in this order, and no others",
        helps: ["for all of them, write `\(not)\(list).all(x, x in \(subject))`"]))
  }

  /// Reports `device.ipCity == "Germany"`: a country.
  mutating func checkCountryAsCity(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    // Some cities are called as their countries are.
    let cities: Set<String> = [
      "Singapore", "Luxembourg", "Monaco", "San Marino", "Djibouti", "Gibraltar", "Macao", "Macau",
      "Hong Kong", "Guatemala", "Kuwait", "Georgia", "Jordan", "Lebanon", "Jersey", "Panama",
    ]
    guard attribute?.path == "device.ipCity", comparison.op == .equal || comparison.op == .in else {
      return
    }
    if case .string(let city) = comparison.value, let first = city.first, first.isLowercase,
      city.allSatisfy({ $0.isLowercase || $0 == " " }), city.count > 2
    {
      let words = city.split(separator: " ").map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
      let literal = "\"\(words.joined(separator: " "))\""
      return report(
        Diagnostic(
          .wrongCase, "names of cities begin with a capital letter",
          at: tree[comparison.constant].span, label: "wrong case",
          notes: ["texts are compared letter by letter"],
          fixIts: [Diagnostic.FixIt(write: literal, at: tree[comparison.constant].span)]))
    }
    if case .string(let place) = comparison.value, let comma = place.lastIndex(of: ","),
      case let rest = String(place[place.index(after: comma)...].drop { $0 == " " }),
      AttributeSchema.Attribute.Format.region.code(named: rest) != nil
        || rest.utf8.count == 2 && rest == rest.uppercased()
    {
      let city = Value.string(String(place[..<comma])).literal
      return report(
        Diagnostic(
          .impossibleValue, "`device.ipCity` is the city alone",
          at: tree[comparison.constant].span, label: "with its country or region",
          fixIts: [Diagnostic.FixIt(write: city, at: tree[comparison.constant].span)]))
    }
    guard
      let name = comparison.constants.lazy.compactMap({ constant -> String? in
        guard case .string(let text) = constant, text.utf8.count > 3, !cities.contains(text),
          AttributeSchema.Attribute.Format.region.code(named: text) != nil
        else { return nil }
        return text
      }).first
    else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(name)` is a country, and not a city",
        at: tree[comparison.constant].span, label: "a country",
        helps: ["write `device.ipCountry == \"\(name)\"`"]))
  }

  /// Reports `params.path == "upgrade"`: the path of a link starts with a slash.
  mutating func checkPathOfLink(
    _ comparison: ConstantComparison, _ attribute: AttributeSchema.Attribute?
  ) {
    guard attribute?.format == .path, comparison.isEquality,
      case .string(let path) = comparison.value, !path.isEmpty, !path.hasPrefix("/"),
      !wasReported(tree[comparison.constant].span)
    else { return }
    // What is before the first slash may be the host.
    let host = path.prefix { $0 != "/" }
    let isWithHost = host.contains(".") && host.count < path.count
    let right = isWithHost ? String(path.dropFirst(host.count)) : "/\(path)"
    report(
      Diagnostic(
        .seldomMeant, "the path of a link starts with a slash", at: tree[comparison.constant].span,
        label: isWithHost ? "with the host" : "without one", helps: ["write `\"\(right)\"`"]))
  }

  /// Returns whether a list is that of a user's entitlements or products.
  func isListOfIDs(_ id: NodeID) -> Bool {
    guard let path = freePath(id)?.description else { return false }
    return path == "device.activeEntitlements" || path == "device.activeProducts"
  }

  /// Reports `device.activeEntitlements == ["pro"] || device.activeEntitlements == ["premium"]`,
  /// which users who have both of them fail.
  mutating func checkOnlyElements(_ operands: [NodeID]) {
    let sought = operands.compactMap { operand -> (constant: NodeID, text: String)? in
      guard let comparison = ConstantComparison(tree[operand], in: tree), comparison.op == .equal,
        isListOfIDs(comparison.subject), case .list(let elements) = comparison.value,
        elements.count == 1
      else { return nil }
      return (
        comparison.constant, "\(elements[0].literal) in \(text(comparison.subject))"
      )
    }
    guard sought.count > 1, sought.count == operands.count, let first = sought.first else { return }
    report(
      Diagnostic(
        .seldomMeant, "users who have more than this one fail all of these",
        at: tree[first.constant].span, label: "the whole list",
        helps: [
          "for users who have one of them, write `\(sought.map { $0.text }.joined(separator: " || "))`"
        ]))
  }

  /// Reports `(user.language || device.deviceLanguageCode) == "fr"`, which looks at the first text
  /// that is not empty.
  mutating func checkJoinedAttributes(_ comparison: ConstantComparison) {
    let joined = tree[comparison.subject]
    guard isSuperscript, comparison.op == .equal, comparison.isConstantRight, joined.isBinary(.or),
      case .string = comparison.value,
      case let parts = outline.operands(of: comparison.subject, .or),
      parts.allSatisfy({ freePath($0) != nil && staticType($0) != .bool })
    else { return }
    let each = parts.map { "\(text($0)) == \(text(comparison.constant))" }
    report(
      Diagnostic(
        .seldomMeant, "`||` gives the first of these that is not empty", at: joined.span,
        label: "one value, and not each of them",
        helps: ["to compare each of them, write `(\(each.joined(separator: " || ")))`"]))
  }

  /// Returns whether an attribute of the app is a list by its name, such as `user.tags`.
  func isListByName(_ id: NodeID) -> Bool {
    guard let path = freePath(id), schema.attribute(at: path) == nil else { return false }
    return path.names.last?.nameWords.last.map(Self.namesOfLists.contains) ?? false
  }

  private static let namesOfLists: Set<String> = [
    "tags", "interests", "topics", "categories", "genres", "roles", "permissions", "badges",
    "cohorts", "segments", "hobbies", "languages",
  ]

  /// Reports `user.tags in ["vip"]`, which looks for the whole list. Returns whether it did.
  mutating func checkNamedListInList(_ comparison: ConstantComparison) -> Bool {
    guard comparison.op == .in, comparison.isConstantRight else { return false }
    return checkNamedList(comparison.subject, in: comparison.constant)
  }

  /// Reports `["vip"].contains(user.tags)`.
  mutating func checkNamedListInList(_ node: SyntaxNode, _ name: String) {
    guard name == "contains", let list = node.receiver, tree[list].kind == .list,
      let sought = tree.arguments(of: node).first
    else { return }
    _ = checkNamedList(sought, in: list)
  }

  private mutating func checkNamedList(_ sought: NodeID, in constant: NodeID) -> Bool {
    guard isListByName(sought), case .list(let elements)? = tree.constant(of: constant),
      !elements.isEmpty,
      elements.allSatisfy({ if case .string = $0 { true } else { false } })
    else { return false }
    let subject = text(sought)
    let list = text(constant)
    report(
      Diagnostic(
        .seldomMeant, "`\(subject)` is a list by its name, and the elements of this list are not",
        at: tree[sought].span, label: "the list as a whole",
        helps: [
          elements.count == 1
            ? "turn the sides around: `\(list.dropFirst().dropLast()) in \(subject)`"
            : "ask for any of them: `\(subject).exists(x, x in \(list))`"
        ]))
    return true
  }

  /// Reports `100 / device.totalPaywallViews > 20`, which fails for users without a view.
  mutating func checkZeroDivisor(_ node: SyntaxNode) {
    guard isSuperscript, node.op == .divide || node.op == .remainder,
      let attribute = knownAttribute(node.right), attribute.minimum == 0, attribute.type == .int,
      !isComparedElsewhere(node.right)
    else { return }
    let divisor = text(node.right)
    report(
      Diagnostic(
        .failsWhenMissing, "this fails if `\(divisor)` is 0", at: tree[node.right].span,
        label: "nothing is divided by 0",
        notes: [Self.failsAtRunTime],
        helps: ["write `(\(divisor) > 0 ? … : false)` around the condition"]))
  }

  /// Reports `user.spent / user.orders > 10 && user.orders >= 0`, which lets 0 in.
  mutating func checkZeroAllowed(_ operands: [NodeID]) {
    guard isSuperscript else { return }
    var divisors: [AttributePath: NodeID] = [:]
    for operand in operands {
      guard let comparison = ConstantComparison(tree[operand], in: tree) else { continue }
      let quotient = tree[comparison.subject]
      guard quotient.isBinary(.divide) || quotient.isBinary(.remainder),
        let path = freePath(quotient.right)
      else { continue }
      divisors[path] = quotient.right
    }
    for operand in operands where !divisors.isEmpty {
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        comparison.op == .greaterEqual, comparison.value.plainNumber == 0,
        let path = freePath(comparison.subject), let divisor = divisors[path]
      else { continue }
      report(
        Diagnostic(
          .failsWhenMissing, "0 passes this, and nothing is divided by 0",
          at: tree[operand].span, label: "also true for 0",
          secondary: [Diagnostic.Label(tree[divisor].span, "an error for 0")],
          notes: [Self.failsAtRunTime],
          helps: [
            "write `(\(text(comparison.subject)) > 0 ? … : false)` around the other condition"
          ]))
    }
  }

  /// Returns whether an attribute is read at another place, too, where 0 may be excluded.
  mutating func isComparedElsewhere(_ id: NodeID) -> Bool {
    freePath(id).map { readings(of: $0) > 1 } ?? false
  }
}
