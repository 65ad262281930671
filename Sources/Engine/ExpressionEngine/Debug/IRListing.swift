package import ExpressionSyntax

// source ─Tokenizer▶ … ─Lowering▶ IR ─[IRListing]▶ text

extension Filter {
  /// Returns the intermediate form of a filter as text: one node per line with its source, operands
  /// before their users. The last line is the whole filter.
  ///
  /// - Throws: ``FilterError`` with everything that is wrong with the text.
  /// - Complexity: O(n) in the length of the text.
  package static func intermediateText(
    of source: SourceText, environment: FilterEnvironment
  ) throws(FilterError) -> String {
    let tree: SyntaxTree
    do throws(SyntaxError) {
      tree = try parse(source, dialect: environment.dialect, limits: environment.parserLimits)
    } catch {
      throw FilterError(source: source, diagnostics: error.diagnostics)
    }
    let lowered = try Lowering.lower(tree, environment: environment)
    return lowered.ir.listing(of: source)
  }
}

extension IR {
  /// Returns one node per line: its number, its operation, its operands, and its source.
  func listing(of source: SourceText) -> String {
    var listing = ListingText()
    for (number, node) in nodes.elements.enumerated() {
      listing.add(
        "%\(number)", "\(node.kind)", description(of: node), "; " + source.excerpt(of: node.span))
    }
    return listing.text()
  }

  private func description(of node: IRNode) -> String {
    let first = "%\(node.first)"
    let second = "%\(node.second)"
    let third = "%\(node.third)"
    let replacement = node.third == IRNode.none ? "" : ", missing: \(third)"
    switch node.kind {
    case .constant: return constants[Int(node.first)].listingLiteral
    case .variable: return attributes[Int(node.first)].listingName
    case .attribute: return attributes[Int(node.first)].listingName + policy(node)
    case .local: return "local \(node.first)"
    case .member: return "\(first).\(attributes[Int(node.second)].listingName)" + policy(node)
    case .element: return "\(first)[\(second)]"
    case .compare:
      return "\(first) \(ComparisonMask(bits: node.mask).spelling) \(second)" + replacement
    case .membership: return "\(first) in \(second)" + replacement
    case .arithmetic:
      let name = ArithmeticOperator(rawValue: node.detail).map { "\($0)" } ?? "?"
      return "\(first) \(name) \(second)"
    case .conditional: return "\(first) ? \(second) : \(third)"
    case .conjunction, .disjunction, .absorbingAnd, .absorbingOr, .list, .map:
      return childList(node)
    case .lazyBind: return "locals from \(node.first), then the body: " + childList(node)
    case .lazyLocal: return "local \(node.first), when needed"
    case .name: return description(of: names[Int(node.first)])
    case .comprehension: return description(of: comprehensions[Int(node.first)])
    case .call: return functions[Int(node.first)].name + childList(node)
    case .hostCall:
      return hostFunctions[Int(node.first)].path + childList(node)
    case .loop:
      let kind = LoopKind(rawValue: node.detail).map { "\($0)" } ?? "?"
      return "\(kind) local \(node.third) of \(first): \(second)"
    case .rescue:
      let rescues = RescueClass(rawValue: node.detail)?.listingText ?? "?"
      return "\(first), on \(rescues) \(second)"
    case .sequence: return "\(first), then \(second)"
    case .expect:
      let kinds = SlotKinds(rawValue: node.second).listingText
      return "\(first) is \(kinds), else \(failure(node.third))"
    case .raise: return failure(node.first)
    case .overlay: return "\(first) under \(second)"
    case .bind: return "local \(node.second) = \(first) in \(third)"
    default: return first
    }
  }

  private func description(of name: NameResolution) -> String {
    var texts: [String] = []
    for candidate in name.candidates {
      texts.append(
        attributes[Int(candidate.attribute)].listingName
          + fields(of: name, from: candidate.coveredFields))
    }
    texts.append("%\(name.last)" + fields(of: name, from: name.lastCoveredFields))
    return texts.joined(separator: ", or ")
  }

  private func fields(of name: NameResolution, from first: Int) -> String {
    var text = ""
    for field in name.fields.dropFirst(first) { text += "." + attributes[Int(field)].name.text }
    return text
  }

  private func description(of loop: Comprehension) -> String {
    let variables =
      "local \(loop.firstLocal)" + (loop.secondLocal.map { ", local \($0)" } ?? "")
    let filter = loop.filter.map { " where %\($0)" } ?? ""
    return "\(loop.kind) \(variables) of %\(loop.range)\(filter): %\(loop.body)"
  }

  private func policy(_ node: IRNode) -> String {
    MissingPolicy(rawValue: node.detail).map { ", \($0.listingText)" } ?? ""
  }

  private func failure(_ code: UInt32) -> String {
    FailureCode(rawValue: UInt8(truncatingIfNeeded: code)).map { "\($0)" } ?? "code \(code)"
  }

  private func childList(_ node: IRNode) -> String {
    let children = children(of: node)
    let shown = children.prefix(12).map { "%\($0)" }.joined(separator: ", ")
    return "(" + shown + (children.count > 12 ? ", … \(children.count) in all" : "") + ")"
  }
}
