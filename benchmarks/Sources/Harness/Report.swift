#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Everything one run measured, as it is printed.
package struct Report: Encodable, Sendable {
  /// One measured case.
  package struct Row: Encodable, Sendable {
    package let name: String
    package let subjects: [Cell]
  }

  /// One subject's figures in one case.
  package struct Cell: Encodable, Sendable {
    package let subject: String
    package let nsMedian: Double
    package let nsMin: Double
    package let ratio: Double?
    package let mallocs: Double?

    private enum CodingKeys: String, CodingKey {
      case subject
      case nsMedian = "ns_median"
      case nsMin = "ns_min"
      case ratio
      case mallocs
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(subject, forKey: .subject)
      try container.encode(nsMedian, forKey: .nsMedian)
      try container.encode(nsMin, forKey: .nsMin)
      // Absent figures are written as null, so that every cell has the same members.
      try container.encode(ratio, forKey: .ratio)
      try container.encode(mallocs, forKey: .mallocs)
    }
  }

  /// One measured suite.
  package struct Table: Encodable, Sendable {
    package let name: String
    package let summary: String
    package let baseline: String?
    package let cases: [Row]
    /// The geometric mean of each subject's ratios, over the cases that have the subject.
    package let geometricMeans: [String: Double]

    private enum CodingKeys: String, CodingKey {
      case name
      case summary
      case baseline
      case cases
      case geometricMeans = "geometric_means"
    }
  }

  package let machine: Machine
  package let rounds: Int
  package let batchMilliseconds: Double
  package var suites: [Table] = []

  private enum CodingKeys: String, CodingKey {
    case machine
    case rounds
    case batchMilliseconds = "batch_ms"
    case suites
  }

  package init(machine: Machine, method: Method) {
    self.machine = machine
    self.rounds = method.rounds
    self.batchMilliseconds = method.batchNanoseconds / 1e6
  }

  /// Adds a suite's figures.
  package mutating func append(_ suite: any Suite, rows: [(name: String, cells: [Measurement])]) {
    var ratios: [String: [Double]] = [:]
    for cell in rows.flatMap(\.cells) {
      if let ratio = cell.ratio { ratios[cell.subject, default: []].append(ratio) }
    }
    suites.append(
      Table(
        name: suite.name, summary: suite.summary, baseline: suite.baseline,
        cases: rows.map { row in
          Row(
            name: row.name,
            subjects: row.cells.map {
              Cell(
                subject: $0.subject, nsMedian: $0.medianNanoseconds, nsMin: $0.minimumNanoseconds,
                ratio: $0.ratio, mallocs: $0.mallocs)
            })
        },
        geometricMeans: ratios.compactMapValues(geometricMean)))
  }

  /// The report as one JSON document.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
