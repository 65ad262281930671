import ExpressionChecking
import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Hostile filters of the cel dialect") struct CELHostileTests {
  private static let expressions: [String] = {
    let cases = (try? CaseFile.cases(at: TestFiles.path("corpus/cel"))) ?? []
    return cases.compactMap {
      if case .expression(let text) = $0.request.question { text } else { nil }
    }
  }()

  private let context = Context(variables: ["user": ["age": 25], "x": [1, 2], "a.b": 1])

  /// Compiles and evaluates; whatever happens, an error has a place within the text.
  private func survive(_ bytes: [UInt8]) {
    let source = SourceText(bytes: bytes)
    do throws(FilterError) {
      let filter = try Filter(source, environment: .cel)
      do throws(EvaluationError) {
        _ = try filter.evaluate(context)
      } catch {
        expectPlace(error.diagnostic, in: source)
      }
    } catch {
      #expect(!error.diagnostics.isEmpty)
      for diagnostic in error.diagnostics { expectPlace(diagnostic, in: source) }
    }
    // The checker sees what the machine never evaluates.
    if let tree = try? parse(source, dialect: .cel), let declarations = Self.declarations {
      for diagnostic in Checker.check(tree, declarations: declarations).diagnostics {
        expectPlace(diagnostic, in: source)
      }
    }
  }

  private static let declarations = try? FilterEnvironment.cel.checkingDeclarations()

  private func expectPlace(_ diagnostic: Diagnostic, in source: SourceText) {
    let end = Int(diagnostic.primary.span.start) + Int(diagnostic.primary.span.length)
    #expect(end <= source.bytes.count && !diagnostic.message.isEmpty, "\(source.text)")
  }

  @Test("expressions of the corpus, cut off, doubled, or with bytes changed")
  func mutations() {
    var random = SeededGenerator(seed: 7)
    #expect(Self.expressions.count > 3_000)
    for _ in 0..<3_000 {
      var bytes = Array((Self.expressions.randomElement(using: &random) ?? "").utf8.prefix(400))
      guard !bytes.isEmpty else { continue }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.removeLast(bytes.count - place)
      case 1: bytes.removeFirst(place)
      case 2: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 3: bytes.remove(at: place)
      case 4: bytes.insert(contentsOf: bytes[place...], at: place)
      default:
        let other = Array((Self.expressions.randomElement(using: &random) ?? "").utf8.prefix(200))
        bytes.replaceSubrange(place..., with: other)
      }
      survive(bytes)
    }
  }

  @Test("random bytes and random tokens")
  func randomText() {
    let tokens = [
      "(", ")", "[", "]", "{", "}", ".", ",", "?", ":", ".?", "[?", "{?", "&&", "||", "!", "-", "+",
      "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "true", "null", "x", "a.b", "user",
      "1",
      "1u", "1.5", "'s'", "b's'", "r'\\'", "\"\"\"", "0x", "9223372036854775808", "`q`", ".x",
      "all(x, x)", "cel.bind(", "map(", "has(", "size(", "optional.of(", "math.greatest(",
      "cel.block([", "cel.index(0)", "M{a: 1}", "//", "\n", " ", "as", "é", "\u{0}", "'", "\\",
    ]
    var random = SeededGenerator(seed: 8)
    for number in 0..<3_000 {
      let count = Int.random(in: 0...20, using: &random)
      if number % 3 == 0 {
        survive((0..<count * 2).map { _ in UInt8.random(in: 0...255, using: &random) })
      } else {
        survive(
          Array(
            (0..<count).map { _ in tokens.randomElement(using: &random) ?? "" }
              .joined(separator: number % 3 == 1 ? " " : "").utf8))
      }
    }
  }
}
