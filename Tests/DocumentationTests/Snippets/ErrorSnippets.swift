import AudienceFilters
import Testing

// The Swift of the article about errors, compiled and run. Blocks stand here word for word.

@Suite("Swift in the article about errors")
@MainActor struct ErrorSnippets {
  @Test("compiling")
  func compiling() {
    func compiled(_ text: String) -> Filter? {
      do throws(FilterError) {
        return try Filter(text)
      } catch {
        for diagnostic in error.diagnostics {
          print(diagnostic.id.rawValue, diagnostic.message)
        }
        return nil
      }
    }
    #expect(compiled("user.age => 18") == nil)
    #expect(compiled("user.age >= 18") != nil)

    do throws(FilterError) {
      _ = try Filter("user.age => 18")
    } catch {
      print(error)
    }
  }

  @Test("deciding")
  func deciding() throws {
    let filter = try Filter("user.age >= 18")
    let context = Context(user: ["age": 25])
    if filter.matches(context) {
      print("show the offer")
    }
    #expect(filter.matches(context))
  }

  @Test("values")
  func values() throws {
    let context = Context(user: ["age": 25])
    let failing = try Filter("user.age / 0 == 1")
    let monitor = EvaluationMonitor { record in
      if case .failure(let error) = record.result { print(record.filter.text, error.id.rawValue) }
    }
    _ = monitor.matches(failing, context)  // prints the filter and E0501
    print(monitor.totals.evaluations, monitor.totals.failures)

    #expect(monitor.totals.failures == [.divisionByZero: 1])
    #expect(throws: EvaluationError.self) { try failing.evaluate(context) }

    let price = try Filter("user.age >= 18 ? 20 : 0")
    var discount: Int64 = 0
    if case .int(let percent)? = try? price.evaluate(context) { discount = percent }
    #expect(discount == 20)
  }
}
