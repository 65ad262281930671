import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports attributes that the platform of the filter does not have.

extension FilterLinter {
  /// Reports `device.platform == "Android" && device.interfaceType == "iphone"`.
  mutating func checkPlatforms(_ operands: [NodeID]) {
    guard
      let pin = operands.compactMap({ platforms(of: $0) }).first
        ?? operands.compactMap({ platformsOfAttribute(in: $0) }).first(where: {
          // One attribute for each platform: `device.a == 0 && device.b == 0`.
          outcomeWithoutAttributes(of: $0.condition) != .true
        })
    else { return }
    checkPlatforms(
      operands, pin,
      help: "for one platform, remove the other condition; for both, write "
        + "`(device.platform == \"…\" ? … : …)`")
  }

  /// Reports `device.platform == "Android" ? device.interfaceType == "ipad" : …`: a branch is
  /// evaluated on some platforms only.
  mutating func checkPlatformsOfBranches(_ node: SyntaxNode) {
    guard let pin = platforms(of: node.condition) else { return }
    let all: Set<String> = ["ios", "macos", "android"]
    for (branch, names) in [
      (node.consequence, pin.names), (node.alternative, all.subtracting(pin.names)),
    ] {
      let operands: [NodeID] =
        if case .all(let parts) = outline.form(of: branch) { parts } else { [branch] }
      checkPlatforms(
        operands, (pin.condition, names),
        help: "exchange the branches, or correct the one or the other condition")
    }
  }

  private mutating func checkPlatforms(
    _ operands: [NodeID], _ pin: (condition: NodeID, names: Set<String>), help: String
  ) {
    checkSystemVersions(operands, pin.names)
    checkCapabilities(operands, pin)
    checkModels(operands, pin)
    checkMac(operands, pin)
    checkInterfaces(operands, pin)
    for operand in operands where operand != pin.condition {
      guard let (id, attribute) = foreignAttribute(under: operand, pin.names) else { continue }
      let other =
        schema.attributes.values.first {
          !$0.platforms.isEmpty && !pin.names.isDisjoint(with: $0.platforms)
            && $0.summary == attribute.summary && $0.path != attribute.path
        } ?? Self.everywhere[attribute.path].flatMap { schema[$0] }
      // What values it has elsewhere does not matter.
      diagnostics.removeAll {
        [.impossibleValue, .wrongCase].contains($0.id) && $0.overlaps(tree[operand].span)
      }
      let isOtherRead =
        other.flatMap { AttributePath($0.path) }.map { readings(of: $0) > 0 } ?? false
      report(
        Diagnostic(
          .otherPlatform,
          "`\(attribute.path)` is not sent on \(Self.spelled(pin.names))",
          at: tree[id].span, label: "only on \(attribute.platforms.joined(separator: ", "))",
          secondary: [Diagnostic.Label(tree[pin.condition].span, "")],
          notes: ["so it is missing for all who could match"],
          helps: [
            other.map {
              isOtherRead
                ? "correct the platform, or this attribute"
                : "there is `\($0.path)`: \($0.summary)"
            }
              ?? region(insteadOf: attribute).map {
                "write `\(meant(id, $0.path))`"
              }
              ?? help
          ]))
    }
  }

  /// What all platforms send instead of attributes of some.
  private static let everywhere = [
    "device.customerInfo.subscriptions": "device.activeProducts",
    "device.customerInfo.entitlements": "device.activeEntitlements",
  ]

  /// The names of platforms as they are the values of `device.platform`.
  private static func spelled(_ names: Set<String>) -> String {
    let values = AttributeSchema.builtIn["device.platform"]?.values ?? []
    let known = values.filter { names.contains($0.lowercased()) }
    return (known.isEmpty ? names.sorted() : known).joined(separator: " or ")
  }

  /// Returns the attribute for the country of a user on platforms that have no storefront.
  private func region(
    insteadOf attribute: AttributeSchema.Attribute
  ) -> AttributeSchema.Attribute? {
    attribute.format == .storefront ? schema["device.regionCode"] : nil
  }

  /// Reports `device.platform == "iOS" && device.osVersion == "17"`: Apple's systems send several
  /// numbers.
  private mutating func checkSystemVersions(_ operands: [NodeID], _ platforms: Set<String>) {
    guard platforms.isSubset(of: ["ios", "macos"]) else { return }
    for operand in operands {
      checkEndOfSystem(operand, platforms)
      if platforms == ["ios"], let (subject, texts) = soughtTexts(operand), !texts.isEmpty,
        knownAttribute(subject)?.format == .systemVersion,
        texts.allSatisfy({ text in
          text.contains(".")
            && Int(text.prefix { $0 != "." }).map { (2..<10).contains($0) } ?? false
        })
      {
        report(
          Diagnostic(
            .impossibleValue, "no SDK runs on so old a system", at: tree[operand].span,
            label: "before iOS 10",
            helps: ["the version of the app is `device.appVersionPadded`"]))
      }
      guard let comparison = ConstantComparison(tree[operand], in: tree),
        comparison.op == .equal || comparison.op == .in,
        case .string(let text)? = comparison.constants.first,
        knownAttribute(comparison.subject)?.format == .systemVersion,
        comparison.constants.allSatisfy({
          guard case .string(let text) = $0 else { return false }
          return !text.isEmpty && text.utf8.allSatisfy { $0 &- 0x30 < 10 }
        })
      else { continue }
      let subject = self.text(comparison.subject)
      let beginnings = comparison.constants.compactMap { constant in
        if case .string(let text) = constant { "\(subject).startsWith(\"\(text).\")" } else { nil }
      }
      let meant =
        beginnings.count == 1 ? beginnings[0] : "(\(beginnings.joined(separator: " || ")))"
      report(
        Diagnostic(
          .impossibleValue, "`\(subject)` is never `\"\(text)\"` on these platforms",
          at: tree[comparison.constant].span, label: "only the first number",
          notes: ["iOS sends versions such as \"17.5.1\""],
          helps: ["for all of them, write `\(meant)`"]))
    }
  }

  /// Reports `device.platform == "iOS" && device.osVersion.matches("^1[78]$")`: Apple sends
  /// several numbers.
  private mutating func checkEndOfSystem(_ operand: NodeID, _ platforms: Set<String>) {
    let node = tree[operand]
    guard platforms == ["ios"], node.kind == .call, tree.name(of: node) == "matches",
      let receiver = node.receiver, knownAttribute(receiver)?.format == .systemVersion,
      node.childCount == 1, let argument = tree.arguments(of: node).first,
      case .string(let pattern)? = tree.constant(of: argument), pattern.last == "$",
      pattern.first == "^", !pattern.dropLast().contains(where: { ".*+?".contains($0) })
    else { return }
    let right = pattern.dropLast() + "[.]"
    report(
      Diagnostic(
        .impossibleValue, "`\(text(receiver))` has several numbers on iOS",
        at: tree[argument].span, label: "only the first number",
        notes: ["iOS sends versions such as \"17.5.1\""],
        helps: ["for all of them, write `\(String(right).patternLiteral)`"]))
  }

  /// Reports `device.platform == "iOS" && device.capabilities.exists(c, c == "x")`: Apple's SDK
  /// sends one text.
  private mutating func checkCapabilities(
    _ operands: [NodeID], _ pin: (condition: NodeID, names: Set<String>)
  ) {
    guard pin.names.isSubset(of: ["ios", "macos"]) else { return }
    for operand in operands {
      if let comparison = ConstantComparison(tree[operand], in: tree), comparison.op == .equal,
        case .string(let name) = comparison.value, !name.contains(","),
        freePath(comparison.subject)?.description == "device.capabilities"
      {
        report(
          Diagnostic(
            .seldomMeant, "on iOS this text has all capabilities, with commas",
            at: tree[comparison.constant].span, label: "one of them",
            helps: ["write `device.capabilities.contains(\"\(name)\")`"]))
      }
      if let comparison = ConstantComparison(tree[operand], in: tree),
        case let index = tree[comparison.subject], index.kind == .index,
        freePath(index.operand)?.description == "device.capabilities"
      {
        report(
          Diagnostic(
            .typeMismatch, "on iOS `device.capabilities` is one text", at: index.span,
            label: "a letter of it", secondary: [Diagnostic.Label(tree[pin.condition].span, "")],
            helps: ["write `device.capabilities.contains(\(text(comparison.constant)))`"]))
      }
      guard let loop = outline.loop(tree[operand]),
        freePath(loop.range)?.description == "device.capabilities"
      else { continue }
      let name = ConstantComparison(tree[loop.body], in: tree).map { text($0.constant) } ?? "\"…\""
      report(
        Diagnostic(
          .typeMismatch, "on iOS `device.capabilities` is one text", at: tree[loop.range].span,
          label: "without elements", secondary: [Diagnostic.Label(tree[pin.condition].span, "")],
          notes: [Self.failsAtRunTime],
          helps: ["write `device.capabilities.contains(\(name))`"]))
    }
  }

  /// Reports `device.platform == "Android" && device.deviceModel.startsWith("iPhone")`.
  private mutating func checkModels(
    _ operands: [NodeID], _ pin: (condition: NodeID, names: Set<String>)
  ) {
    for operand in operands {
      guard let (subject, texts) = soughtTexts(operand), let attribute = knownAttribute(subject),
        attribute.format == .model, !texts.isEmpty
      else { continue }
      let platforms = texts.map { AttributeSchema.Attribute.Format.platforms(ofModel: $0) }
      guard platforms.allSatisfy({ $0.map(pin.names.isDisjoint(with:)) ?? false }) else { continue }
      reportExcluded(
        operand, "models of this name are of another platform", "another platform", pin.condition)
    }
  }

  /// Reports `device.isMac && device.platform == "Android"`: only Apple's apps run on a Mac.
  private mutating func checkMac(
    _ operands: [NodeID], _ pin: (condition: NodeID, names: Set<String>)
  ) {
    guard pin.names == ["android"] else { return }
    for operand in operands {
      var subject = operand
      if let comparison = ConstantComparison(tree[operand], in: tree),
        comparison.op == .equal, comparison.value == .bool(true)
      {
        subject = comparison.subject
      }
      guard freePath(subject)?.description == "device.isMac" else { continue }
      reportExcluded(
        operand, "`device.isMac` is never true on Android", "only Apple's apps run on a Mac",
        pin.condition)
    }
  }

  /// Reports `device.platform != "iOS" && device.interfaceType == "iphone"`.
  private mutating func checkInterfaces(
    _ operands: [NodeID], _ pin: (condition: NodeID, names: Set<String>)
  ) {
    guard pin.names.isDisjoint(with: ["ios"]), pin.names != ["android"] else { return }
    for operand in operands {
      guard let (subject, texts) = soughtTexts(operand), !texts.isEmpty,
        freePath(subject)?.description == "device.interfaceType",
        texts.allSatisfy({ ["iphone", "ipad"].contains($0) })
      else { continue }
      reportExcluded(
        operand, "these devices are of the platform `\"iOS\"`", "another platform", pin.condition)
    }
  }

  /// Reports a condition that no user of the platform meets.
  private mutating func reportExcluded(
    _ operand: NodeID, _ message: String, _ label: String, _ platform: NodeID
  ) {
    report(
      Diagnostic(
        .otherPlatform, message, at: tree[operand].span, label: label,
        secondary: [Diagnostic.Label(tree[platform].span, "")],
        notes: [Self.neverTogether],
        helps: [FilterProver.helpForExclusion]))
  }

  /// Returns the texts that a condition looks for at the beginning of an attribute, or anywhere.
  private func soughtTexts(_ id: NodeID) -> (subject: NodeID, texts: [String])? {
    if let comparison = ConstantComparison(tree[id], in: tree) {
      guard comparison.op == .equal || comparison.op == .in else { return nil }
      var texts: [String] = []
      for case .string(let text) in comparison.constants { texts.append(text) }
      return (comparison.subject, texts)
    }
    guard case .search(let name, in: let subject, for: let argument) = outline.shape(of: id),
      name != "endsWith", case .string(let text)? = tree.constant(of: argument)
    else { return nil }
    return (subject, [text])
  }

  /// Returns the platforms that a condition requires, in lower case.
  private func platforms(of id: NodeID) -> (condition: NodeID, names: Set<String>)? {
    guard let comparison = ConstantComparison(tree[id], in: tree), !comparison.isOrdering,
      freePath(comparison.subject)?.description == "device.platform"
    else { return nil }
    var names: Set<String> = []
    for case .string(let name) in comparison.constants { names.insert(name.lowercased()) }
    let all: Set<String> = ["ios", "macos", "android"]
    // A platform that does not exist is a mistake of its own.
    guard !names.isEmpty, names.isSubset(of: all) else { return nil }
    return (id, comparison.op == .notEqual ? all.subtracting(names) : names)
  }

  /// Reports `params.event_name == "app_launch" && params.abandoned_product_id == "pro"`.
  mutating func checkPlacements(_ operands: [NodeID]) {
    guard let (pin, names) = operands.compactMap({ placements(of: $0) }).first else {
      return
    }
    for operand in operands where operand != pin {
      guard
        let (id, attribute) = attribute(
          under: operand,
          where: { !$0.placements.isEmpty && names.isDisjoint(with: $0.placements) })
      else { continue }
      let sent = attribute.placements.map { "`\"\($0)\"`" }.joined(separator: " and ")
      report(
        Diagnostic(
          .otherPlatform, "`\(attribute.path)` is not sent with this placement", at: tree[id].span,
          label: "only with \(sent)", secondary: [Diagnostic.Label(tree[pin].span, "")],
          notes: ["so it is missing for all who could match"],
          helps: [
            "for users of \(sent), ask for that placement; for all of this one, remove the condition"
          ]))
    }
  }

  /// Returns the placements that a condition requires.
  func placements(of id: NodeID) -> (condition: NodeID, names: Set<String>)? {
    guard let comparison = ConstantComparison(tree[id], in: tree),
      comparison.op == .equal || comparison.op == .in,
      knownAttribute(comparison.subject)?.format == .placement
    else { return nil }
    var names: Set<String> = []
    for case .string(let name) in comparison.constants { names.insert(name) }
    return names.isEmpty ? nil : (id, names)
  }

  /// Returns the platforms that send an attribute in a condition, or that have the model that it
  /// requires.
  private func platformsOfAttribute(in id: NodeID) -> (condition: NodeID, names: Set<String>)? {
    if let (subject, texts) = soughtTexts(id), knownAttribute(subject)?.format == .model,
      let text = texts.first, texts.count == 1,
      let platforms = AttributeSchema.Attribute.Format.platforms(ofModel: text)
    {
      return (id, Set(platforms))
    }
    if let (subject, texts) = soughtTexts(id), freePath(subject)?.description == "device.platform" {
      let names = ["iOS", "macOS", "Android"].filter { name in
        texts.contains { name.firstOccurrence(of: $0) != nil }
      }
      return names.isEmpty ? nil : (id, Set(names.map { $0.lowercased() }))
    }
    return attribute(under: id, where: { !$0.platforms.isEmpty && $0.placements.isEmpty })
      .map { (id, Set($0.1.platforms)) }
  }

  private func foreignAttribute(
    under id: NodeID, _ platforms: Set<String>
  ) -> (NodeID, AttributeSchema.Attribute)? {
    attribute(under: id) {
      !$0.platforms.isEmpty && platforms.isDisjoint(with: $0.platforms) && !platforms.isEmpty
    }
  }

  /// Returns the first known attribute in a condition that is of a kind, but for those of which
  /// `has` asks whether they are there.
  private func attribute(
    under id: NodeID, where isMeant: (AttributeSchema.Attribute) -> Bool
  ) -> (NodeID, AttributeSchema.Attribute)? {
    var work = [id]
    while let next = work.popLast() {
      let node = tree[next]
      if node.kind == .call, tree.name(of: node) == "has" { continue }
      if let attribute = knownAttribute(next), isMeant(attribute) { return (next, attribute) }
      work += tree.parts(of: node)
    }
    return nil
  }
}
