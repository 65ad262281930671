import FloorSubjects
import Harness

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Everything happens here and not at top level, which is isolated to the main actor: closures made
/// there pay for an executor check at every call.
nonisolated func run() throws {
  let options = try Options(CommandLine.arguments.dropFirst())
  if options.help {
    print(Options.usage)
    return
  }
  let file = options.data ?? defaultDataFile()
  let data = try Data(contentsOf: URL(filePath: file))
  let cases = try FilterCases(json: data)
  let engine = EngineSubjects(cases)
  if options.memory {
    var bytes: [String: Double?] = [:]
    for filter in try cases.cases(named: options.filters) {
      bytes[filter.name] = .some(try engine.compiledBytes(filter.expression))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(bytes), as: UTF8.self))
    return
  }
  let floors = try FloorSubjects(cases, data: data)
  let suites: [any Suite] = [
    EvaluateSuite(data: cases, floors: floors, engine: engine),
    CompileSuite(data: cases, engine: engine),
    FreezeSuite(data: cases, engine: engine),
    HostCallSuite(engine: engine),
    ManyFiltersSuite(engine: engine),
    ManyContextsSuite(data: cases, engine: engine),
    MatcherSuite(sample: try MatcherSubjects(folder: sampleCampaign())),
  ]
  try Runner(options: options, suites: suites).run()
}

/// `Data/filters.json` of the package this was built from.
nonisolated func defaultDataFile() -> String {
  var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
  parts += ["Data", "filters.json"]
  return parts.joined(separator: "/")
}

/// `corpus/campaigns/sample` of the repository this was built from.
nonisolated func sampleCampaign() -> URL {
  var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
  parts += ["corpus", "campaigns", "sample"]
  return URL(filePath: parts.joined(separator: "/"))
}

do {
  try run()
} catch {
  let message = Array("swexpr-benchmarks: \(error)\n".utf8)
  _ = write(STDERR_FILENO, message, message.count)
  exit(2)
}
