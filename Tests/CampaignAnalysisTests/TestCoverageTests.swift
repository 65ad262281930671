import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import Testing

/// Tests of a config, and what they cover.
@Suite("Tests of a config")
struct TestCoverageTests {
  private func tests(_ model: AnalysisModel) throws -> [UserTest] {
    try CampaignSynthesis(model).suite().users.map { try UserTest(reading: $0.value) }
  }

  private func coverage(_ model: AnalysisModel, _ tests: [UserTest]) -> TestCoverage {
    var coverage = TestCoverage(model)
    for test in tests { coverage.add(test) }
    return coverage
  }

  @Test("synthetic users reach every audience of a config without faults, and cover its conditions")
  func synthetic() throws {
    var random = TestRandom(state: 11)
    for _ in 0..<4 {
      let model = InjectedFaultTests.cleanModel(&random)
      let tests = try tests(model)
      let coverage = coverage(model, tests)
      #expect(coverage.audienceCount > 0 && coverage.conditionCount > 0)
      #expect(coverage.reachedCount == coverage.audienceCount)
      #expect(coverage.coveredCount == coverage.conditionCount, "\(coverage.text)")
    }
  }

  @Test("an audience is reached as often as it is the outcome, and tried by all that are left")
  func counts() throws {
    var random = TestRandom(state: 12)
    let model = InjectedFaultTests.cleanModel(&random)
    var tests = try tests(model)
    // Some of them, so that there are gaps.
    tests = tests.filter { _ in random.isLucky(percent: 20) }
    let coverage = coverage(model, tests)
    for placement in coverage.placements {
      let here = tests.filter { $0.placement == placement.name }
      var left = here.count
      for audience in placement.audiences {
        #expect(audience.tried == left)
        let taken = here.count { $0.outcome(of: model) == audience.experimentID }
        #expect(audience.reached == taken)
        left -= taken
      }
    }
  }

  @Test("a condition holds for as many users as it matches by itself")
  func conditions() throws {
    var random = TestRandom(state: 13)
    for _ in 0..<30 {
      let texts = (0..<3).map { _ in random.pick(random.pick(SmallWorld.conditions)) }
      let model = AnalysisModel(
        placements: [
          .init(
            name: "p",
            audiences: texts.enumerated().map { .init(experimentID: "e\($0)", filter: $1) })
        ])
      let users = try (0..<40).map { _ -> UserTest in
        let a: Value = random.pick([.null, 3, 7, 9, "b", "d", true])
        let b: Value = random.pick(["a", "ab", "b", "", ["b"]])
        return try UserTest(
          reading: [
            "placement": "p", "expect": .null,
            "context": [
              "user": ["a": a, "b": b], "params": random.isLucky(percent: 50) ? ["c": a] : [:],
            ],
          ])
      }
      let coverage = coverage(model, users)
      var left = users
      for (audience, text) in zip(coverage.placements[0].audiences, texts) {
        let filter = try Filter(text)
        let condition = try #require(audience.conditions.first)
        #expect(audience.conditions.count == 1)
        let matches = left.count { filter.matches($0.context) }
        // Only `true` is a match; a value that is not a bool may hold and be none.
        if !["params.c", "user.a"].contains(text) {
          #expect(condition.holds == matches, "\(text)")
        }
        #expect(condition.holds + condition.fails == left.count)
        left.removeAll { filter.matches($0.context) }
      }
    }
  }

  @Test("gaps are listed audience by audience")
  func text() throws {
    let model = AnalysisModel(
      placements: [
        .init(
          name: "menu",
          audiences: [
            .init(experimentID: "a", filter: "user.age >= 18 && user.plan == \"pro\""),
            .init(experimentID: "b", filter: "user.age > 90"),
            .init(experimentID: "c", filter: nil), .init(experimentID: "d", filter: "user.x"),
          ])
      ])
    let users = try [17, 20].map { age in
      try UserTest(
        reading: [
          "placement": "menu", "context": ["user": ["age": .int(age), "plan": "free"]],
          "expect": "c",
        ])
    }
    #expect(
      coverage(model, users).text == """
        coverage: 1 of 4 audiences reached, 1 of 4 conditions seen to hold and to fail
          menu, audience 1 "a": tried by 2 users, reached by none
          menu, audience 1 "a": `user.plan == "pro"` never holds
          menu, audience 2 "b": tried by 2 users, reached by none
          menu, audience 2 "b": `user.age > 90` never holds
          menu, audience 4 "d": no user gets as far

        """)
    let makers = model.decisionMakers()
    #expect(users.allSatisfy { $0.failures(makers).isEmpty })
  }

  // MARK: Variants

  private static let variants = AnalysisModel(
    placements: [
      .init(
        name: "menu",
        audiences: [
          .init(
            experimentID: "a", filter: nil,
            variants: [
              .init(id: "x", weight: 30), .init(id: "y", weight: 70), .init(id: "z", weight: 0),
            ])
        ])
    ])

  @Test(
    "a variant is the one that is drawn, or one that can be",
    arguments: [
      ("x", 0, true), ("x", 29, true), ("x", 30, false), ("y", 30, true), ("y", 99, true),
      ("z", 99, false), ("x", nil, true), ("y", nil, true), ("z", nil, false), ("w", nil, false),
    ] as [(String, Int64?, Bool)])
  func variant(_ id: String, _ draw: Int64?, _ passes: Bool) throws {
    var line: [Value.Key: Value] = [
      "placement": "menu", "context": [:], "expect": "a", "variant": .string(id),
    ]
    line["draw"] = draw.map { .int($0) }
    let test = try UserTest(reading: .map(line))
    #expect(test.failures(Self.variants.decisionMakers()).isEmpty == passes)
  }

  @Test("what is no test is refused with a reason")
  func refusals() {
    let right: [Value.Key: Value] = ["placement": "menu", "context": [:], "expect": .null]
    #expect((try? UserTest(reading: .map(right))) != nil)
    for (key, value) in [
      ("placement", 5), ("context", "x"), ("expect", 5), ("variant", 5), ("draw", -1),
      ("draw", "1"), ("varient", "x"), ("then", 5), ("then", [5]), ("then", [["expect": 5]]),
      ("then", [["expect": .null, "wait": -1]]), ("then", [["expect": .null, "wate": 1]]),
      ("then", [["wait": 1]]),
    ] as [(Value.Key, Value)] {
      var line = right
      line[key] = value
      #expect(throws: UserTest.ReadingError.self) { try UserTest(reading: .map(line)) }
    }
  }

  @Test("a user who comes again meets the limits, which open again with time")
  func limits() throws {
    let model = AnalysisModel(
      placements: [
        .init(
          name: "menu",
          audiences: [
            .init(
              experimentID: "a", filter: "user.age > 3",
              limit: .init(key: "k", maximum: 2, minutes: 60)),
            .init(experimentID: "b", filter: nil),
          ])
      ])
    func line(_ then: [Value]) throws -> UserTest {
      try UserTest(
        reading: [
          "placement": "menu", "context": ["user": ["age": 4]], "expect": "a", "then": .list(then),
        ])
    }
    let right: [Value] = [
      ["expect": "a", "wait": 10], ["expect": "b"], ["expect": "b", "wait": 50],
      ["expect": "a", "wait": 1], ["expect": "b"], ["expect": "a", "wait": 10],
    ]
    #expect(try line(right).failures(model.decisionMakers()).isEmpty)
    let test = try line([["expect": "a"], ["expect": "a"]])
    #expect(
      test.failures(model.decisionMakers()) == ["registration 3: menu gives b, expected a"])
    var coverage = TestCoverage(model)
    coverage.add(test)
    #expect(coverage.reachedCount == 2)
    #expect(coverage.placements[0].audiences.map(\.tried) == [3, 1])
  }

  @Test("a placement that the config does not have is a failure")
  func placement() throws {
    let test = try UserTest(reading: ["placement": "none", "context": [:], "expect": .null])
    #expect(test.failures(Self.variants.decisionMakers()) == ["the config has no placement none"])
  }
}
