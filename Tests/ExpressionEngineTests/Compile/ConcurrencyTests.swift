import ExpressionEngine
import ExpressionSyntax
import Testing

@Suite("Filters and contexts are shared between tasks")
struct ConcurrencyTests {
  private static let filters = [
    "user.age >= 18 && device.platform == \"iOS\"",
    "user.tags.filter(t, t != \"b\") + [user.name + \"!\"]",
    "user.name.matches(user.pattern) && user.name.matches(\"^A.+\")",
    "device.echo({\"a\": [user.age, 1.5]}).a[0] + 1",
    "string(timestamp(\"2024-02-29T12:34:56Z\") + duration(\"1h\"))",
    "user.age in [1, 2, 25] ? user.gone.deeper : ghost",
    "user.name + 1",
  ]

  private static let context = Context(variables: [
    "user": ["age": 25, "name": "Ann", "tags": ["a", "b"], "pattern": "n+$"],
    "device": ["platform": "iOS"],
  ])

  @Test("one filter over one context answers the same in eight tasks", arguments: filters)
  func tasks(expression: String) async throws {
    let environment = FilterEnvironment(
      deviceFunctions: ["echo": { arguments, _ in arguments.first ?? .null }])
    let filter = try Filter(SourceText(expression), environment: environment)
    let wanted = try? filter.evaluate(Self.context)
    let differences = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<500).count { _ in (try? filter.evaluate(Self.context)) != wanted }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(differences == 0)
  }

  @Test("filters are compiled in eight tasks at once")
  func compiling() async {
    let failures = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<20).count { number in
            let text = "user.name.matches(\"n{\(number),}\") || user.age > \(number)"
            let filter = try? Filter(SourceText(text), environment: .standard)
            return filter?.matches(Self.context) != true
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(failures == 0)
  }
}
