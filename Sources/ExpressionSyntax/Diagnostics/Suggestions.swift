/// Finds what a misspelled name was meant to be.
package enum Suggestions {
  /// The names closest to a misspelled one: at most two, nearest first, none farther away than a
  /// third of its length (but always one edit).
  ///
  /// An edit inserts, deletes, replaces or swaps neighbours; names that differ in case alone are
  /// nearest.
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
    return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(2).map(\.name)
  }

  /// "did you mean `a`?", "did you mean `a` or `b`?", or `nil` if nothing is close.
  package static func help(for name: String, among candidates: some Sequence<String>) -> String? {
    let names = closest(to: name, among: candidates).map { "`\($0)`" }
    return names.isEmpty ? nil : "did you mean \(names.joined(separator: " or "))?"
  }

  /// The number of edits between two names, in the sense of ``closest(to:among:)``.
  package static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    editDistance(a, b)
  }

  /// The least number of insertions, deletions, replacements and swaps of neighbours.
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
