import ArgumentParser
import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// `swexpr bench`: what an evaluation costs.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what evaluating and compiling filters costs: time and allocations.",
    discussion: """
      FILE is a JSON list [{"name", "expression", "context", "expected"}], or {"context", "filters"} \
      with one context for all.

        swexpr bench --filters benchmarks/Data/filters.json

      Each filter is compiled once and evaluated in calibrated batches; the median and the fastest \
      batch are shown. With --json, one document: {"filters": [{"name", "ns_median", "ns_min", \
      "mallocs" (null where they cannot be counted), "compile_us", "result"}]}. Exit codes: 0 done, \
      1 a filter does not compile or does not answer what is expected, 2 the file cannot be read.
      """)

  @Option(help: ArgumentHelp("The filters to measure.", valueName: "file"))
  var filters: String

  @OptionGroup var dialect: DialectOptions
  @OptionGroup var diagnostics: DiagnosticOptions

  @Option(help: "How many batches of each filter are timed.")
  var rounds = 101

  @Option(help: ArgumentHelp("How long a batch takes, in microseconds.", valueName: "microseconds"))
  var batch = 1000.0

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    guard rounds > 0, rounds <= 100_000 else {
      throw ValidationError("--rounds must be between 1 and 100000")
    }
    guard batch > 0, batch <= 1e7 else {
      throw ValidationError("--batch must be between 0 and 10000000 microseconds")
    }
  }

  func run() throws {
    let list = try MeasuredFilter.read(filters)
    #if DEBUG
      Output.error("note: this is a debug build; measure with `swift build -c release`")
    #endif
    var rows: [(filter: MeasuredFilter, measurement: FilterMeasurement)] = []
    var isClean = true
    var bar = ProgressBar("bench")
    for (index, filter) in list.enumerated() {
      bar.update(index, of: list.count, note: filter.name)
      do throws(FilterError) {
        let measurement = try Stopwatch.measure(
          filter.expression, dialect.environment, Context(variables: filter.context),
          rounds: rounds, batch: batch * 1000)
        rows.append((filter, measurement))
        if !Self.isExpected(measurement, filter) { isClean = false }
      } catch {
        bar.finish()
        diagnostics.report(error.diagnostics, in: Source(filter.expression, name: filter.name))
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
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.key("filters")
    writer.beginArray()
    for (filter, measurement) in rows {
      writer.beginObject()
      writer.key("name")
      writer.string(filter.name)
      writer.key("ns_median")
      writer.double(measurement.median)
      writer.key("ns_min")
      writer.double(measurement.minimum)
      writer.key("mallocs")
      if let mallocs = measurement.mallocs { writer.double(mallocs) } else { writer.null() }
      writer.key("compile_us")
      writer.double(measurement.compile)
      writer.key("result")
      switch measurement.result {
      case .success(let value): value.writePlain(to: &writer)
      case .failure(let error):
        writer.beginObject()
        writer.key("error")
        writer.string(error.diagnostic.id.rawValue)
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.text
  }
}
