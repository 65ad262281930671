import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Advice for functions of other languages, written with the operands of the call.

extension FilterLinter {
  /// Returns advice for a call of a function of another language, with its operands where there
  /// are as many as are needed: `int(user.age)` for `user.age.toInt()`.
  ///
  /// - Parameter isMethod: Whether what is before the dot is the subject, and not a library.
  func advice(
    _ equivalent: ForeignFunctions.Equivalent, for node: SyntaxNode, isMethod: Bool = true
  ) -> String {
    let receiver = isMethod ? node.receiver : nil
    let operands = ([receiver].compactMap { $0 } + tree.arguments(of: node)).map { id in
      tree[id].flags.contains(.parenthesized) ? "(\(text(id)))" : text(id)
    }
    guard let subject = operands.first else { return equivalent.help }
    let hasSubject = receiver != nil || operands.count == 1
    var written: String?
    switch equivalent {
    case .advice: break
    case .version:
      if tree.isLiteral(tree.operands(of: node).first ?? tree.root) {
        return "a version is a text; compare padded ones"
      }
      written = version(comparedAt: node) ?? version(comparedBy: node)
    case .function(let name): written = call(of: name, node, receiver, operands)
    case .loop(let name):
      if let receiver, staticType(receiver) == .string {
        return "`\(subject)` is one text, and has no elements: compare it, or write "
          + "`\(subject).contains(\"…\")`"
      }
      if receiver != nil, operands.count == 3 {
        written = "\(subject).\(name)(\(operands[1]), \(operands[2]))"
      }
    case .form(let form): written = expression(form, node, operands)
    case .empty where isNegated(node):
      return "without the `!`, write `size(\(subject)) > 0`"
    case .empty where hasSubject: written = "size(\(subject)) == 0"
    case .notEmpty where hasSubject: written = "size(\(subject)) > 0"
    case .nullOrEmpty where operands.count == 1:
      return helpForNullOrEmpty(node, receiver ?? tree.arguments(of: node)[0])
    case .empty, .notEmpty, .nullOrEmpty: break
    }
    return written.map { "write `\($0)`" } ?? equivalent.help
  }

  /// Returns a comparison of padded versions for `version(device.appVersion) >= version("2.0.0")`.
  private func version(comparedAt node: SyntaxNode) -> String? {
    guard let id = id(ofCall: node), let operand = tree.operands(of: node).first else { return nil }
    let comparison = tree[parent(of: id)]
    guard comparison.kind == .binary, comparison.op.info.isComparison else { return nil }
    let isLeft = comparison.left == id
    let other = isLeft ? comparison.right : comparison.left
    let constant = tree[other].kind == .call ? tree.operands(of: tree[other]).first : other
    let op = isLeft ? comparison.op : comparison.op.mirrored
    return constant.flatMap { version(operand, op, $0) }
  }

  /// Returns a comparison of the padded form of an attribute with a version.
  private func version(_ subject: NodeID, _ op: Operator, _ constant: NodeID) -> String? {
    guard let attribute = knownAttribute(subject), schema[attribute.path + "Padded"] != nil,
      case .string(let text)? = tree.constant(of: constant),
      text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return "\(attribute.path)Padded \(op.spelling) \"\(Self.padded(text))\""
  }

  /// Returns a comparison of padded versions for `device.appVersion.semverGreaterThan("2.0.0")`.
  private func version(comparedBy node: SyntaxNode) -> String? {
    let operands = tree.operands(of: node)
    guard operands.count == 2 else { return nil }
    let words = tree.name(of: node).nameWords
    let isStrict = words.contains("than") && !words.contains("equal")
    let op: Operator =
      words.contains("less")
      ? isStrict ? .less : .lessEqual : isStrict ? .greater : .greaterEqual
    return version(operands[0], op, operands[1])
  }

  /// Returns a call of a function of the library, `nil` if it takes other operands.
  private func call(
    of name: String, _ node: SyntaxNode, _ receiver: NodeID?, _ operands: [String]
  ) -> String? {
    let subject = operands[0]
    let arguments = tree.arguments(of: node)
    // `hasattr(user, "email")`
    if name == "has", operands.count == 2, let last = arguments.last,
      case .string(let member)? = tree.constant(of: last), member.isPlainName
    {
      return "has(\(subject).\(member))"
    }
    if receiver == nil, operands.count == 2,
      Self.searches.contains(name)
    {
      let isFirst = tree.constant(of: arguments[0]) == nil
      return isFirst
        ? "\(operands[0]).\(name)(\(operands[1]))" : "\(operands[1]).\(name)(\(operands[0]))"
    }
    // `list.count(x, x > 0)`
    if name == "size", receiver != nil, operands.count == 3 {
      return "size(\(subject).filter(\(operands[1]), \(operands[2])))"
    }
    if receiver != nil, operands.count > 1 {
      return "\(subject).\(name)(\(operands.dropFirst().joined(separator: ", ")))"
    }
    return ["string", "int", "double", "size"].contains(name)
      && (receiver != nil || operands.count == 1) ? "\(name)(\(subject))" : nil
  }

  private func expression(
    _ form: ForeignFunctions.Form, _ node: SyntaxNode, _ operands: [String]
  ) -> String? {
    // `user.getOrDefault("level", 0)`
    if form.count == 2, operands.count == 3, let receiver = node.receiver,
      Self.roots.contains(text(receiver)), let first = tree.arguments(of: node).first,
      case .string(let member)? = tree.constant(of: first), member.isPlainName
    {
      return form.text(["\(operands[0]).\(member)", operands[2]])
    }
    guard form.count == operands.count, operands.allSatisfy({ $0.utf8.count <= 40 }) else {
      return nil
    }
    // `if(user.isPro, TRUE, FALSE)`
    if form.count == 3 {
      let words = operands[1...].map { $0.lowercased() }
      if words == ["true", "false"] { return operands[0] }
      if words == ["false", "true"] { return "!(\(operands[0]))" }
    }
    // Only an attribute can be missing.
    let arguments = tree.arguments(of: node)
    let subject = operands.count == arguments.count ? arguments.first : node.receiver
    let isCall = form.template.hasPrefix("(has(") && subject.map { freePath($0) == nil } ?? false
    let written =
      isCall
      ? "(\(operands[0]) != null ? \(operands[0]) : \(operands[1]))"
      : form.text(
        operands,
        powers: (operands.count == arguments.count ? arguments : tree.operands(of: node))
          .map { Self.bindingPower(tree[$0]) })
    guard let id = id(ofCall: node), case let needed = neededPower(id), needed > 0 else {
      return written
    }
    let whole = try? parse(SourceText(written), dialect: tree.dialect)
    let power = whole.map { Self.bindingPower($0[$0.root]) } ?? 0
    return power < needed ? "(\(written))" : written
  }

  /// Returns the power that a part needs so that no operator around it tears it apart.
  private func neededPower(_ id: NodeID) -> UInt8 {
    guard id != tree.root, !tree[id].flags.contains(.parenthesized) else { return 0 }
    let outer = tree[parent(of: id)]
    switch outer.kind {
    case .unary: return OperatorTable.prefixPower.right
    case .binary:
      let info = outer.op.info
      return id == outer.left && !info.isComparison ? info.power.left : info.power.right
    case .conditional where id == outer.condition: return Operator.conditional.info.power.left + 1
    default: return outer.receiver == id ? .max : 0
    }
  }

  /// Returns how tight the operator of a part binds; the largest power if it has none.
  private static func bindingPower(_ node: SyntaxNode) -> UInt8 {
    if node.flags.contains(.parenthesized) { return .max }
    return switch node.kind {
    case .binary: node.op.info.power.left
    case .unary: OperatorTable.prefixPower.right
    case .conditional: Operator.conditional.info.power.left
    default: .max
    }
  }

  private func helpForNullOrEmpty(_ node: SyntaxNode, _ id: NodeID) -> String {
    let subject = text(id)
    if isNegated(node) { return "without the `!`, write `\(subject) != \"\"`" }
    return isSuperscript && freePath(id) != nil
      ? "write `\(subject) == \"\"`, which is true when it is missing, too"
      : "write `(\(subject) == null || \(subject) == \"\")`"
  }
}
