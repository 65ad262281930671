import ArgumentParser
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterCorpus

/// `swexpr conform`: runs the corpus cases.
struct Conform: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run conformance cases and count.",
    discussion: """
      Takes *.corpus files, JSON Lines files in the conformance formats, folders of campaign cases \
      (steps.txt with its configs, see corpus/campaigns/README.md), and folders of all of them.

        swexpr conform corpus
        swexpr conform --verbose corpus/superscript/time.corpus
        swexpr conform --verbose corpus/campaigns/limit-window
        swexpr conform --json conformance/superscript-open.jsonl

      Each case is evaluated in every way that the engine has: by the machine alone, by evaluate \
      and matches, as a set of one filter, in a batch of contexts, and in a set with the other \
      cases of the same context. A path with another result fails the case, and `got` names it.

      The last line is `N passed, M failed, K skipped`; above it each reason for skipping with its \
      count, and with --verbose each failure as `id: got … want …`. With --json, one document: \
      {"passed", "failed", "skipped", "failures": [{"id", "expression", "got", "want"}]}. Exit \
      codes: 0 no case failed, 1 some did, 2 a file cannot be read.
      """)

  @Argument(help: "Files and folders of cases.")
  var files: [String] = []

  @Option(help: "Run only the cases of this dialect.")
  var dialect: Dialect.Name?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Compile filters without an optimization, or without `all`.",
      discussion: Optimizations.named.map(\.name).joined(separator: ", "), valueName: "pass",
      visibility: .hidden))
  var without: [String] = []

  @Flag(help: ArgumentHelp("List the optimizations.", visibility: .hidden))
  var passes = false

  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(name: [.short, .long], help: "List the failures.")
  var verbose = false

  func validate() throws {
    if files.isEmpty, !passes { throw ValidationError("Missing expected argument '<files> ...'") }
  }

  func run() async throws {
    if passes {
      for (name, _) in Optimizations.named { Output.line(name) }
      return
    }
    var cases: [ConformanceCase] = []
    var stories: [CampaignCaseFile] = []
    for file in files {
      do throws(CaseFile.Failure) {
        cases += try CaseFile.cases(at: file)
      } catch {
        throw InputError(error.description)
      }
      stories += try CampaignCaseFile.all(in: file)
    }
    if let dialect {
      cases.removeAll { $0.request.dialect != dialect }
      // The filters of campaigns are written in superscript.
      if dialect != .superscript { stories = [] }
    }
    var report = await Self.report(on: cases, try optimizations())
    for story in stories { report.append(try story.report()) }
    if json {
      Output.line(report.jsonText())
    } else {
      if verbose { for failure in report.failures { Output.line(failure.line) } }
      for line in report.skipLines { Output.line(line) }
      Output.line(report.summary)
    }
    if report.failed > 0 { throw ExitStatus.no }
  }

  /// The passes that are left.
  private func optimizations() throws -> Optimizations {
    var result = Optimizations.all
    for name in without {
      guard
        let pass = name == "all"
          ? .all : Optimizations.named.first(where: { $0.name == name })?.pass
      else { throw ValidationError("there is no pass `\(name)`") }
      result.subtract(pass)
    }
    return result
  }

  private static func report(
    on cases: [ConformanceCase], _ optimizations: Optimizations
  ) async -> CorpusReport {
    var bar = ProgressBar("conform")
    let evaluator = EngineEvaluator(paths: EvaluationPath.all, optimizations: optimizations)
    let report = await CaseRunner(evaluator: evaluator).runConcurrently(cases) {
      bar.update($0.done, of: $0.total)
    }
    bar.finish()
    return report
  }
}
