import AudienceFilters
import AudienceTable
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import Measuring

// `swexpr bench --workload`: many filters over many contexts.

extension Bench {
  /// Measures the workload in a folder and prints the figures.
  func measure(workloadIn folder: String) throws {
    let workload = try Workload(folder: folder)
    let stopwatch = WorkloadStopwatch(
      workload: workload, environment: dialect.environment, rounds: rounds)
    var bar = ProgressBar("bench")
    var done = 0
    let measurement: WorkloadMeasurement
    do throws(WorkloadError) {
      measurement = try stopwatch.measure { name in
        bar.update(done, of: 8, note: name)
        done += 1
      }
    } catch {
      bar.finish()
      let number = error.index + 1
      let name = "\(workload.filterPath) (filter \(number))"
      diagnostics.report(
        error.error.diagnostics, in: SourceText(workload.filters[error.index], name: name))
      Output.error("error: \(workload.filterPath): filter \(number) does not compile")
      throw ExitStatus.no
    }
    bar.finish()
    let shown =
      json
      ? Self.document(workload, measurement) : Self.table(workload, measurement)
    json ? Output.line(shown) : Output.write(shown)
    if !Self.agrees(measurement) { throw ExitStatus.no }
  }

  /// Returns whether the sets find as many matches as the filters one by one.
  private static func agrees(_ measurement: WorkloadMeasurement) -> Bool {
    var agrees = true
    for (single, together) in [("each20", "set20"), ("each200", "set200"), ("once", "set_once")] {
      guard let wanted = measurement.matches(single), let got = measurement.matches(together),
        wanted != got
      else { continue }
      Output.error("error: \(together) finds \(got) matches, \(single) finds \(wanted)")
      agrees = false
    }
    return agrees
  }

  private static let units = [
    "each20": "20 filters one by one, all contexts",
    "each200": "200 filters one by one, all contexts",
    "once": "all filters one by one, one context", "set20": "a set of 20 filters, all contexts",
    "set200": "a set of 200 filters, all contexts", "set_once": "a set of all filters, one context",
    "context_json": "per context from JSON; its attributes", "load": "texts to a set",
    "build": "texts to a set in use", "insert": "per filter inserted into the set",
    "remove": "per filter removed from the set",
  ]

  private static func table(_ workload: Workload, _ measurement: WorkloadMeasurement) -> String {
    var table = TextTable([
      ("figure", .left), ("ns per filter", .right), ("matches", .right), ("", .left),
    ])
    for figure in measurement.figures {
      table.add([
        figure.name, figure.nanoseconds.text(places: figure.nanoseconds < 10 ? 2 : 1),
        figure.matches.map(String.init) ?? "–", units[figure.name] ?? "",
      ])
    }
    if let bytes = measurement.bytes {
      table.add(["bytes", bytes.text(places: 0), "–", "bytes of memory per filter of the set"])
    }
    var text = "\(workload.filters.count) filters, \(workload.contexts.count) contexts\n\n"
    text += table.text
    if let first = measurement.firstEvents {
      text += "\nmatches of the first events: "
      text += first.map(String.init).joined(separator: " ") + "\n"
    }
    return text
  }

  private static func document(
    _ workload: Workload, _ measurement: WorkloadMeasurement
  ) -> String {
    JSONWriter.document(pretty: true) { writer in
      writer.member("filters", workload.filters.count)
      writer.member("contexts", workload.contexts.count)
      for figure in measurement.figures {
        writer.member(figure.name) { writer in
          writer.member("ns", figure.nanoseconds)
          writer.member("matches", figure.matches)
        }
      }
      writer.member("bytes", measurement.bytes)
      if let first = measurement.firstEvents {
        writer.member("first20", first) { $0.int(Int64($1)) }
      }
    }
  }
}
