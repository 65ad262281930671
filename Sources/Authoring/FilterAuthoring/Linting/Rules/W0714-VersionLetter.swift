import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// Reports versions that start with a letter.

extension FilterLinter {
  /// Reports `"v3.2"`: versions have no letter before them.
  mutating func checkVersionLetter(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard [.version, .paddedVersion, .systemVersion].contains(attribute.format) else { return }
    if checkVersionWords(text, at: id, attribute) { return }
    if attribute.format == .paddedVersion, checkSeparators(text, at: id, attribute) { return }
    if checkVersionRange(text, at: id, attribute) { return }
    guard attribute.format != .systemVersion, text.first == "v" || text.first == "V",
      let digit = text.utf8.dropFirst().first, digit &- 0x30 < 10
    else { return }
    let right = "\"\(text.dropFirst())\""
    guard !right.contains("\\") else { return }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` never starts with `\(text.prefix(1))`",
        at: tree[id].span, label: "starts with a letter",
        notes: [Self.sampleVersion(attribute)],
        fixIts: [Diagnostic.FixIt(write: right, at: tree[id].span)]))
  }

  private static func sampleVersion(_ attribute: AttributeSchema.Attribute) -> String {
    let sample = attribute.format == .paddedVersion ? "002.010.000" : "2.10.0"
    return "its values are versions such as \"\(sample)\""
  }

  /// Reports `device.appVersion == "4"`, which 4.1.0 is not.
  mutating func checkShortVersion(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    guard attribute.format == .version, (1...2).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 &- 0x30 < 10 })
    else { return }
    report(
      Diagnostic(
        .unpaddedVersion, "`\"\(text)\"` is one version, and \(text).1 is another",
        at: tree[id].span,
        label: "only the first number", notes: ["its values are versions such as \"2.10.0\""],
        helps: ["for all versions of it, write `\(attribute.path).startsWith(\"\(text).\")`"]))
  }

  /// Reports `"005,002,000"`: the numbers of a version have dots between them.
  private mutating func checkSeparators(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    let parts = text.split(
      omittingEmptySubsequences: false, whereSeparator: { ",-_ ".contains($0) })
    guard parts.count > 1,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } })
    else { return false }
    let right = "\"\(Self.padded(parts.joined(separator: ".")))\""
    report(
      Diagnostic(
        .impossibleValue, "the numbers of `\(attribute.path)` have dots between them",
        at: tree[id].span, label: "other separators",
        fixIts: [Diagnostic.FixIt(write: right, at: tree[id].span)]))
    return true
  }

  /// Reports `"3.x"` and `"iOS 17"`: versions are digits. Returns whether it did.
  private mutating func checkVersionWords(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.prefix { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
    if !numbers.isEmpty, numbers.count < parts.count,
      parts[numbers.count...].allSatisfy({ $0 == "x" || $0 == "X" || $0 == "*" })
    {
      let isPadded = attribute.format == .paddedVersion
      let beginning =
        numbers.map { isPadded ? Self.paddedNumber($0) : String($0) }.joined(separator: ".") + "."
      report(
        Diagnostic(
          .impossibleValue, "`\(attribute.path)` never has `\(parts[numbers.count])` for a number",
          at: tree[id].span, label: "stands for itself",
          notes: ["its values are versions such as \"\(isPadded ? "002.010.000" : "2.10.0")\""],
          helps: ["for every version of it, write `\(attribute.path).startsWith(\"\(beginning)\")`"]
        ))
      return true
    }
    guard let word = text.first, word.isLetter, word != "v", word != "V",
      let digit = text.firstIndex(where: { $0.isNumber }), text[..<digit].hasSuffix(" ")
    else { return false }
    if text.uppercased().hasPrefix("API") {
      report(
        Diagnostic(
          .impossibleValue, "`\(attribute.path)` has no level of an API", at: tree[id].span,
          label: "not a version",
          notes: ["it is the version of the system: \"13\" on Android of level 33"]))
      return true
    }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` never starts with `\(word)`", at: tree[id].span,
        label: "starts with a name", notes: [Self.sampleVersion(attribute)],
        helps: [
          attribute.format == .systemVersion && text[digit...].split(separator: ".").count < 3
            ? "for all versions of it, write `\(attribute.path).startsWith(\"\(text[digit...]).\")`"
            : "write the version alone: `\"\(text[digit...])\"`"
        ]))
    return true
  }

  /// Reports beginnings of versions that padded ones never have, and those that other numbers have
  /// as well: `"3.1"` is the beginning of 3.10.
  mutating func checkVersionBeginning(
    _ receiver: NodeID, _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }), let last = parts.last
    else { return }
    let span = tree[id].span
    let isShort =
      parts.first.map { $0.utf8.count < 3 && $0.utf8.first != UInt8(ascii: "0") } == true
      || parts.dropFirst().contains { (1...2).contains($0.utf8.count) && $0.first != "0" }
    if attribute.format == .paddedVersion, isShort {
      let right = parts.map { $0.isEmpty ? "" : Self.paddedNumber($0) }
      let literal = "\"\(right.joined(separator: "."))\""
      report(
        Diagnostic(
          .unpaddedVersion, "`\(attribute.path)` never starts with `\"\(text)\"`", at: span,
          label: "not padded", notes: ["its versions look like \"003.010.000\""],
          fixIts: [Diagnostic.FixIt(write: literal, at: span)]))
    } else if attribute.format == .version, let first = parts.first, first.utf8.count > 1,
      first.first == "0"
    {
      let right = parts.map { part in
        part.isEmpty ? "" : String(Int(part) ?? 0)
      }
      report(
        Diagnostic(
          .unpaddedVersion, "versions of `\(attribute.path)` are not padded", at: span,
          label: "padded",
          fixIts: [Diagnostic.FixIt(write: "\"\(right.joined(separator: "."))\"", at: span)]))
    } else if attribute.format == .version
      || attribute.format == .systemVersion && parts.count == 1,
      last.utf8.count == 1, last != "0",
      // Android 1 is forgotten, so that 10 to 19 are meant.
      attribute.format == .version || !namesAndroid,
      // Versions that start with 60 are rare.
      parts.count > 1 || last == "1" || last == "2"
    {
      let subject = self.text(receiver)
      let starts = "\(subject).startsWith(\"\(text).\")"
      report(
        Diagnostic(
          .unpaddedVersion, "`\"\(text)\"` is also the beginning of \(text)0", at: span,
          label: "the number may go on",
          helps: [
            parts.count == 1
              ? "for all versions of it, write `\(starts)`; for \(text)0 to \(text)9, "
                + "`\(subject).matches(r\"^\(text)[0-9]\\.\")`"
              : "for all versions of it, write `(\(subject) == \"\(text)\" || \(starts))`"
          ]))
    }
  }

  /// Reports `"^4.2.0"`, `"~4.1.3"` and `">=4.2"`, ranges of package managers. Returns whether it
  /// did.
  private mutating func checkVersionRange(
    _ text: String, at id: NodeID, _ attribute: AttributeSchema.Attribute
  ) -> Bool {
    let signs = text.prefix { "^~<>= ".contains($0) }
    let version = text.dropFirst(signs.count)
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
      .map { $0.utf8.count <= 4 ? Int($0) : nil }
    guard !signs.isEmpty, (1...3).contains(numbers.count), !numbers.contains(nil) else {
      return false
    }
    let parts = numbers.map { $0 ?? 0 }
    let path =
      attribute.format == .version && schema[attribute.path + "Padded"] != nil
      ? attribute.path + "Padded" : attribute.path
    let isPadded = schema[path]?.format == .paddedVersion
    func written(_ numbers: [Int]) -> String {
      let plain = numbers.map { String($0) }.joined(separator: ".")
      return "\"\(isPadded ? Self.padded(plain) : plain)\""
    }
    let sign = signs.filter { $0 != " " }
    var helps: [String] = []
    if isPadded, ["^", "~"].contains(sign) {
      // `^` fixes the first number that is not 0, and `~` the second one.
      let place =
        sign == "^" ? parts.firstIndex { $0 > 0 } ?? parts.count - 1 : min(1, parts.count - 1)
      let end = Array(parts[..<place]) + [parts[place] + 1]
      helps = [
        "write `\(path) >= \(written(parts)) && \(path) < \(written(end))`"
      ]
    } else if isPadded, ["<", "<=", ">", ">="].contains(sign) {
      helps = ["write `\(path) \(sign) \(written(parts))`"]
    }
    report(
      Diagnostic(
        .impossibleValue, "`\(attribute.path)` never starts with `\(signs.prefix(1))`",
        at: tree[id].span, label: "a range of other tools",
        notes: [Self.sampleVersion(attribute)], helps: helps))
    return true
  }
}
