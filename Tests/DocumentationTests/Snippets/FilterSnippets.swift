import AudienceFilters
import Testing

// The Swift of the documentation of AudienceFilters. Blocks stand here word for word.

@Suite("Swift in the articles about filters")
@MainActor struct FilterSnippets {
  @Test("overview")
  func overview() throws {
    let filter = try Filter("user.age >= 18 && device.platform == \"iOS\"")
    let context = Context(user: ["age": 25], device: ["platform": "iOS"])
    let isMatch = filter.matches(context)  // true
    #expect(isMatch)
  }

  @Test("getting started: compile")
  func compile() {
    do throws(FilterError) {
      let filter = try Filter("user.plan == \"trial\" && user.sessions > 5")
      print(filter.requirements.attributes.map(\.path))
    } catch {
      print(error)
    }
  }

  @Test("dialects")
  func dialects() throws {
    let strict = try Filter("has(user.age) && user.age >= 18", environment: .cel)
    #expect(!strict.matches(Context()))
    #expect(strict.matches(Context(user: ["age": 18])))
  }

  @Test("why it does not match")
  func why() throws {
    let filter = try Filter("user.age / 0 == 1")
    let context = Context(user: ["age": 25])
    do throws(EvaluationError) {
      print(try filter.evaluate(context))
    } catch {
      print(error)
    }
    for attribute in filter.requirements.attributes {
      guard let path = AttributePath(attribute.path) else { continue }
      print(path, context.value(at: path)?.literal ?? "missing")
    }
    #expect(filter.requirements.attributes.map(\.path) == ["user.age"])
  }

  @Test("embedding: threads")
  func threads() async throws {
    let filter = try Filter("user.age >= 18")
    let context = Context(user: ["age": 25])
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask { (0..<1_000).count { _ in filter.matches(context) } }
      }
      var counts: [Int] = []
      for await count in group { counts.append(count) }
      return counts
    }
    #expect(counts == [1_000, 1_000, 1_000, 1_000])
  }

  @Test("embedding: layers")
  func layers() throws {
    let base = Context(user: ["plan": "trial"], device: ["platform": "iOS"])
    let first = base.replacing(params: ["source": "menu"])
    let second = base.replacing(params: ["source": "settings"])
    let filter = try Filter("user.plan == \"trial\" && params.source == \"menu\"")
    #expect(filter.matches(first))
    #expect(!filter.matches(second))
  }

  @Test("embedding: encodable and JSON")
  func encodable() throws {
    struct Profile: Encodable {
      var age = 25
      var plan = "trial"
    }
    let user = try Context.Layer(encoding: Profile())
    let device = try Context.Layer(json: #"{"platform": "iOS"}"#)
    let typed = Context(user: user, device: device)
    #expect(try Filter("user.age == 25 && device.platform == \"iOS\"").matches(typed))
  }

  @Test("embedding: functions")
  func functions() throws {
    var environment = FilterEnvironment.standard
    environment.deviceFunctions["daysSince"] = { arguments, hostState in
      guard case .string(let event)? = arguments.first else { return .null }
      let history = hostState as? [String: Int64] ?? [:]
      return history[event].map { .int($0) } ?? .null
    }
    let lapsed = try Filter("device.daysSince(\"app_open\") > 7", environment: environment)
    let reader = Context().replacing(hostState: ["app_open": Int64(9)])
    let isLapsed = lapsed.matches(reader)  // true
    for call in lapsed.requirements.hostCalls {
      print(call.table, call.name, call.arguments ?? [])
    }
    try environment.add(
      .init(
        "isVIP", .init(parameters: ["string"], result: "bool"),
        documentation: "Whether a customer is on the list."
      ) { arguments, _ in .bool(arguments[0] == "ann") })
    let invited = try Filter("isVIP(user.id) && user.age >= 18", environment: environment)
    #expect(invited.matches(Context(user: ["id": "ann", "age": 30])))
    #expect(isLapsed)
    #expect(lapsed.requirements.hostCalls.map(\.arguments) == [["app_open"]])
  }

  @Test("limits")
  func limits() throws {
    let tight = FilterEnvironment(
      parserLimits: ParserLimits(sourceLength: 4_096, nesting: 20),
      limits: EvaluationLimits(steps: 10_000, memory: 1 << 20))
    let filter = try Filter("user.tags.exists(t, t == \"dawn\")", environment: tight)
    #expect(filter.matches(Context(user: ["tags": ["dawn"]])))
  }

  @Test("deadlines")
  func deadlines() throws {
    let filter = try Filter("user.tags.exists(t, t.startsWith(\"vip\"))")
    let context = Context(user: ["tags": ["vip-2024"]])
    let stop = EvaluationStop(deadline: .now + .milliseconds(20))
    let value = try filter.evaluate(context, unless: stop)
    #expect(value == true)
  }

  @Test("Filter")
  func filter() throws {
    let filter = try Filter("user.age >= 18 && device.platform == \"iOS\"")
    let context = Context(user: ["age": 25], device: ["platform": "iOS"])
    let isMatch = filter.matches(context)  // true
    #expect(isMatch)
  }

  @Test("FilterSet")
  func filterSet() throws {
    let audiences = FilterSet([
      try Filter("user.plan == \"free\" && user.age >= 18"),
      try Filter("user.plan == \"pro\""),
    ])
    let indices = audiences.matchingIndices(Context(user: ["plan": "pro", "age": 30]))  // [1]
    #expect(indices == [1])
  }

  @Test("columns")
  func columns() throws {
    let users = try ColumnBatch([
      "user.age": Column([31, 17, nil]),
      "user.plan": Column(["free", "pro", "pro"]),
    ])
    let matcher = BatchMatcher(FilterSet([try Filter("user.age >= 18")]))
    let counts = matcher.counts(in: users)  // [1]
    #expect(counts == [1])
  }

  @Test("performance: many contexts")
  func batch() throws {
    let filter = try Filter("user.age >= 18")
    let users = (0..<1_000).map { Context(user: ["age": $0 % 100]) }
    let adults = filter.countMatches(in: users)  // 820
    #expect(adults == 820)
  }

  @Test("limits: errors")
  func limitErrors() throws {
    let few = FilterEnvironment(limits: EvaluationLimits(steps: 5))
    let endless = try Filter("[1, 2, 3].all(a, [1, 2, 3].all(b, a > 0))", environment: few)
    do throws(EvaluationError) {
      print(try endless.evaluate(Context()))
    } catch {
      print(error.diagnostic.id.rawValue)  // E0602
    }
    #expect(throws: EvaluationError.self) { try endless.evaluate(Context()) }
    #expect(!endless.matches(Context()))
  }

  @Test("Context from dictionaries")
  func dictionaries() throws {
    let context = Context(user: ["age": 25, "plan": "trial"], params: ["source": "menu"])
    #expect(try Filter("user.age == 25 && params.source == \"menu\"").matches(context))
  }
}
