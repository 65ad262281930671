/// Finds the names that a misspelled name was probably meant to be.
package enum Suggestions {
  /// Returns the names closest to a misspelled one: at most two, nearest first. The distance is at
  /// most a third of the name's length, but one edit is always allowed.
  ///
  /// An edit inserts, deletes or replaces a character, or swaps two neighbours. Names that differ
  /// only in case are nearest.
  ///
  /// - Complexity: O(n · m) per candidate of similar length.
  package static func closest(to name: String, among candidates: some Sequence<String>) -> [String]
  {
    let target = Array(name.lowercased().unicodeScalars)
    guard !target.isEmpty, target.count <= 64 else { return [] }
    let limit = max(1, target.count / 3)
    var found: [(name: String, distance: Int)] = []
    for candidate in candidates
    where candidate != name && !found.contains(where: { $0.name == candidate }) {
      let scalars = Array(candidate.lowercased().unicodeScalars)
      guard abs(scalars.count - target.count) <= limit else { continue }
      let distance = editDistance(target, scalars)
      if distance <= limit { found.append((candidate, distance)) }
    }
    return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(2).map {
      $0.name
    }
  }

  /// Returns "did you mean `a`?" or "did you mean `a` or `b`?"; `nil` if no name is close.
  package static func help(for name: String, among candidates: some Sequence<String>) -> String? {
    let names = closest(to: name, among: candidates).map { "`\($0)`" }
    return names.isEmpty ? nil : "did you mean \(names.joined(separator: " or "))?"
  }

  /// Returns the number of edits between two names, as ``closest(to:among:)`` counts them.
  package static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    editDistance(a, b)
  }

  /// Returns the least number of insertions, deletions, replacements and swaps of neighbours.
  static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, previous[j + 1] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        row.append(best)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
