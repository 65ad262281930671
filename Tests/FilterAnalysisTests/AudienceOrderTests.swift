import ExpressionEngine
import FilterAnalysis
import Testing

/// What filters that are tried in order leave for each other.
@Suite("Filters in order")
struct AudienceOrderTests {
  private func order(_ filters: (String?, Bool)...) -> AudienceOrder {
    AudienceOrder(
      filters.map { AudienceOrder.Entry(filter: $0.0, keepsUsers: $0.1) },
      environment: .standard, schema: .builtIn)
  }

  @Test func usersOfAnEarlierFilterAreTaken() {
    let order = order(
      ("user.age >= 18", true), ("user.age >= 21", true), ("user.age < 30", true))
    #expect(order.places.map(\.reached) == [.some, .none, .some])
    #expect(order.places.map(\.takenBy) == [[], [0], []])
    #expect(order.places.map(\.sharesUsersWith) == [[], [0], [0, 1]])
    // Texts are not ordered against numbers.
    #expect(order.others == .some)
  }

  @Test func twoFiltersTogetherTakeAll() {
    let order = order(
      ("user.seed < 50", true), (#"device.platform == "iOS""#, true), ("user.seed >= 50", true),
      ("user.seed == 70", true), (nil, true), ("user.seed == 3", true))
    #expect(order.places.map(\.reached) == [.some, .some, .some, .none, .none, .none])
    #expect(order.places[3].takenBy == [2])
    #expect(order.places[4].takenBy == [0, 2])
    #expect(order.others == .none)
  }

  @Test func aLimitLetsUsersThrough() {
    let order = order(("user.seed < 50", false), ("user.seed < 20", true), (nil, false))
    #expect(order.places.map(\.reached) == [.some, .some, .some])
    #expect(order.places[1].sharesUsersWith == [0])
    #expect(order.others == .some)
  }

  @Test func whatNobodyMatchesTakesNobody() {
    let order = order(
      ("user.seed < 0", true), ("user.seed <", true), ("user.seed == 1", true))
    #expect(order.places.map(\.matches) == [.none, .none, .some])
    #expect(order.places.map(\.reached) == [.none, .none, .some])
    #expect(order.places.map(\.takenBy) == [[], [], []])
  }

  @Test func whatIsUnknownDecidesNothing() {
    let order = order((#"user.name.matches("a+b")"#, true), (#"user.name == "aab""#, true))
    #expect(order.places[0].reached != .none)
    #expect(order.places[1].takenBy.isEmpty || order.places[1].reached == .none)
    let many = AudienceOrder(
      Array(
        repeating: AudienceOrder.Entry(filter: "user.seed < 50", keepsUsers: true),
        count: AudienceOrder.mostEntries + 1), environment: .standard, schema: .builtIn)
    #expect(many.places.allSatisfy { $0.reached == .undecided })
  }
}
