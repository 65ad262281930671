import AudienceFilters
import CampaignAnalysis
import ExpressionEngine
import FilterAnalysis
import Foundation
import Testing

/// How many single mistakes in a config the synthetic users find.
@Suite("Synthetic users")
struct SynthesisTests {
  /// The mutants that mean something else than the config.
  private static func meaningful(
    _ mutants: [AnalysisModel], of model: AnalysisModel
  ) -> [AnalysisModel] {
    // Without SWEXPR_CONFIGS, every fourth of them.
    let isWhole = ProcessInfo.processInfo.environment["SWEXPR_CONFIGS"] != nil
    let tried = isWhole ? mutants : stride(from: 0, to: mutants.count, by: 4).map { mutants[$0] }
    return tried.filter { mutant in
      !CampaignComparison(old: model, new: mutant, schema: .builtIn).changes().isEmpty
    }
  }

  /// How many of the mutants give some user something else than is expected.
  private static func killed(_ mutants: [AnalysisModel], by users: [UserTest]) -> Int {
    mutants.count { mutant in
      let makers = mutant.decisionMakers()
      return users.contains { !$0.failures(makers).isEmpty }
    }
  }

  private static func tests(_ model: AnalysisModel) throws -> [UserTest] {
    try CampaignSynthesis(model).suite().users.map { try UserTest(reading: $0.value) }
  }

  /// As many users, whose attributes are drawn: from those of all synthetic users of the placement,
  /// which is the best that chance can do, or from plain numbers and words.
  private static func randomUsers(
    _ model: AnalysisModel, knowsConstants: Bool, _ random: inout TestRandom
  ) throws -> [UserTest] {
    let made = CampaignSynthesis(model).suite().users
    return try made.map { user in
      let others = made.filter { $0.placement == user.placement }.map(\.user)
      var context: [Value.Key: Value] = [:]
      for root in ["user", "device", "params", "host"] {
        let objects = others.map { other -> [Value.Key: Value] in
          guard case .map(let members) = other.value,
            case .map(let object)? = members[.string(root)]
          else { return [:] }
          return object
        }
        var members: [Value.Key: Value] = [:]
        for key in Set(objects.flatMap(\.keys)).sorted(by: { $0.text < $1.text }) {
          members[key] =
            knowsConstants
            ? random.pick(objects)[key]
            : random.pick([
              .int(Int64(random.below(100))), .string(random.pick(["a", "pro", "en", "x"])), true,
              false, nil,
            ])
        }
        context[.string(root)] = .map(members)
      }
      let line: [Value.Key: Value] = [
        "placement": .string(user.placement), "context": .map(context), "expect": .null,
      ]
      let expected = try UserTest(reading: .map(line)).outcome(of: model)
      return try UserTest(
        reading: .map(
          line.merging(["expect": expected.map { .string($0) } ?? .null]) { _, new in new }))
    }
  }

  /// The sample campaign and, with SWEXPR_CONFIGS, generated ones.
  private static func models() throws -> [(name: String, model: AnalysisModel)] {
    var random = TestRandom(state: 3)
    let count = ProcessInfo.processInfo.environment["SWEXPR_CONFIGS"] == nil ? 0 : 2
    return try [("sample", InjectedFaultTests.sample())]
      + (0..<count).map { ("generated \($0)", InjectedFaultTests.cleanModel(&random)) }
  }

  @Test("at least 95 % of the single mistakes in filters are found, far more than by random users")
  func filters() throws {
    var random = TestRandom(state: 4)
    var tried = 0
    for (name, model) in try Self.models() {
      let users = try Self.tests(model)
      let makers = model.decisionMakers()
      for user in users { #expect(user.failures(makers).isEmpty) }
      let mutants = Self.meaningful(Mutants.of(model), of: model)
      tried += mutants.count
      let killed = Self.killed(mutants, by: users)
      let drawn = Self.killed(
        mutants, by: try Self.randomUsers(model, knowsConstants: true, &random))
      let plain = Self.killed(
        mutants, by: try Self.randomUsers(model, knowsConstants: false, &random))
      print(
        "\(name), filters: \(killed) of \(mutants.count) mutants by \(users.count) users,"
          + " \(drawn) by as many with random values of theirs, \(plain) by random ones")
      #expect(killed * 100 >= mutants.count * 95)
      #expect(plain < killed)
    }
    #expect(tried > 25)
  }

  @Test("at least 95 % of the single mistakes in limits and weights are found")
  func limitsAndVariants() throws {
    var tried = 0
    for (name, model) in try Self.models() {
      let users = try Self.tests(model)
      let mutants = Self.meaningful(Mutants.ofLimitsAndVariants(model), of: model)
      tried += mutants.count
      let killed = Self.killed(mutants, by: users)
      print("\(name), limits and variants: \(killed) of \(mutants.count) mutants")
      #expect(killed * 100 >= mutants.count * 95)
    }
    #expect(tried > 25)
  }

  @Test("every variant that somebody is given is drawn, and every limit is used up")
  func coverage() throws {
    let model = try InjectedFaultTests.sample()
    let suite = CampaignSynthesis(model).suite()
    for placement in model.placements {
      let users = suite.users.filter { $0.placement == placement.name }
      let registrations = users.flatMap(\.registrations)
      for audience in placement.audiences {
        let reached = registrations.contains { $0.expected == audience.experimentID }
        #expect(reached, "\(audience.experimentID)")
        if audience.variants.count > 1 {
          for variant in audience.variants {
            let isGiven = registrations.contains {
              $0.expected == audience.experimentID && $0.variant == variant.id
            }
            let isPossible =
              variant.weight > 0 || audience.variants.allSatisfy { $0.weight <= 0 }
            #expect(isGiven == isPossible, "\(variant.id)")
          }
        }
        guard let limit = audience.limit else { continue }
        let usesUp = users.contains { user in
          user.registrations.count { $0.minutes == 0 && $0.expected == audience.experimentID }
            == limit.maximum
        }
        #expect(usesUp, "the limit of \(audience.experimentID)")
      }
    }
  }

  @Test("a limit that lets no user through leaves the users to the next audience")
  func closedLimit() {
    var closed = AnalysisModel.Audience(experimentID: "closed", filter: "user.a == 1")
    closed.limit = .init(key: "k", maximum: 0)
    var next = AnalysisModel.Audience(experimentID: "next", filter: "user.a > 0")
    next.limit = .init(key: "n", maximum: 1)
    let suite = CampaignSynthesis(
      AnalysisModel(placements: [.init(name: "open", audiences: [closed, next])])
    ).suite()
    let expected = suite.users.flatMap { $0.registrations.compactMap(\.expected) }
    #expect(expected.contains("next"))
    #expect(!expected.contains("closed"))
  }

  @Test("a limit of up to 64 is used up", arguments: [(64, 0), (65, 1)])
  func largeLimits(_ maximum: Int64, _ openQuestions: Int) {
    var audience = AnalysisModel.Audience(experimentID: "e", filter: "user.a == 1")
    audience.limit = .init(key: "k", maximum: maximum)
    let suite = CampaignSynthesis(
      AnalysisModel(placements: [.init(name: "open", audiences: [audience])])
    ).suite()
    let most = suite.users.map { user in user.registrations.count { $0.expected == "e" } }.max()
    #expect(suite.openQuestions.count == openQuestions)
    #expect(openQuestions == 1 || most == Int(maximum))
  }

  @Test("a user whom many audiences could have does not list them all")
  func purposesAreFew() throws {
    let audiences = (0..<40).map { number in
      AnalysisModel.Audience(experimentID: "e\(number)", filter: "user.a > \(100 - number)")
    }
    let suite = CampaignSynthesis(
      AnalysisModel(placements: [.init(name: "open", audiences: audiences)])
    ).suite()
    #expect(suite.users.allSatisfy { $0.purposes.count <= 25 })
    #expect(suite.users.contains { $0.purposes.last?.hasSuffix(" more") == true })
    for audience in audiences {
      #expect(suite.users.contains { $0.expected?.audience.experimentID == audience.experimentID })
    }
  }
}
