/// The passes that make programs faster and must not change any result, each with a switch.
///
/// Only tests and tools switch them off: whatever a filter means has to be the same without any of
/// them.
package struct Optimizations: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Operations on constants are evaluated when the filter is compiled, and literal lists and maps
  /// become constants.
  package static let folding = Optimizations(rawValue: 1 << 0)
  /// A constant list of keys on the right of `in` becomes a set.
  package static let sets = Optimizations(rawValue: 1 << 1)
  /// The size of a filtered list is counted without building the list.
  package static let counting = Optimizations(rawValue: 1 << 2)
  /// Values that are always bools are not tested for it.
  package static let bools = Optimizations(rawValue: 1 << 3)
  /// Functions with a constant argument have instructions of their own, and patterns are compiled
  /// with the filter.
  package static let intrinsics = Optimizations(rawValue: 1 << 4)
  /// Constant operands are read from the pool, and locals from their registers.
  package static let operands = Optimizations(rawValue: 1 << 5)
  /// Conditions are decided by a graph.
  package static let graph = Optimizations(rawValue: 1 << 6)
  /// The graph decides loops.
  package static let graphLoops = Optimizations(rawValue: 1 << 7)
  /// The graph looks up words in a perfect hash set.
  package static let wordSets = Optimizations(rawValue: 1 << 8)
  /// The graph decides although it skips operands that may fail, where the kinds rule that out.
  package static let guards = Optimizations(rawValue: 1 << 9)
  /// Ints in a range are counted without deciding about each.
  package static let ranges = Optimizations(rawValue: 1 << 10)
  /// PCRE2 matches the texts for which it is faster, where it is built in.
  package static let pcre2 = Optimizations(rawValue: 1 << 11)

  /// All passes with their names.
  package static let named: [(name: String, pass: Optimizations)] = [
    ("folding", .folding), ("sets", .sets), ("counting", .counting), ("bools", .bools),
    ("intrinsics", .intrinsics), ("operands", .operands), ("graph", .graph),
    ("graphLoops", .graphLoops), ("wordSets", .wordSets), ("guards", .guards),
    ("ranges", .ranges), ("pcre2", .pcre2),
  ]

  package static let all = Optimizations(named.map { $0.pass })
}
