import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterCorpus
import TestSupport
import Testing

@Suite("Texts of errors leave values out")
struct RedactionTests {
  /// A mark on each text of a context, and the number in place of each of its integers. No filter
  /// of the corpus has either.
  private static let mark = "Zq7xKv"
  private static let number: Int64 = 918_273_645

  /// Returns a value whose texts and integers are marked; names of attributes stay.
  private static func marked(_ value: Value) -> Value {
    switch value {
    case .string(let text): .string(mark + text)
    case .int: .int(number)
    case .list(let elements): .list(elements.map(marked))
    case .map(let entries): .map(entries.mapValues(marked))
    default: value
    }
  }

  private static func isMarked(_ text: String) -> Bool {
    text.contains(mark) || text.contains("\(number)")
  }

  /// The dialect of a case, with host functions that return their first argument.
  private static func environment(_ request: CaseRequest) -> FilterEnvironment {
    var result = request.dialect == .cel ? FilterEnvironment.cel : .standard
    for name in request.deviceFunctions.keys {
      result.deviceFunctions[name] = { arguments, _ in arguments.first ?? .null }
    }
    for name in request.computedFunctions.keys {
      result.computedFunctions[name] = { arguments, _ in arguments.first ?? .null }
    }
    return result
  }

  /// All texts of an error.
  private static func texts(of error: EvaluationError) -> [String] {
    let diagnostic = error.diagnostic
    return [error.message, error.description, error.errorDescription ?? "", diagnostic.message]
      + ([diagnostic.primary] + diagnostic.secondary).map(\.message) + diagnostic.notes
      + diagnostic.helps
  }

  @Test(
    "of every case that fails, over contexts whose values are marked",
    arguments: [
      "superscript", "cel", "diagnostics",
    ])
  func corpus(folder: String) throws {
    var failures = 0
    var shown = 0
    for item in try CaseFile.cases(at: TestFiles.path("corpus/\(folder)")) {
      let environment = Self.environment(item.request)
      guard
        let filter = try? Filter(
          SourceText(item.request.question.text), environment: environment)
      else { continue }
      let variables = item.request.variables.mapValues(Self.marked)
      do throws(EvaluationError) {
        _ = try filter.evaluate(Context(variables: variables))
      } catch {
        failures += 1
        // An error of the app's own function is the app's text.
        if error.id == .hostFunctionFailed { continue }
        for text in Self.texts(of: error) where Self.isMarked(text) {
          Issue.record("\(item.id): \(text)")
        }
        if Self.texts(of: error.showingValues).contains(where: Self.isMarked) { shown += 1 }
      }
    }
    // Without errors that have values to show, the test would show nothing.
    #expect(shown >= 15, "\(shown) of \(failures) failures")
  }

  @Test(
    "of each kind of failure",
    arguments: [
      "user.text < 1", "user.text + 1 > 2", "-user.text", "user.list[user.number]",
      "user.list[user.text]", "user.map[user.text]", "user.text[0].x", "int(user.text) > 1",
      "'a'.matches(user.pattern)", "{user.text: 1, user.text: 2}", "{user.list: 1}",
      "user.number.contains('a')", "[user.number] < [1]", "user.text in 5",
      "timestamp(user.text) > 1", "user.map < 1",
    ])
  func kinds(text: String) throws {
    let context = Context(variables: [
      "user": [
        "text": .string(Self.mark), "number": .int(Self.number),
        "pattern": .string("(" + Self.mark),
        "list": [.string(Self.mark)], "map": ["a": .string(Self.mark)],
      ]
    ])
    for environment in [FilterEnvironment.standard, FilterEnvironment.cel] {
      let filter = try Filter(SourceText(text), environment: environment)
      do throws(EvaluationError) {
        _ = try filter.evaluate(context)
      } catch {
        for text in Self.texts(of: error) { #expect(!Self.isMarked(text)) }
      }
    }
  }

  @Test("what the filter itself says stays, and values are there for whoever asks")
  func texts() throws {
    func error(
      _ text: String, _ environment: FilterEnvironment = .standard
    ) throws -> EvaluationError? {
      let filter = try Filter(SourceText(text), environment: environment)
      do throws(EvaluationError) {
        _ = try filter.evaluate(
          Context(variables: ["user": ["plan": "gold", "list": [1, 2], "n": 7]]))
        return nil
      } catch {
        return error
      }
    }
    let comparison = try #require(try error("user.plan < 3"))
    #expect(comparison.diagnostic.message == "`<` cannot compare string with int")
    #expect(comparison.diagnostic.secondary.map(\.message) == ["string", "int"])
    #expect(
      comparison.showingValues.diagnostic.secondary.map(\.message) == ["string \"gold\"", "int"])
    let index = try #require(try error("user.list[user.n] == 1", .cel))
    #expect(index.message == "the index is out of range")
    #expect(index.diagnostic.message == "`user.list` has no such element")
    #expect(index.showingValues.diagnostic.message == "`user.list` has no element 7")
    let literal = try #require(try error("user.list[9] == 1", .cel))
    #expect(literal.diagnostic.message == "`user.list` has no element 9")
  }

  @Test("a value that cannot be decoded is not in the error either")
  func decoding() throws {
    let error = try #require(throws: DecodingError.self) {
      try Value.int(Self.number).decode(Int8.self)
    }
    #expect(!Self.isMarked("\(error)"))
  }
}
