import AudienceFilters
import FilterAuthoring
import Foundation
import Testing

// What people write before they have read anything; each works at the first try.

@Suite("First guesses of a newcomer")
@MainActor struct GuessSnippets {
  @Test("1: attributes from a dictionary")
  func dictionary() throws {
    let attributes: [String: Any] = ["age": 25, "price": 3.99 as Float, "since": Date.now]
    let filter = try Filter("user.age >= 18 && user.price > 3.5 && user.since > 1700000000")
    #expect(filter.matches(Context(user: attributes)))
  }

  @Test("2: attributes from an Encodable type")
  func encodable() throws {
    struct Profile: Encodable {
      var age = 25
      var plan = "trial"
    }
    let context = try Context(user: Profile(), device: ["platform": "iOS"])
    #expect(try Filter("user.plan == \"trial\" && device.platform == \"iOS\"").matches(context))
  }

  @Test("3: many filters by name")
  func named() throws {
    let set = try FilterSet(["pro": "user.plan == \"pro\"", "adults": "user.age >= 18"])
    let context = Context(user: ["age": 25])
    #expect(set.matchingIDs(context) == ["adults"])
    #expect(set.matchingFilters(context).map(\.text) == ["user.age >= 18"])
    #expect(set["pro"]?.text == "user.plan == \"pro\"")
  }

  @Test("4: the code, the message and the place of an error")
  func error() {
    do {
      _ = try Filter("user.age => 18")
      Issue.record("it is no filter")
    } catch {
      #expect(error.code == "E0210")
      #expect(error.message == "`=>` is not an operator")
      #expect((error.line, error.column) == (1, 10))
    }
  }

  @Test("5: numbers in and out")
  func numbers() throws {
    let count: Int = 5
    #expect(Value(count) == 5)
    #expect(try Filter("user.n + 1").evaluate(Context(user: ["n": count])).intValue == 6)
  }

  @Test("6: dates")
  func dates() throws {
    let context = Context(user: ["trialEnd": Date.now + 3600], params: ["now": Date.now])
    #expect(try Filter("user.trialEnd > params.now").matches(context))
    #expect(Value(Date(timeIntervalSince1970: 1)) == .timestamp(.init(seconds: 1)))
  }

  @Test("7: functions of the app")
  func functions() throws {
    let environment = FilterEnvironment(deviceFunctions: ["isVIP": { _, _ in true }])
    let filter = try Filter("device.isVIP() == true", environment: environment)
    #expect(filter.matches(Context()))
    let named = try FilterEnvironment(functions: [
      "isVIP(string) -> bool": { arguments, _ in .bool(arguments[0] == "ann") }
    ])
    let guest = try Filter("isVIP(user.id)", environment: named)
    #expect(guest.matches(Context(user: ["id": "ann"])))
    // The name alone does not say what the function takes; the error says how to.
    do {
      _ = try FilterEnvironment(functions: ["isVIP": { _, _ in true }])
      Issue.record("a name is no signature")
    } catch {
      #expect(error.message.contains("isVIP(string) -> bool"))
    }
  }

  @Test("8: a line for the log")
  func headline() throws {
    #expect("\(try Filter("true").explain(Context()))".contains("match"))
  }

  @Test("9: checks before anything is compiled")
  func checks() {
    #expect(Filter.check("user.age =>").first != nil)
  }

  @Test("10: compiled filters are kept in a dictionary")
  func cache() throws {
    var cache: [String: Filter] = [:]
    let text = "user.age > 3"
    cache[text] = try cache[text] ?? Filter(text)
    #expect(cache.count == 1)
  }

  @Test("11: filters and contexts on any thread")
  func threads() async throws {
    let filter = try Filter("user.age > 3")
    let context = Context(user: ["age": 4])
    #expect(await Task.detached { filter.matches(context) }.value)
  }

  @Test("12: a filter in a Codable config")
  func config() throws {
    struct Config: Codable { var audience: Filter }
    let data = Data(#"{"audience": "user.age > 3"}"#.utf8)
    let config = try JSONDecoder().decode(Config.self, from: data)
    #expect(config.audience.text == "user.age > 3")
  }

  @Test("13: change one attribute")
  func change() {
    var context = Context(user: ["age": 3])
    context["user.age"] = 4
    #expect(context["user.age"] == 4)
    #expect(context.setting("user.age", to: 5)["user.age"] == 5)
    context["user.age"] = nil
    #expect(context["user.age"] == nil)
  }

  @Test("14: the value as a type of Swift")
  func typed() throws {
    let context = Context(user: ["age": 4])
    let isOld: Bool = try Filter("user.age > 3").value(in: context)
    let double = try Filter("user.age * 2").value(as: Int.self, in: context)
    #expect(isOld)
    #expect(double == 8)
  }

  @Test("15: the dialect as an argument")
  func dialect() throws {
    let filter = try Filter("has(user.age) && user.age > 3", dialect: .cel)
    #expect(filter.matches(Context(user: ["age": 4])))
  }

  @Test("16: empty arrays and dictionaries of values and filters")
  func empty() {
    #expect([Value]().isEmpty)
    #expect([String: Value]().isEmpty)
    #expect([Filter]().isEmpty)
  }

  @Test("17: filter an array of filters")
  func select() throws {
    let filters = try ["user.age > 3", "user.age > 30"].map { try Filter($0) }
    let context = Context(user: ["age": 4])
    #expect(filters.filter { $0.matches(context) }.count == 1)
  }

  @Test("18: an error in a log")
  func log() {
    do { _ = try Filter("user.age => 18") } catch {
      #expect(error.localizedDescription == "`=>` is not an operator (line 1, column 10)")
    }
    do { _ = try FilterSet(["adults": "user.age => 18"]) } catch {
      #expect(error.localizedDescription.hasPrefix("adults: "))
    }
  }

  @Test("19: a context from JSON")
  func json() throws {
    let context = try Context(json: #"{"user": {"age": 4}}"#)
    #expect(context["user.age"] == 4)
  }

  @Test("20: attributes that must all be kept")
  func validating() {
    final class Session {}
    #expect(throws: Context.AttributeError.self) { try Context(validating: ["s": Session()]) }
  }
}
