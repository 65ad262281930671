import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import Measuring

// The commands that show how the engine compiles a filter.
extension Session {
  /// A stage of compiling a filter.
  enum Stage {
    case ast
    case ir
    case dis
  }

  /// `:ast`, `:ir`, `:dis`
  mutating func stageCommand(_ stage: Stage, _ argument: String) -> Reply {
    guard let text = filter(argument) else { return .missingFilter }
    let source = SourceText(text)
    do {
      switch stage {
      case .ast:
        return Reply(SyntaxDump.dump(try parse(source, dialect: .named(dialect))) + "\n")
      case .ir:
        return Reply(try Filter.intermediateText(of: source, environment: environment))
      case .dis:
        return Reply(try Filter(source, environment: environment).disassembly)
      }
    } catch let error as SyntaxError {
      return failure(error.diagnostics, in: source)
    } catch let error as FilterError {
      return failure(error.diagnostics, in: source)
    } catch {
      return .failure("\(error)")
    }
  }

  /// `:time [EXPR]`
  mutating func timeCommand(_ argument: String) -> Reply {
    guard let text = filter(argument) else { return .missingFilter }
    do throws(FilterError) {
      // About a twentieth of a second in total: long enough to be reliable, short enough to wait
      // for.
      let measured = try Stopwatch.measure(text, environment, context, rounds: 11, batch: 2e6)
      let answer =
        switch measured.result {
        case .success(let value): self.answer(value)
        case .failure(let error): "error \(error.diagnostic.id.rawValue)\n"
        }
      let allocations = measured.mallocs.map { count in
        ", \(count.text(places: count == count.rounded() ? 0 : 2)) allocations"
      }
      return Reply(
        answer + "\(measured.median.text(places: 1)) ns per evaluation (fastest "
          + "\(measured.minimum.text(places: 1)))\(allocations ?? ""); compiled in "
          + "\(measured.compile.text(places: 1)) µs\n")
    } catch {
      return failure(error.diagnostics, in: SourceText(text))
    }
  }

  /// `:dialect [NAME]`
  mutating func dialectCommand(_ argument: String) -> Reply {
    guard !argument.isEmpty else { return Reply("\(dialect.rawValue)\n") }
    guard let name = Dialect.Name(rawValue: argument.lowercased()) else {
      let all = Dialect.Name.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
      return .failure("there is no dialect `\(argument)`", help: "choose \(all)")
    }
    dialect = name
    return Reply("\(name.rawValue)\n")
  }
}

extension Session.Reply {
  /// The reply to a command that needs a filter when none has been entered.
  static let missingFilter = failure(
    "there is no filter yet", help: "write one after the command")
}
