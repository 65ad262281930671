import ArgumentParser
import AudienceFilters
import AudienceTable
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import Measuring

/// `swexpr bench`: measures the cost of an evaluation.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what evaluating and compiling filters costs: time and allocations.",
    discussion: """
      Measures a few filters closely, or a workload as an app has it.

        swexpr bench --filters benchmarks/Data/filters.json
        swexpr bench --workload benchmarks/.build-workloads/app-7
        swexpr bench --workload be-100000 --rounds 3 --json

      FILE is a JSON list [{"name", "expression", "context", "expected"}], or {"context", \
      "filters"} with one context for all. Each filter is compiled once and evaluated in \
      calibrated batches; the median and the fastest batch are shown. With --json, one document: \
      {"filters": [{"name", "ns_median", "ns_min", "mallocs" (null where they cannot be counted), \
      "compile_us", "result"}]}.

      FOLDER holds filters.json ([{"swexpr": FILTER}]) and contexts.jsonl (a context a line), or \
      filters.txt (a filter a line) and events.jsonl. Each context meets many filters. With \
      --json, one document whose members are {"ns", "matches"}, medians of processor time in \
      nanoseconds:

        each20, each200    the first 20 or 200 filters, one by one, over all contexts; per \
        evaluation
        once               all filters, one by one, over one context; per filter
        set20, set200      the same as each20 and each200 with a set of filters
        set_once           a set of all filters over one context, or over each event; per filter
        context_json       a context from a line of JSON; per context
        load               all filters from their texts to a set; per filter
        build              texts to a set that has met two contexts; per filter

      "matches" counts the matches over all contexts, for once and set_once those of the first \
      context; for context_json the attributes of all contexts, for load the filters. "bytes" is \
      the heap that the set takes per filter (null where it cannot be measured), \
      "first20" the matches of each of the first 20 events. Figures that need more filters than \
      there are, and those of single filters beyond 20,000, are left out.

      Exit codes: 0 done, 1 a filter does not compile or does not give the expected result, 2 the \
      files cannot be read.
      """)

  @Option(help: ArgumentHelp("The filters to measure.", valueName: "file"))
  var filters: String?

  @Option(help: ArgumentHelp("The folder of a workload to measure.", valueName: "folder"))
  var workload: String?

  @OptionGroup var dialect: DialectOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Option(
    help: """
      The number of timed rounds: 101 batches of each filter unless given; of a workload 9 over \
      all contexts and 21 over one.
      """)
  var rounds: Int?

  @Option(
    help: ArgumentHelp(
      "The duration of a batch of --filters, in microseconds.", valueName: "microseconds"))
  var batch = 1000.0

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard (filters == nil) != (workload == nil) else {
      throw ValidationError("give either --filters with a file or --workload with a folder")
    }
    guard (1...100_000).contains(rounds ?? 1) else {
      throw ValidationError("--rounds must be between 1 and 100000")
    }
    guard batch > 0, batch <= 1e7 else {
      throw ValidationError("--batch must be between 0 and 10000000 microseconds")
    }
  }

  func run() throws {
    #if DEBUG
      Output.error("note: this is a debug build; measure with `swift build -c release`")
    #endif
    if let filters { try measure(filters: filters) }
    if let workload { try measure(workloadIn: workload) }
  }

  private func measure(filters path: String) throws {
    let list = try MeasuredFilter.read(path)
    var rows: [(filter: MeasuredFilter, measurement: FilterMeasurement)] = []
    var isClean = true
    var bar = ProgressBar("bench")
    for (index, filter) in list.enumerated() {
      bar.update(index, of: list.count, note: filter.name)
      do throws(FilterError) {
        let measurement = try Stopwatch.measure(
          filter.expression, dialect.environment, Context(variables: filter.context),
          rounds: rounds ?? 101, batch: batch * 1000)
        rows.append((filter, measurement))
        if !Self.isExpected(measurement, filter) { isClean = false }
      } catch {
        bar.finish()
        diagnostics.report(error.diagnostics, in: SourceText(filter.expression, name: filter.name))
        isClean = false
      }
    }
    bar.finish()
    json ? Output.line(Self.document(rows)) : Output.write(Self.table(rows))
    if !isClean { throw ExitStatus.no }
  }

  private static func isExpected(
    _ measurement: FilterMeasurement, _ filter: MeasuredFilter
  ) -> Bool {
    guard let expected = filter.expected else { return true }
    guard case .success(let value) = measurement.result else { return false }
    return value == expected
  }

  private static func table(
    _ rows: [(filter: MeasuredFilter, measurement: FilterMeasurement)]
  ) -> String {
    var table = TextTable([
      ("filter", .left), ("ns median", .right), ("ns min", .right), ("mallocs", .right),
      ("compile µs", .right), ("result", .left), ("", .left),
    ])
    for (filter, measurement) in rows {
      let result =
        switch measurement.result {
        case .success(let value): value.literal
        case .failure(let error): "error \(error.diagnostic.id.rawValue)"
        }
      let verdict =
        isExpected(measurement, filter)
        ? (filter.expected == nil ? "" : "as expected")
        : "NOT EXPECTED, want \(filter.expected?.literal ?? "")"
      table.add([
        filter.name, measurement.median.text(places: 1), measurement.minimum.text(places: 1),
        measurement.mallocs.map { $0.text(places: $0 == $0.rounded() ? 0 : 2) } ?? "–",
        measurement.compile.text(places: 2), String(result.prefix(40)), verdict,
      ])
    }
    return table.text
  }

  private static func document(
    _ rows: [(filter: MeasuredFilter, measurement: FilterMeasurement)]
  ) -> String {
    JSONWriter.document(pretty: true) { writer in
      writer.member("filters", rows) { writer, row in
        let (filter, measurement) = row
        writer.object { writer in
          writer.member("name", filter.name)
          writer.member("ns_median", measurement.median)
          writer.member("ns_min", measurement.minimum)
          writer.member("mallocs", measurement.mallocs)
          writer.member("compile_us", measurement.compile)
          switch measurement.result {
          case .success(let value): writer.member("result", value: value)
          case .failure(let error):
            writer.member("result") { $0.member("error", error.diagnostic.id.rawValue) }
          }
        }
      }
    }
  }
}
