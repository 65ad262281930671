#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs suites as the command line asked and prints what they gave.
package struct Runner {
  private let options: Options
  private let suites: [any Suite]

  /// Chooses the suites.
  ///
  /// - Throws: `OptionsError` when one that was asked for does not exist.
  package init(options: Options, suites: [any Suite]) throws(OptionsError) {
    for name in options.suites where !suites.contains(where: { $0.name == name }) {
      let known = suites.map(\.name).joined(separator: ", ")
      throw OptionsError(description: "there is no suite \(name); there are \(known)")
    }
    self.options = options
    self.suites = suites.filter { options.suites.isEmpty || options.suites.contains($0.name) }
  }

  /// Does what was asked; prints to standard output.
  package func run() throws {
    if options.list {
      for suite in suites { print("\(suite.name): \(suite.summary)") }
    } else if options.mallocs {
      try printMallocs()
    } else if options.instructions {
      try markAllInstructions()
    } else {
      try printTimes()
    }
  }

  private func rows(of suite: any Suite, keepingBaseline: Bool) throws -> [BenchmarkCase] {
    try suite.cases(filters: options.filters).compactMap { row in
      let subjects = row.subjects.filter { subject in
        options.subjects.isEmpty || options.subjects.contains(subject.name)
          || (keepingBaseline && subject.name == suite.baseline)
      }
      return subjects.isEmpty ? nil : BenchmarkCase(name: row.name, subjects: subjects)
    }
  }

  private func printTimes() throws {
    let method = Method(
      batchNanoseconds: options.batchMilliseconds * 1e6, rounds: options.rounds)
    var report = Report(machine: .current(), method: method)
    for suite in suites {
      var measured: [(name: String, cells: [Measurement])] = []
      for row in try rows(of: suite, keepingBaseline: true) {
        measured.append((row.name, try measure(row, baseline: suite.baseline, method: method)))
      }
      report.append(suite, rows: measured)
      if !options.json, let table = report.suites.last {
        print("## \(table.name)\n\n\(table.markdown)\n")
      }
    }
    if options.json { print(try report.json()) }
  }

  private func printMallocs() throws {
    var counts: [String: [String: [String: Double?]]] = [:]
    for suite in suites {
      for row in try rows(of: suite, keepingBaseline: false) {
        for subject in row.subjects {
          counts[suite.name, default: [:]][row.name, default: [:]][subject.name] =
            .some(countMallocs(subject))
        }
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(counts), as: UTF8.self))
  }

  private func markAllInstructions() throws {
    for suite in suites {
      for row in try rows(of: suite, keepingBaseline: false) {
        for subject in row.subjects {
          guard markInstructions(subject, in: row, iterations: 500) else {
            throw OptionsError(
              description: "--instructions needs a run under callgrind: see instructions/check")
          }
        }
      }
    }
  }
}
