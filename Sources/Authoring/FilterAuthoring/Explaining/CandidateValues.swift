import ExpressionEngine
import ExpressionSyntax

/// Values worth trying for an attribute so that several conditions on it hold: those that the
/// conditions mention, their neighbours, and combinations of the mentioned parts of texts and
/// lists.
struct CandidateValues {
  /// Numbers that conditions compare with.
  var numbers: [Double] = []
  /// Whether a number has a fraction or is a double, so that there may be values between integers.
  var hasDoubles = false
  /// Sizes that conditions require.
  var sizes: [Int] = []
  var prefixes: [String] = []
  var suffixes: [String] = []
  var parts: [String] = []
  /// Texts that conditions compare with.
  var texts: [String] = []
  /// Elements that a list should have.
  var elements: [Value] = []
  /// Elements that a list should not have.
  var unwanted: [Value] = []

  /// The largest size of a text or a list that is made up.
  private static let largestSize = 64
  /// The largest number of values of each kind, so that long filters stay cheap.
  private static let limit = 24

  /// Returns the values, the most natural first.
  func values(current: Value?) -> [Value] {
    var result = numberValues()
    let isList = if case .list? = current { true } else { false }
    let isText = if case .string? = current { true } else { false }
    let lists = listValues(current)
    let texts = textValues(current)
    result += isList || (!elements.isEmpty && !isText) ? lists + texts : texts + lists
    return result
  }

  private func numberValues() -> [Value] {
    let sorted = Array(Set(numbers.filter { $0.isFinite })).sorted().prefix(Self.limit)
    var points: [Double] = []
    for number in sorted { points += [number, number + 1, number - 1] }
    for (low, high) in zip(sorted, sorted.dropFirst()) {
      points += [low.rounded(.down) + 1, low + (high - low) / 2]
    }
    for number in sorted { points += [number.nextUp, number.nextDown] }
    return points.map { point in
      !hasDoubles && point == point.rounded() && abs(point) < 1e15
        ? .int(Int64(point)) : .double(point)
    }
  }

  private func textValues(_ current: Value?) -> [Value] {
    guard !prefixes.isEmpty || !suffixes.isEmpty || !parts.isEmpty || !sizes.isEmpty else {
      return []
    }
    var bases: [String] = []
    let starts = prefixes.sorted { $0.utf8.count > $1.utf8.count }
    let ends = suffixes.sorted { $0.utf8.count > $1.utf8.count }
    let middle = parts.joined()
    if case .string(let text)? = current { bases += [text, text + middle] }
    bases.append((starts.first ?? "") + middle + (ends.first ?? ""))
    // Parts may overlap: `startsWith("ab") && endsWith("b")` needs no second `b`.
    if let start = starts.first, let end = ends.first {
      for count in stride(from: min(start.count, end.count), to: 0, by: -1)
      where start.hasSuffix(end.prefix(count)) {
        bases.append(start + end.dropFirst(count))
        break
      }
    }
    bases += texts.prefix(Self.limit)
    var result = bases
    for size in wantedSizes() {
      for base in bases + [""] {
        let missing = size - base.utf8.count
        guard missing >= 0 else {
          if base.utf8.allSatisfy({ $0 < 0x80 }) { result.append(String(base.prefix(size))) }
          continue
        }
        let fill = String(repeating: "a", count: missing)
        let end = ends.first ?? ""
        result.append(
          !end.isEmpty && base.hasSuffix(end) ? base.dropLast(end.count) + fill + end : base + fill)
      }
    }
    return result.map { .string($0) }
  }

  private func listValues(_ current: Value?) -> [Value] {
    guard !elements.isEmpty || !unwanted.isEmpty || !sizes.isEmpty else { return [] }
    var existing: [Value] = []
    if case .list(let some)? = current { existing = some }
    let kept = existing.filter { !unwanted.contains($0) }
    let wanted = elements.filter { !kept.contains($0) && !unwanted.contains($0) }
    var result = [kept + wanted, kept]
    if let one = wanted.first { result.append(kept + [one]) }
    for size in wantedSizes() {
      var list = Array((wanted + kept).prefix(max(size, min(wanted.count, size))))
      while list.count < size { list.append(.string("item \(list.count + 1)")) }
      result.append(list)
    }
    return result.map { .list($0) }
  }

  private func wantedSizes() -> [Int] {
    var seen: Set<Int> = []
    return sizes.filter { $0 >= -1 && $0 <= Self.largestSize + 1 }.flatMap { [$0, $0 + 1, $0 - 1] }
      .filter { $0 >= 0 && $0 <= Self.largestSize && seen.insert($0).inserted }
  }
}
