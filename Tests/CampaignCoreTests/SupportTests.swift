import CampaignCore
import Testing

@Suite("What decisions rest on")
struct SupportTests {
  @Test("a log of instants stays in order, takes back one instant, and keeps what it compacts")
  func instants() {
    let instants = [10, 30, 20, 20].map { WallTime(milliseconds: $0) }
    let (first, last, middle) = (instants[0], instants[1], instants[2])
    var log = InstantLog()
    for instant in instants { log.insert(instant) }
    #expect(log.newest(9) == [last, middle, middle, first])
    log.remove(middle)
    #expect(log.newest(9) == [last, middle, first])
    // Nothing happened then.
    log.remove(WallTime(milliseconds: 25))
    log.remove(WallTime(milliseconds: 40))
    #expect(log.newest(9) == [last, middle, first])
    log.compact(before: last)
    #expect(log.newest(9) == [last])
    #expect(log.count(since: nil) == 3)
    #expect(log.count(since: last) == 1)
    #expect(log.last(before: last) == middle)
    #expect(log.last(before: middle) == nil)
    #expect(log.last(before: nil) == last)
  }

  @Test("one possible result takes no random number")
  func certainty() {
    let (source, other) = (SeededRandomSource(seed: 7), SeededRandomSource(seed: 7))
    #expect(source.uniform(below: 1) == 0)
    #expect(source.uniform(below: .max) == other.uniform(below: .max))
  }
}
