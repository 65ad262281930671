import ExpressionEngine
import ExpressionSyntax
import FilterCorpus
import FilterSQL

/// The three answers of a filter for a row.
enum FilterAnswer: Character {
  case match = "1"
  case noMatch = "0"
  case failure = "n"

  init(_ filter: Filter, _ context: Context) {
    do throws(EvaluationError) {
      self = try filter.evaluate(context) == .bool(true) ? .match : .noMatch
    } catch {
      self = .failure
    }
  }
}

/// What comparing a database with the engine came to.
struct DifferentialReport {
  /// Of the cases of one file.
  struct Count {
    /// Filters that compile.
    var cases = 0
    /// Those that SQL was made for.
    var accepted = 0
    /// Of those, the ones whose answer differs from row to row.
    var varied = 0
    /// Answers compared.
    var answers = 0
  }

  var files: [String: Count] = [:]
  var refusals: [String: Int] = [:]
  var refusedCases: [String: [String]] = [:]
  var disagreements: [String] = []
  var errors: [String] = []
}

/// Evaluates cases over rows in a database, and compares with the engine.
struct DifferentialRun {
  let dialect: SQLDialect.Name
  let form: ContextTable.Form
  let process: SQLProcess
  var rowCount = 24
  /// Changes the SQL before it is run: a fault that the comparison has to find.
  var fault: (@Sendable (String) -> String)?
  /// Whether each query is one filter, to find the one that an engine rejects.
  static let filtersPerQuery = 60

  private struct Prepared {
    var file: String
    var id: String
    var text: String
    var filter: Filter
    var answer: String
  }

  func run(_ cases: [(file: String, item: ConformanceCase)]) -> DifferentialReport {
    var report = DifferentialReport()
    // Cases that differ in nothing but their question share their rows.
    var groups: [CaseRequest: [(file: String, item: ConformanceCase)]] = [:]
    var order: [CaseRequest] = []
    for (file, item) in cases {
      guard case .expression = item.request.question,
        item.request.flags.isDisjoint(with: [.checksOnly, .lints])
      else { continue }
      var setting = item.request
      setting.question = .expression("")
      setting.flags = setting.flags.intersection(.disablesMacros)
      if groups[setting] == nil { order.append(setting) }
      groups[setting, default: []].append((file, item))
    }
    for setting in order { run(groups[setting] ?? [], setting, &report) }
    return report
  }

  private func run(
    _ group: [(file: String, item: ConformanceCase)], _ setting: CaseRequest,
    _ report: inout DifferentialReport
  ) {
    let environment = setting.environment
    var compiled: [(file: String, id: String, text: String, filter: Filter)] = []
    var pool: [Value] = []
    for (file, item) in group {
      let text = item.request.question.text
      guard let filter = try? Filter(text, environment: environment) else { continue }
      report.files[file, default: .init()].cases += 1
      compiled.append((file, item.id, text, filter))
      if let lowered = try? LoweredExpression(SourceText(text), environment: environment) {
        for case .constant(let value) in lowered.nodes.map(\.kind) { pool.append(value) }
      }
    }
    guard !compiled.isEmpty else { return }
    let table: ContextTable
    do throws(ContextTable.Unrepresentable) {
      var variation = ContextVariation(seed: UInt64(compiled.count), pool: pool)
      let contexts = variation.contexts(like: [setting.variables], count: rowCount)
      table = try ContextTable(contexts, form: form, dialect: dialect)
    } catch {
      for one in compiled { refuse(one.id, "rows: \(error.description)", &report) }
      return
    }
    var prepared: [Prepared] = []
    for one in compiled {
      do throws(SQLFilterError) {
        let sql = try SQLFilter(
          one.text, environment: environment, schema: table.schema, dialect: .named(dialect),
          hostAnswers: { table, name, arguments in
            Self.hostAnswer(environment, table, name, arguments)
          })
        prepared.append(
          Prepared(
            file: one.file, id: one.id, text: one.text, filter: one.filter,
            answer: fault.map { $0(sql.answer) } ?? sql.answer))
      } catch {
        if case .refused(let refusal) = error {
          refuse(one.id, "\(refusal.reason.rawValue): \(refusal.message)", &report)
        } else {
          report.errors.append("\(one.id): \(error)")
        }
      }
    }
    let contexts = table.rows.map { Context(variables: $0) }
    var isFirst = true
    for start in stride(from: 0, to: prepared.count, by: Self.filtersPerQuery) {
      let batch = Array(prepared[start..<min(start + Self.filtersPerQuery, prepared.count)])
      compare(batch, table, contexts, setup: isFirst ? table.setup : [], &report)
      isFirst = false
    }
  }

  private static func hostAnswer(
    _ environment: FilterEnvironment, _ table: String, _ name: String, _ arguments: [Value]
  ) -> Value? {
    let functions =
      table == "device" ? environment.deviceFunctions : environment.computedFunctions
    return functions[name].flatMap { try? $0(arguments, nil) }
  }

  private func refuse(_ id: String, _ reason: String, _ report: inout DifferentialReport) {
    report.refusals[reason, default: 0] += 1
    report.refusedCases[reason, default: []].append(id)
  }

  private func compare(
    _ batch: [Prepared], _ table: ContextTable, _ contexts: [Context], setup: [String],
    _ report: inout DifferentialReport
  ) {
    let rows: [String]
    switch process.rows(setup: setup, query: table.query(batch.map(\.answer))) {
    case .success(let answers): rows = answers
    case .failure(let error):
      if batch.count > 1 {
        // One of them is at fault.
        for (index, one) in batch.enumerated() {
          compare([one], table, contexts, setup: index == 0 ? setup : [], &report)
        }
      } else {
        report.errors.append(
          "\(batch[0].id): \(batch[0].text)\n    \(error.text)\n    \(batch[0].answer.prefix(1500))"
        )
      }
      return
    }
    guard rows.count == contexts.count else {
      report.errors.append("\(batch[0].id): \(rows.count) rows of \(contexts.count)")
      return
    }
    let cells = rows.map { Array($0) }
    for (column, one) in batch.enumerated() {
      var seen: Set<FilterAnswer> = []
      for (index, context) in contexts.enumerated() {
        let wanted = FilterAnswer(one.filter, context)
        seen.insert(wanted)
        let got = cells[index].indices.contains(column) ? cells[index][column] : "?"
        if got != wanted.rawValue {
          report.disagreements.append(
            "\(one.id): \(one.text)\n    row \(index): got \(got) want \(wanted.rawValue) in "
              + "\(Value.map(Dictionary(table.rows[index].map { (.string($0.key), $0.value) }) { $1 }).literal.prefix(700))\n    \(one.answer.prefix(1200))"
          )
          break
        }
      }
      report.files[one.file, default: .init()].accepted += 1
      report.files[one.file, default: .init()].answers += contexts.count
      if seen.count > 1 { report.files[one.file, default: .init()].varied += 1 }
    }
  }
}
