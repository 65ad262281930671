/// The results of comparing a database with the engine.
struct DifferentialReport {
  /// Numbers of the filters of one file.
  struct Count {
    /// Filters that compile.
    var filters = 0
    /// Those that SQL was made for.
    var accepted = 0
    /// Of those, the ones whose answer differs from row to row. The others show little.
    var varied = 0
    /// Answers compared.
    var answers = 0

    static func + (left: Count, right: Count) -> Count {
      Count(
        filters: left.filters + right.filters, accepted: left.accepted + right.accepted,
        varied: left.varied + right.varied, answers: left.answers + right.answers)
    }

    /// The accepted filters of a hundred, rounded down.
    var percentage: Int { filters == 0 ? 100 : accepted * 100 / filters }
  }

  var files: [String: Count] = [:]
  /// The refusals by their sentences.
  var refusals: [String: [String]] = [:]
  /// The filters of each reason.
  var reasons: [String: Int] = [:]
  /// Answers that are not the engine's.
  var disagreements: [String] = []
  /// Queries that the database does not run, and filters that are no filters.
  var errors: [String] = []

  /// The numbers of all files whose names start in some way.
  func total(_ prefix: String = "") -> Count {
    files.filter { $0.key.hasPrefix(prefix) }.values.reduce(Count(), +)
  }

  /// The numbers as a line for the log of a test.
  var summary: String {
    let all = total()
    return "\(all.filters) filters, \(all.accepted) accepted (\(all.percentage) %), \(all.varied) "
      + "with answers that differ, \(all.answers) answers, \(disagreements.count) disagreements"
  }
}
