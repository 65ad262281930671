import ExpressionSyntax
import TestSupport
import Testing

@testable import FilterAuthoring

@Suite("Sets of places")
struct SpanSetTests {
  @Test("A set overlaps what one of its places overlaps")
  func overlaps() {
    var random = SeededGenerator(seed: 5)
    var hits = 0
    for _ in 0..<2_000 {
      let spans = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        SourceSpan(
          start: .random(in: 0...30, using: &random), length: .random(in: 0...4, using: &random))
      }
      let set = SpanSet(spans)
      for start in UInt32(0)...36 {
        let place = SourceSpan(start: start, length: start % 4)
        let expected = spans.contains { $0.overlaps(place) }
        if expected { hits += 1 }
        #expect(set.overlaps(place) == expected, "\(place) in \(spans)")
      }
    }
    #expect(hits > 1_000)
  }
}
