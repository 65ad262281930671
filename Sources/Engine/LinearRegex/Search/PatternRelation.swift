/// The texts that two patterns have in common, for checks of what people write.
///
/// Decided on the product of the two automata: two texts that lead to the same pair of states are
/// alike for both patterns, so one text for each pair is enough.
public enum PatternRelation: Sendable, Hashable {
  /// No text matches both.
  case disjoint
  /// Every text that matches the first matches the second, and there is one.
  case included
  /// Some texts that match the first match the second, and some do not.
  case overlapping

  /// The most states of each automaton, and the most pairs of states.
  private static let stateLimit = 1_024
  private static let pairLimit = 16_384
  private static let stepLimit = 200_000

  /// Compares the texts that two patterns match.
  ///
  /// - Parameters:
  ///   - first: A pattern, in UTF-8.
  ///   - second: Another one.
  /// - Returns: `nil` if a pattern is not valid, or if the automata are too large.
  /// - Complexity: O(pairs of states × symbols), within fixed limits.
  public static func between(
    _ first: [UInt8], _ second: [UInt8], syntax: RegexSyntax
  ) -> PatternRelation? {
    guard let left = node(first, syntax), let right = node(second, syntax) else { return nil }
    // One set of symbols for both, so that their tables have the same columns. The order of nodes
    // in a sequence is kept, and literals in it stay sets of their scalars.
    let symbols = SymbolMap(.sequence([left, right]))
    guard var first = table(left, symbols), var second = table(right, symbols) else { return nil }
    return walk(&first, &second, symbols)
  }

  private static func node(_ pattern: [UInt8], _ syntax: RegexSyntax) -> RegexNode? {
    pattern.withUnsafeBufferPointer { bytes in
      var parser = RegexParser(bytes, syntax: syntax)
      guard let node = try? parser.parse(), !CompiledSize.isExceeded(by: node) else { return nil }
      return node
    }
  }

  private static func table(_ node: RegexNode, _ symbols: SymbolMap) -> LazyTable? {
    let automaton = AutomatonBuilder.build(node, symbols, keepsGroups: false)
    var table = LazyTable(RegexProgram.Core(automaton, symbols, isAnchored: node.isAnchored))
    guard table.complete(stateLimit: stateLimit, stepLimit: stepLimit) else { return nil }
    return table
  }

  /// Returns a shortest text that a pattern matches, of letters and digits where it may be.
  ///
  /// - Returns: `nil` if the pattern is not valid, matches no text, or has a large automaton.
  public static func shortestText(_ pattern: [UInt8], syntax: RegexSyntax) -> String? {
    guard let node = node(pattern, syntax) else { return nil }
    let symbols = SymbolMap(node)
    guard var table = table(node, symbols) else { return nil }
    let letters = symbols.representatives
    var seen: Set<UInt32> = [table.firstState()]
    var work: [(state: UInt32, text: String)] = [(table.firstState(), "")]
    var place = 0
    while place < work.count {
      let (state, text) = work[place]
      place += 1
      if state == table.match || table.next(state, symbols.end) == table.match { return text }
      for (symbol, letter) in letters {
        let next = table.next(state, symbol)
        guard next != LazyTable.dead, seen.insert(next).inserted else { continue }
        work.append((next, text + String(letter)))
      }
    }
    return nil
  }

  private struct Pair: Hashable {
    let first: UInt32
    let second: UInt32
  }

  private static func walk(
    _ first: inout LazyTable, _ second: inout LazyTable, _ symbols: SymbolMap
  ) -> PatternRelation? {
    let start = Pair(first: first.firstState(), second: second.firstState())
    var seen: Set<Pair> = [start]
    var work = [start]
    var hasCommon = false
    var hasOther = false
    while let pair = work.popLast() {
      // Nothing that follows matches the first.
      if pair.first == LazyTable.dead { continue }
      if first.next(pair.first, symbols.end) == first.match {
        if second.next(pair.second, symbols.end) == second.match {
          hasCommon = true
        } else {
          hasOther = true
        }
        if hasCommon, hasOther { return .overlapping }
      }
      for symbol in 0..<symbols.end {
        let next = Pair(
          first: first.next(pair.first, symbol), second: second.next(pair.second, symbol))
        guard seen.insert(next).inserted else { continue }
        guard seen.count <= pairLimit else { return nil }
        work.append(next)
      }
    }
    return hasCommon ? .included : .disjoint
  }
}
