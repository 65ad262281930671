import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterSQL

/// Translates filters for an engine, evaluates them over rows, and compares the answers with the
/// engine's.
struct DifferentialRun {
  let dialect: SQLDialect.Name
  var form = ContextTable.Form.typed
  /// The number of rows for each group of filters.
  var rowCount = 12
  /// Changes the SQL before it is run: a fault that the comparison has to find.
  var fault: (@Sendable (String) -> String)?
  /// How many filters share a query.
  static let filtersPerQuery = 60

  /// A filter and its SQL.
  private struct Prepared {
    var item: DifferentialGroup.Item
    var sql: String
    /// The engine's answers for the rows.
    var answers: [FilterAnswer]
  }

  /// Evaluates filters, and reports what differs.
  ///
  /// - Parameter process: The database; without one, filters are translated, and nothing is
  ///   compared.
  func run(_ groups: [DifferentialGroup], in process: SQLProcess? = nil) -> DifferentialReport {
    var report = DifferentialReport()
    for group in groups { run(group, process, &report) }
    return report
  }

  private func run(
    _ group: DifferentialGroup, _ process: SQLProcess?, _ report: inout DifferentialReport
  ) {
    var compiled: [(item: DifferentialGroup.Item, filter: Filter)] = []
    var pool: [Value] = []
    for item in group.items {
      guard let filter = try? Filter(item.text, environment: group.environment) else { continue }
      report.files[item.file, default: .init()].filters += 1
      compiled.append((item, filter))
      if let lowered = try? LoweredExpression(
        SourceText(item.text), environment: group.environment)
      {
        for case .constant(let value) in lowered.nodes.map(\.kind) { pool.append(value) }
      }
    }
    guard !compiled.isEmpty else { return }
    var variation = ContextVariation(seed: UInt64(compiled.count), pool: pool)
    let table = ContextTable(
      variation.contexts(like: group.contexts, count: rowCount), form: form, dialect: dialect)
    let contexts = table.rows.map { Context(variables: $0).replacing(hostState: $0) }
    var prepared: [Prepared] = []
    for (item, filter) in compiled {
      do throws(SQLFilterError) {
        let sql = try SQLFilter(
          item.text, environment: group.environment, schema: table.schema,
          dialect: .named(dialect), hostAnswers: group.hostAnswer)
        let answers = contexts.map { FilterAnswer(filter, $0) }
        report.files[item.file, default: .init()].accepted += 1
        if Set(answers).count > 1 { report.files[item.file, default: .init()].varied += 1 }
        prepared.append(
          Prepared(item: item, sql: fault.map { $0(sql.answer) } ?? sql.answer, answers: answers))
      } catch {
        switch error {
        case .refused(let refusal):
          refuse(item, refusal.reason.rawValue, refusal.message, &report)
        case .invalid: report.errors.append("\(item.id): \(error)")
        }
      }
    }
    guard let process else { return }
    for start in stride(from: 0, to: prepared.count, by: Self.filtersPerQuery) {
      let batch = prepared[start..<min(start + Self.filtersPerQuery, prepared.count)]
      compare(batch, table, process, setup: start == 0 ? table.setup : [], &report)
    }
  }

  private func refuse(
    _ item: DifferentialGroup.Item, _ reason: String, _ message: String,
    _ report: inout DifferentialReport
  ) {
    report.refusals[message, default: []].append(item.id)
    report.reasons[reason, default: 0] += 1
  }

  private func compare(
    _ batch: ArraySlice<Prepared>, _ table: ContextTable, _ process: SQLProcess,
    setup: [String], _ report: inout DifferentialReport
  ) {
    let rows: [[Character]]
    switch process.rows(setup: setup, query: table.query(batch.map(\.sql))) {
    case .success(let answers): rows = answers.map(Array.init)
    case .failure(let error):
      guard let first = batch.first, batch.count > 1 else {
        report.errors += batch.map { "\($0.item.id): \($0.item.text)\n\(error.text)\n\($0.sql)" }
        return
      }
      // One of them is at fault.
      compare([first], table, process, setup: setup, &report)
      compare(batch.dropFirst(), table, process, setup: [], &report)
      return
    }
    for (column, one) in batch.enumerated() {
      guard rows.count == one.answers.count, rows.allSatisfy({ $0.count == batch.count }) else {
        report.errors.append("\(one.item.id): the database returned \(rows.count) rows")
        continue
      }
      report.files[one.item.file, default: .init()].answers += rows.count
      guard let wrong = rows.indices.first(where: { rows[$0][column] != one.answers[$0].rawValue })
      else { continue }
      report.disagreements.append(
        "\(one.item.id): \(one.item.text)\n\(rows[wrong][column]), not "
          + "\(one.answers[wrong].rawValue), in \(table.description(ofRow: wrong))\n"
          + "\(one.sql.prefix(1500))")
    }
  }
}
