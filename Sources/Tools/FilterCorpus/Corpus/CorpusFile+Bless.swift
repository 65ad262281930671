extension CorpusFile {
  /// A file with its answers renewed, and what changed.
  package struct Blessing: Sendable, Hashable {
    /// The file with the new answers.
    package var file: CorpusFile
    /// The addresses of the cases whose answers changed.
    package var changed: [String]
    /// The changes as a unified diff; empty if there are none.
    package var diff: String
  }

  /// The reason why answers are not renewed.
  package enum BlessRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The environment has `CI=true`: a machine must not decide what is right.
    case continuousIntegration

    /// The sentence for people.
    package var description: String {
      "answers are not blessed when CI=true: run this on your own machine and review the diff"
    }
  }

  /// Replaces the answers that differ from those of `evaluator`.
  ///
  /// Only answer lines change; comments, order and questions stay, as do skipped cases and cases
  /// that need what the engine does not offer. Nothing is written; and a caller that writes the
  /// file must not report success, so a run that blessed is never taken for one that passed.
  ///
  /// - Parameter environment: The environment variables, of which `CI` is read.
  /// - Throws: ``BlessRefusal`` when `CI` is `true`.
  package func blessed(
    by evaluator: any CaseEvaluator, environment: [String: String]
  ) throws(BlessRefusal) -> Blessing {
    guard environment["CI"]?.lowercased() != "true" else { throw .continuousIntegration }
    var file = self
    var changed: [String] = []
    var edits: [LineEdit] = []
    var line = 0
    for (index, item) in items.enumerated() {
      guard case .entry(var entry) = item else {
        line += item.lineCount
        continue
      }
      let answerStart = line + entry.questionLines.count
      line += entry.lines.count
      guard entry.skipReason == nil, entry.needs.allSatisfy(evaluator.offers) else { continue }
      let outcome = evaluator.evaluate(entry.request)
      guard !entry.expectation.isMet(by: outcome, dialect: dialect) else { continue }
      let expectation = outcome.expectation(replacing: entry.expectation)
      let ending = entry.answerLines.first?.utf8.last == 0x0D ? "\r" : ""
      let answerLines = expectation.answerLines.map { $0 + ending }
      edits.append(
        LineEdit(
          range: answerStart..<answerStart + entry.answerLines.count, replacement: answerLines))
      entry.answerLines = answerLines
      entry.expectation = expectation
      file.items[index] = .entry(entry)
      changed.append("\(address)#\(entry.name)")
    }
    return Blessing(
      file: file, changed: changed, diff: LineEdit.unifiedDiff(of: self, edits: edits))
  }
}

extension CorpusFile.Item {
  fileprivate var lineCount: Int {
    switch self {
    case .line: 1
    case .context(let context): context.lines.count
    case .entry(let entry): entry.lines.count
    }
  }
}

extension CaseOutcome {
  /// The outcome as an expectation that is as precise as `old`.
  func expectation(replacing old: Expectation) -> Expectation {
    switch answer {
    case .value(let value):
      if case .value(_, .some) = old { return .value(value, type: type) }
      return .value(value, type: nil)
    case .checked: return .type(type ?? "dyn")
    case .error(var error):
      switch old {
      case .error(let wanted):
        // The parts that the author left out stay out.
        if wanted.rendered == nil { error.rendered = nil }
        if wanted.line == nil { (error.line, error.column) = (nil, nil) }
        if wanted.message.isEmpty { error.message = "" }
        return .error(error)
      default:
        error.rendered = nil
        guard error.id != nil else { return .anyError(advice: error.message) }
        return .error(error)
      }
    }
  }
}

/// The replacement of some lines of a file.
struct LineEdit {
  /// The lines replaced, counted from 0.
  let range: Range<Int>
  /// The lines that take their place.
  let replacement: [String]

  /// The edits, which are in order and apart, as a unified diff with three lines of context.
  static func unifiedDiff(of file: CorpusFile, edits: [LineEdit]) -> String {
    guard !edits.isEmpty else { return "" }
    let lines = file.text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    var output = ["--- \(file.path)", "+++ \(file.path)"]
    var growth = 0
    var index = 0
    while index < edits.count {
      var last = index
      // Edits whose contexts touch share a hunk.
      while last + 1 < edits.count,
        edits[last + 1].range.lowerBound - edits[last].range.upperBound <= 6
      {
        last += 1
      }
      let group = edits[index...last]
      let start = max(0, edits[index].range.lowerBound - 3)
      let end = min(lines.count, edits[last].range.upperBound + 3)
      let added = group.reduce(0) { $0 + $1.replacement.count - $1.range.count }
      output.append(
        "@@ -\(start + 1),\(end - start) +\(start + 1 + growth),\(end - start + added) @@")
      var position = start
      for edit in group {
        output += lines[position..<edit.range.lowerBound].map { " \($0)" }
        output += lines[edit.range].map { "-\($0)" }
        output += edit.replacement.map { "+\($0)" }
        position = edit.range.upperBound
      }
      output += lines[position..<end].map { " \($0)" }
      growth += added
      index = last + 1
    }
    return output.joined(separator: "\n") + "\n"
  }
}
