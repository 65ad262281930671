import ExpressionCoding
public import ExpressionEngine
import FilterAnalysis

extension CampaignProof {
  /// The proof for a terminal: the faults, then what is worth knowing, then what was left open.
  ///
  /// - Parameter detailed: Whether overlaps and missing attributes are listed, too.
  public func text(detailed: Bool = false) -> String {
    var lines: [String] = []
    for finding in findings where finding.kind.isFault || detailed || finding.kind.isBrief {
      if !lines.isEmpty { lines.append("") }
      lines += finding.lines
    }
    for question in openQuestions {
      if !lines.isEmpty { lines.append("") }
      lines.append("not decided[\(question.placement)]: \(question.question)")
      lines.append("  because \(question.reason)")
    }
    if !freeParts.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines.append("parts whose outcome is treated as unknown:")
      lines += freeParts.map { "  `\($0.text)`, because it \($0.reason.text)" }
    }
    if !lines.isEmpty { lines.append("") }
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  private var summary: String {
    let notes = findings.count - faults.count
    return "\(count(audiences, "audience")), \(count(faults.count, "fault")), "
      + "\(count(notes, "note")), \(openQuestions.count) not decided "
      + "(\(count(sources, "attribute")) in \(count(classes, "class"))"
      + ", \(count(nodes, "diagram node")))"
  }

  private func count(_ number: Int, _ noun: String) -> String {
    guard number != 1 else { return "1 \(noun)" }
    return "\(number) \(noun)\(noun.hasSuffix("s") ? "es" : "s")"
  }

  /// The proof as JSON.
  public var value: Value {
    [
      "findings": .list(findings.map(\.value)),
      "open": .list(openQuestions.map(\.value)),
      "free": .list(
        freeParts.map { ["text": .string($0.text), "reason": .string($0.reason.rawValue)] }),
      "audiences": .int(Int64(audiences)), "faults": .int(Int64(faults.count)),
      "notes": .int(Int64(findings.count - faults.count)),
      "attributes": .int(Int64(sources)), "classes": .int(Int64(classes)),
      "nodes": .int(Int64(nodes)),
    ]
  }
}

extension Finding.Kind {
  /// Whether a note is listed without being asked for.
  var isBrief: Bool { self == .afterLimit || self == .unreachedUsers }
}

extension Finding {
  /// The finding with its place, its reasons and its witness.
  var lines: [String] {
    let place = placement.map {
      " (placement \($0)\(audience.map { ", audience \($0.index)" } ?? ""))"
    }
    var lines = ["\(kind.isFault ? "fault" : "note")[\(kind.rawValue)]: \(message)\(place ?? "")"]
    // Sentences that name their one condition need no list of it.
    if kind == .deadAudience { lines += conditions.map { "  condition: \($0)" } }
    if let shorterFilter { lines.append("  shorter:   \(shorterFilter)") }
    if let witness { lines.append("  user:      \(witness.json)") }
    if !assumptions.isEmpty { lines.append("  if:        \(assumptions.formattedList)") }
    return lines
  }

  /// The finding as JSON.
  public var value: Value {
    var members: [Value.Key: Value] = [
      "kind": .string(kind.rawValue), "fault": .bool(kind.isFault), "message": .string(message),
    ]
    if let placement { members["placement"] = .string(placement) }
    if let audience { members["audience"] = audience.value }
    if !related.isEmpty { members["related"] = .list(related.map(\.value)) }
    if !conditions.isEmpty { members["conditions"] = .list(conditions.map { .string($0) }) }
    if let shorterFilter { members["shorter"] = .string(shorterFilter) }
    if let witness { members["user"] = witness.value }
    if !assumptions.isEmpty { members["assumes"] = .list(assumptions.map { .string($0) }) }
    return .map(members)
  }
}

extension Finding.Place {
  /// The audience as JSON.
  var value: Value { ["index": .int(Int64(index)), "experiment": .string(experimentID)] }
}

extension OpenQuestion {
  /// The question as JSON.
  var value: Value {
    var members: [Value.Key: Value] = [
      "placement": .string(placement), "question": .string(question), "reason": .string(reason),
    ]
    if let audience { members["audience"] = audience.value }
    return .map(members)
  }
}
