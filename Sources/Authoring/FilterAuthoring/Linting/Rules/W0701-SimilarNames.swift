import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Finds the attribute that a name with the same words means: `device.versionPadded`,
// `device.storeFrontCountry`, `device.localTimeOfDay`.

extension FilterLinter {
  /// Reports an unknown name whose words are those of attributes, or that other attributes go by.
  ///
  /// - Returns: Whether there are such attributes.
  mutating func reportSimilar(
    _ id: NodeID, _ path: AttributePath, _ siblings: MemberNames, isClosed: Bool
  ) -> Bool {
    guard let name = path.names.last else { return false }
    if path.root == "device", path.names.first == "customerInfo", path.names.count == 2,
      let other = Self.deviceAliases[name]?.first(where: { schema["device.\($0)"] != nil })
    {
      reportUnknown(id, path, helps: ["did you mean `device.\(other)`?"])
      return true
    }
    guard path.names.count == 1 else { return false }
    if path.root == "device", ["weekday", "dayOfWeek", "dayofweek"].contains(name) {
      reportUnknown(id, path, helps: [Self.noWeekday])
      return true
    }
    if path.root == "device", let condition = Self.conditionAliases[name.lowercased()],
      ConstantComparison(tree[parent(of: id)], in: tree).map({
        AttributeType(of: $0.value) == .bool
      })
        ?? isCondition[Int(id.index)]
    {
      reportUnknown(id, path, helps: ["write `\(replacement(condition, for: id))`"])
      return true
    }
    if path.root == "device", name.hasPrefix("application"),
      schema["device.app\(name.dropFirst(11))"] != nil
    {
      reportUnknown(id, path, helps: ["did you mean `device.app\(name.dropFirst(11))`?"])
      return true
    }
    if path.root == "device", name.hasSuffix("Padded"),
      let base = schema["device.\(name.dropLast(6))"], base.type == .string
    {
      let comparison = ConstantComparison(tree[parent(of: id)], in: tree)
      let first = comparison.map { text($0.constant) }.flatMap { literal in
        Int(literal.filter { $0 != "\"" }.prefix { $0.isNumber })
      }
      reportUnknown(id, path, helps: [Self.helpForVersion(base.path, "\(first ?? 17)")])
      return true
    }
    let aliases = path.root == "device" ? Self.deviceAliases[name] ?? [] : []
    let words = name.nameWords
    // In an open root, a name of two words may well be one of the app's own.
    guard !aliases.isEmpty || isClosed || words.count > 2 else { return false }
    let similar = aliases.isEmpty ? Self.similar(to: name, words, among: siblings) : []
    let candidates = (aliases.isEmpty ? similar : aliases)
      .filter { schema["\(path.root).\($0)"] != nil }
    let fitting = candidates.filter { isPossible(id, "\(path.root).\($0)") }
    let closest = fitting.isEmpty ? candidates : fitting
    guard !closest.isEmpty, closest.count <= 4 else { return false }
    if closest.count == 1, let converted = inUnit(of: "\(path.root).\(closest[0])", name, id) {
      reportUnknown(id, path, helps: ["write `\(converted)`"])
      return true
    }
    let names = closest.prefix(3).map { "`\(meant(id, "\(path.root).\($0)"))`" }
      .joined(separator: " or ")
    reportUnknown(id, path, helps: ["did you mean \(names)?"])
    return true
  }

  private static let minutes = [
    "minutes": 1, "hours": 60, "days": 1_440, "weeks": 10_080, "months": 43_200, "years": 525_600,
  ]

  /// Returns the comparison of an unknown attribute with its number in the unit of another one:
  /// `device.minutesSinceInstall < 1440` for `device.hoursSinceInstall < 24`.
  private func inUnit(of path: String, _ name: String, _ id: NodeID) -> String? {
    guard let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.subject == id, case .int(let number) = comparison.value,
      (-1_000_000...1_000_000).contains(number),
      let unit = name.nameWords.lazy.compactMap({ Self.minutes[$0] }).first,
      let other = path.nameWords.lazy.compactMap({ Self.minutes[$0] }).first, unit != other,
      Int(number) * unit % other == 0
    else { return nil }
    return "\(path) \(comparison.op.spelling) \(Int(number) * unit / other)"
  }

  /// Returns the names of the SDKs with the same words, or with a beginning of the name.
  private static func similar(
    to name: String, _ words: [String], among siblings: MemberNames
  ) -> [String] {
    let known = siblings.all.filter { $0.isBuiltIn }
    var similar = known.filter {
      shareWords(words, $0.words) || differInEnding(words, $0.words)
    }
    // `appVersionPad` is rather `appVersionPadded` than `appVersion`.
    let sameStart = similar.filter { differInEnding(words, $0.words) }
    if !sameStart.isEmpty { similar = sameStart }
    if similar.isEmpty {
      // `daysSinceInstallation`
      let key = name.nameKey
      similar = known.filter { other in
        other.name.utf8.count >= 8 && key.hasPrefix(other.key)
          && key.utf8.count < 2 * other.name.utf8.count
      }
    }
    return similar.map { $0.name }
  }

  /// Other names of conditions.
  private static let conditionAliases = [
    "istablet": "device.interfaceType == \"ipad\"", "isipad": "device.interfaceType == \"ipad\"",
    "isphone": "device.interfaceType == \"iphone\"",
    "isiphone": "device.interfaceType == \"iphone\"", "isios": "device.platform == \"iOS\"",
    "isandroid": "device.platform == \"Android\"",
    "isdarkmode": "device.interfaceStyle == \"Dark\"",
    "darkmode": "device.interfaceStyle == \"Dark\"",
    "iswifi": "device.radioType == \"Wifi\"", "wifi": "device.radioType == \"Wifi\"",
    "issubscribed": "device.subscriptionStatus == \"ACTIVE\"",
    "ispremium": "device.subscriptionStatus == \"ACTIVE\"",
    "ispro": "device.subscriptionStatus == \"ACTIVE\"",
    "hasactivesubscription": "device.subscriptionStatus == \"ACTIVE\"",
  ]

  /// Returns whether two names have the same words but for the ending of the last one.
  private static func differInEnding(_ first: [String], _ second: [String]) -> Bool {
    guard first.count == second.count, first.dropLast() == second.dropLast(),
      let one = first.last, let other = second.last
    else { return false }
    return zip(one, other).prefix { $0 == $1 }.count >= 3
  }

  /// Returns whether one of two names has all words of the other, and most of its own in common.
  private static func shareWords(_ first: [String], _ second: [String]) -> Bool {
    let stems = [first, second].map { words in
      words.map { $0.hasSuffix("s") && $0.utf8.count > 3 ? String($0.dropLast()) : $0 }
    }
    let (few, many) =
      stems[0].count <= stems[1].count ? (stems[0], stems[1]) : (stems[1], stems[0])
    // `daysSinceLastPaywallOpen` has another word at its end.
    if few.count == many.count, few.count >= 4, few.dropLast() == many.dropLast() { return true }
    guard few.count + 2 >= many.count else { return false }
    if few.joined() == many.joined() { return true }
    // "timezone" is one word or two.
    let isPart = many.joined().hasSuffix(few.joined()) && few.joined().utf8.count >= 7
    guard few.allSatisfy({ many.contains($0) }) || isPart else { return false }
    // "is", "the" and "of" alone say nothing.
    return few.contains { $0.utf8.count > 3 }
  }

  /// Returns an attribute that an unknown one means, with the constant beside it if that is written
  /// in another way there: `device.ipCountry == "United Kingdom"` for `"GB"`.
  func meant(_ id: NodeID, _ path: String) -> String {
    guard let format = schema[path]?.format,
      let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.subject == id
    else { return path }
    if comparison.op == .in {
      let codes = comparison.constants.compactMap { element -> String? in
        if case .string(let text) = element { format.code(named: text) } else { nil }
      }
      let list = codes.map { "\"\($0)\"" }.joined(separator: ", ")
      return codes.isEmpty || codes.count < comparison.constants.count
        ? path : "\(path) in [\(list)]"
    }
    guard comparison.isEquality, case .string(let text) = comparison.value,
      let code = format.code(named: text), code != text
    else { return path }
    return "\(path) \(comparison.op.spelling) \"\(code)\""
  }

  /// Returns whether an attribute may have the constant that an unknown one is compared with.
  private mutating func isPossible(_ id: NodeID, _ path: String) -> Bool {
    guard let attribute = schema[path],
      let comparison = ConstantComparison(tree[parent(of: id)], in: tree),
      comparison.subject == id
    else { return true }
    let constants: [Value] =
      if case .list(let elements) = comparison.value { elements } else { [comparison.value] }
    for value in constants {
      let type = AttributeType(of: value)
      if attribute.type.isNumeric != type.isNumeric, attribute.type != .any { return false }
      if attribute.type == .bool, type != .bool { return false }
      guard case .string(let text) = value, !text.isEmpty else { continue }
      guard attribute.type == .string || attribute.type == .any else { return false }
      if attribute.format?.isCode(text) == false { return false }
      let result = textForms.result(of: .equals(text), for: attribute, dialect: tree.dialect.name)
      let isValue = attribute.values.contains { $0.lowercased() == text.lowercased() }
      // An order compares with the beginning of a version, too.
      if result == false, !isValue, !comparison.isOrdering { return false }
    }
    return true
  }
}

/// The names of the members of an object, ready to be compared with many others.
struct MemberNames {
  struct Member {
    let name: String
    let key: String
    let words: [String]
    /// Whether it is part of the SDKs' vocabulary.
    let isBuiltIn: Bool
  }

  /// Those of the SDKs' vocabulary, which most filters are checked with.
  private static let builtIn = Dictionary(
    uniqueKeysWithValues: AttributeSchema.builtIn.roots.map {
      ($0, MemberNames(AttributeSchema.builtIn.memberNames(of: $0), of: $0))
    })

  let all: [Member]
  private let byKey: [String: [String]]

  init(of container: String, in schema: AttributeSchema) {
    let names = schema.memberNames(of: container)
    if let known = Self.builtIn[container],
      names == AttributeSchema.builtIn.memberNames(of: container)
    {
      self = known
    } else {
      self.init(names, of: container)
    }
  }

  private init(_ names: [String], of container: String) {
    let builtIn = Set(AttributeSchema.builtIn.memberNames(of: container))
    all = names.map {
      Member(name: $0, key: $0.nameKey, words: $0.nameWords, isBuiltIn: builtIn.contains($0))
    }
    byKey = Dictionary(grouping: all) { $0.key }.mapValues { $0.map { $0.name } }
  }

  /// Returns the names whose letters and digits are a key.
  func named(_ key: String) -> [String] { byKey[key] ?? [] }
}

extension String {
  /// The letters and digits in lower case.
  var nameKey: String {
    guard utf8.allSatisfy({ $0 < 0x80 }) else {
      return String(filter { $0.isLetter || $0.isNumber }).lowercased()
    }
    let key = utf8.filter { ($0 | 0x20) &- UInt8(ascii: "a") < 26 || isDigit($0) }.map(lowered)
    return String(decoding: key, as: UTF8.self)
  }
}
