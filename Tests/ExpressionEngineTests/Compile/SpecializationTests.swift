import ExpressionSyntax
import Synchronization
import Testing

@testable import ExpressionEngine

@Suite("Code is specialized for shapes that return, and for a few of them only")
struct SpecializationTests {
  private static let text =
    "user.plan == \"pro\" && user.age >= 18 && user.age in [20, 25, 30] && user.name != \"x\""

  /// A context whose shape depends on `number`. All tests share a hundred shapes, because a process has
  /// only so many.
  private static func context(_ number: Int, age: Int64 = 25) -> Context {
    Context(
      variables: [
        "user": .map([
          "plan": "pro", "age": .int(age), "name": "y", .string("shape\(number)"): .null,
        ])
      ])
  }

  private static func filter() throws -> CompiledFilter {
    try CompiledFilter(Source(text), environment: .standard)
  }

  private static func copies(_ filter: CompiledFilter) -> [UInt] {
    var result: [UInt] = []
    let header = filter.program.header
    var entry = UnsafePointer<SpecializedCode>(
      bitPattern: header.pointee.specialized.pointee.load(ordering: .acquiring))
    while let known = entry {
      result.append(known.pointee.shapes)
      entry = known.pointee.next.map { UnsafePointer($0) }
    }
    return result
  }

  @Test("shapes that take turns get code, each its own")
  func takingTurns() throws {
    let filter = try Self.filter()
    let contexts = (0..<3).map { Self.context($0) }
    for _ in 0..<8 {
      for context in contexts { #expect(filter.matches(context)) }
    }
    let copies = Self.copies(filter)
    #expect(!copies.isEmpty && copies.count == Set(copies).count)
    for (number, context) in contexts.enumerated() {
      #expect(filter.matches(context))
      #expect(!filter.matches(Self.context(number, age: 17)))
    }
  }

  @Test("shapes that never return get none, and the answers stay the same")
  func passingBy() throws {
    let filter = try Self.filter()
    for number in 0..<100 {
      let isIn = number.isMultiple(of: 2)
      #expect(filter.matches(Self.context(number, age: isIn ? 25 : 26)) == isIn)
    }
    #expect(Self.copies(filter).isEmpty)
  }

  @Test("a shape that returns among many that do not gets code")
  func returning() throws {
    let filter = try Self.filter()
    let steady = Self.context(-1)
    for number in 0..<100 {
      #expect(filter.matches(Self.context(number)))
      #expect(filter.matches(steady))
    }
    #expect(Self.copies(filter).contains(steady.roots[filter.program.header.pointee.shapesIndex]))
  }

  @Test("there are never more copies than the limit")
  func limit() throws {
    let filter = try Self.filter()
    for number in 0..<20 {
      for _ in 0..<6 { #expect(filter.matches(Self.context(number))) }
    }
    #expect(Self.copies(filter).count == Program.maximumSpecializations)
    let isSettled = filter.program.header.pointee.isSettled.pointee.load(ordering: .relaxed)
    #expect(isSettled)
  }

  @Test("what plain code gives up is what the machine says")
  func givingUp() throws {
    for text in ["user.age + 1 > 3", "user.missing == \"a\" || user.age == 25", "user.plan > 3"] {
      let filter = try CompiledFilter(Source(text), environment: .standard)
      for (number, age) in [Int64(25), .max, 25, .max, 25, .max].enumerated() {
        let context = Self.context(number, age: age)
        let machine = filter.program.run(context)
        let outcome = ReferenceEvaluator.Outcome { () throws(EvaluationError) in
          try filter.evaluate(context)
        }
        #expect(outcome.isIdentical(to: machine), "\(text): \(outcome), not \(machine)")
      }
    }
  }
}
