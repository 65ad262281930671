/// The instants at which something happened, in order, with those that were compacted away kept as
/// a number and a last instant.
package struct InstantLog: Sendable {
  package init() {}

  private var instants: [WallTime] = []
  private var compactedCount = 0
  private var lastCompacted: WallTime?

  /// Adds an instant. Appending is the usual case; a clock that was set back inserts.
  package mutating func insert(_ instant: WallTime) {
    if let last = instants.last, instant < last {
      instants.insert(instant, at: firstIndex(notBefore: instant))
    } else {
      instants.append(instant)
    }
  }

  /// Takes back one ``insert(_:)`` of the same instant.
  package mutating func remove(_ instant: WallTime) {
    let index = firstIndex(notBefore: instant)
    if index < instants.count, instants[index] == instant { instants.remove(at: index) }
  }

  package func count(since start: WallTime?) -> Int {
    guard let start else { return compactedCount + instants.count }
    return instants.count - firstIndex(notBefore: start)
  }

  package func last(before end: WallTime?) -> WallTime? {
    guard let end else { return instants.last ?? lastCompacted }
    let index = firstIndex(notBefore: end)
    if index > 0 { return instants[index - 1] }
    return lastCompacted.flatMap { $0 < end ? $0 : nil }
  }

  package func newest(_ limit: Int) -> [WallTime] { instants.suffix(limit).reversed() }

  package mutating func compact(before instant: WallTime) {
    let index = firstIndex(notBefore: instant)
    guard index > 0 else { return }
    compactedCount += index
    lastCompacted = max(lastCompacted ?? instants[index - 1], instants[index - 1])
    instants.removeFirst(index)
  }

  private func firstIndex(notBefore instant: WallTime) -> Int {
    var low = 0
    var high = instants.count
    while low < high {
      let middle = (low + high) / 2
      if instants[middle] < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
