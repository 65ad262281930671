import AudienceFilters
import ExpressionCoding
@_spi(Tools) import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// How often instructions, and sequences of them, occur in the compiled filters of the corpus and of the
// sample campaign. Fused instructions are chosen from these figures. Nothing else builds this.
//
//     swift run --package-path benchmarks -c release opcode-statistics [--rows N]

/// Counts of the sequences of one length.
struct SequenceCounts {
  let length: Int
  private(set) var counts: [String: Int] = [:]
  private(set) var total = 0

  init(length: Int) { self.length = length }

  mutating func add(_ opcodes: [String]) {
    guard opcodes.count >= length else { return }
    for start in 0...(opcodes.count - length) {
      counts[opcodes[start..<start + length].joined(separator: ", "), default: 0] += 1
      total += 1
    }
  }

  /// The most frequent ones, the first in the alphabet of equals.
  func top(_ rows: Int) -> [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(rows).map { $0 }
  }
}

/// Filters from one place, and what their instructions are.
struct Collection {
  let name: String
  private var filters = 0
  private var sequences = [1, 2, 3].map { SequenceCounts(length: $0) }

  init(name: String) { self.name = name }

  /// Compiles an expression and counts its instructions; what does not compile is left out.
  mutating func add(_ expression: String, _ environment: FilterEnvironment) {
    guard let filter = try? Filter(expression, environment: environment) else {
      return
    }
    filters += 1
    // The disassembly has an instruction a line: its number, its opcode, its operands. What stands behind
    // the return is the same in all filters: what becomes of failures.
    var opcodes: [String] = []
    for line in filter.disassembly.split(separator: "\n").dropFirst() {
      let columns = line.split(separator: " ", maxSplits: 2)
      guard columns.count >= 2, columns[0].allSatisfy(\.isNumber), columns[1] != "returnValue"
      else { break }
      opcodes.append(String(columns[1]))
    }
    for index in sequences.indices { sequences[index].add(opcodes) }
  }

  func print(rows: Int) {
    Swift.print("## \(name): \(filters) filters\n")
    for counts in sequences {
      Swift.print("| \(counts.length) in a row | times | share |\n| --- | ---: | ---: |")
      for (name, count) in counts.top(rows) {
        let share = Double(count * 1000 / max(counts.total, 1)) / 10
        Swift.print("| \(name) | \(count) | \(share) % |")
      }
      Swift.print()
    }
  }
}

/// The folder of the repository that this was built from.
nonisolated func repository() -> URL {
  let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
  return URL(filePath: parts.joined(separator: "/"))
}

/// The expressions in a campaign configuration, wherever they stand.
nonisolated func expressions(in value: Value) -> [String] {
  switch value {
  case .list(let elements): return elements.flatMap { expressions(in: $0) }
  case .map(let entries):
    return entries.flatMap { name, value -> [String] in
      if case .string(let text) = value,
        name == .string("expression_cel") || name == .string("expression")
      {
        return [text]
      }
      return expressions(in: value)
    }
  default: return []
  }
}

nonisolated func run() throws {
  var arguments = CommandLine.arguments.dropFirst()
  var rows = 12
  if arguments.popFirst() == "--rows", let count = arguments.popFirst().flatMap({ Int($0) }) {
    rows = max(1, count)
  }
  let root = repository()
  let answer: FilterEnvironment.HostFunction = { _, _ in .null }

  var campaign = Collection(name: "sample campaign")
  let environment = FilterEnvironment(
    deviceFunctions: Dictionary(
      uniqueKeysWithValues: [
        "daysSince", "hoursSince", "minutesSince", "monthsSince", "placementsInHour",
        "placementsInDay", "placementsInWeek", "placementsInMonth", "placementsSinceInstall",
      ].map { ($0, answer) }))
  let config = try Data(contentsOf: root.appending(path: "corpus/campaigns/sample/config.json"))
  for text in expressions(in: try Value(json: String(decoding: config, as: UTF8.self))).sorted() {
    campaign.add(text, environment)
  }
  campaign.print(rows: rows)

  var corpus = Collection(name: "superscript corpus")
  let folder = root.appending(path: "corpus/superscript")
  let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
  for name in files.sorted() where name.hasSuffix(".corpus") {
    let data = try Data(contentsOf: folder.appending(path: name))
    let file = try CorpusFile(reading: String(decoding: data, as: UTF8.self), path: name)
    for entry in file.entries {
      guard case .expression(let text) = entry.request.question else { continue }
      corpus.add(
        text,
        FilterEnvironment(
          deviceFunctions: entry.request.deviceFunctions.mapValues { _ in answer },
          computedFunctions: entry.request.computedFunctions.mapValues { _ in answer }))
    }
  }
  corpus.print(rows: rows)
}

do {
  try run()
} catch {
  print("opcode-statistics: \(error)")
}
