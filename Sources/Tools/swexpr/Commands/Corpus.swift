import ArgumentParser
import FilterCorpus

/// `swexpr corpus`: maintains the golden corpus.
struct Corpus: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Maintain the golden corpus: renew answers, import cases.",
    subcommands: [Bless.self, Import.self])
}

extension Corpus {
  /// `swexpr corpus bless`: records the engine's current results as the expected ones.
  struct Bless: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replace the answers that differ from the engine's, and show the difference.",
      discussion: """
        Blessing records. Read the difference and decide whether the new answers are right.

          swexpr corpus bless corpus/superscript/time.corpus
          swexpr corpus bless --dry-run corpus

        Only lines with answers change; skipped cases stay. It refuses under CI=true. Exit codes: \
        0 nothing changed, 1 answers changed, 2 a file cannot be read or written, or CI=true.
        """)

    @Argument(help: "Corpus files and folders of them.")
    var paths: [String]

    @Flag(help: "Show the diff and write nothing.")
    var dryRun = false

    func run() throws {
      var changed = 0
      for path in paths {
        do {
          for file in try CaseFile.files(at: path) { changed += try bless(file) }
        } catch let error as CaseFile.Failure {
          throw InputError(error.description)
        } catch let error as TextFile.Failure {
          throw InputError(error.description)
        } catch let error as CorpusError {
          throw InputError(error.description)
        } catch let error as CorpusFile.BlessRefusal {
          throw InputError(error.description)
        }
      }
      guard changed > 0 else { return Output.line("no answer changed") }
      Output.line(
        "\(changed) answer\(changed == 1 ? "" : "s") "
          + (dryRun ? "would change" : "changed: read the diff before you commit"))
      throw ExitStatus.no
    }

    private func bless(_ path: String) throws -> Int {
      let file = try CorpusFile(reading: TextFile.read(path), path: path)
      let variables = Output.environment("CI").map { ["CI": $0] } ?? [:]
      let blessing = try file.blessed(by: EngineEvaluator(), environment: variables)
      guard !blessing.changed.isEmpty else { return 0 }
      Output.write(blessing.diff)
      if !dryRun { try TextFile.write(blessing.file.text, to: path) }
      return blessing.changed.count
    }
  }

  /// `swexpr corpus import`: turns JSON Lines into readable files.
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Turn JSON Lines cases into readable corpus files, one a topic.",
      discussion: """
          swexpr corpus import cases.jsonl --into corpus/superscript

        Files that exist are replaced. Exit codes: 0 done, 2 a file cannot be read or written.
        """)

    @Argument(help: "JSON Lines files in the conformance formats.")
    var files: [String]

    @Option(help: ArgumentHelp("The folder, which must exist.", valueName: "folder"))
    var into: String

    func run() throws {
      do {
        let cases = try files.flatMap { try CaseFile.cases(at: $0) }
        for file in try CorpusImport.files(from: cases, folder: into) {
          try TextFile.write(file.text, to: file.path)
          Output.line("\(file.path): \(file.entries.count) cases")
        }
      } catch let error as CaseFile.Failure {
        throw InputError(error.description)
      } catch let error as TextFile.Failure {
        throw InputError(error.description)
      } catch let error as CorpusError {
        throw InputError(error.description)
      }
    }
  }
}
