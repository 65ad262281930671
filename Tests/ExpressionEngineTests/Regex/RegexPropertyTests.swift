import LinearRegex
import TestSupport
import Testing

@testable import ExpressionEngine

/// A pattern as a tree, with the plainest matcher there is: sets of end positions.
private indirect enum Node {
  case literal(Character)
  case any
  case set(Set<Character>, isNegated: Bool)
  case start
  case end
  case boundary
  case sequence([Node])
  case choice([Node])
  case repetition(Node, Int, Int?, isLazy: Bool)
  case group(Node)

  var pattern: String {
    switch self {
    case .literal(let character): return "\(character)"
    case .any: return "."
    case .set(let set, let isNegated): return "[\(isNegated ? "^" : "")\(String(set.sorted()))]"
    case .start: return "^"
    case .end: return "$"
    case .boundary: return "\\b"
    case .sequence(let nodes): return nodes.map(\.pattern).joined()
    case .choice(let nodes): return "(?:" + nodes.map(\.pattern).joined(separator: "|") + ")"
    case .repetition(let node, let minimum, let maximum, let isLazy):
      let count = maximum.map { $0 == minimum ? "{\(minimum)}" : "{\(minimum),\($0)}" }
      let shown =
        (minimum, maximum) == (0, nil) ? "*" : (minimum, maximum) == (1, nil) ? "+" : nil
      return "(?:\(node.pattern))" + (shown ?? count ?? "{\(minimum),}") + (isLazy ? "?" : "")
    case .group(let node): return "(\(node.pattern))"
    }
  }

  func ends(_ text: [Character], from position: Int) -> Set<Int> {
    func one(_ holds: (Character) -> Bool) -> Set<Int> {
      position < text.count && holds(text[position]) ? [position + 1] : []
    }
    func isWord(_ index: Int) -> Bool { text.indices.contains(index) && text[index].isLetter }
    switch self {
    case .literal(let character): return one { $0 == character }
    case .any: return one { $0 != "\n" }
    case .set(let set, let isNegated): return one { set.contains($0) != isNegated }
    case .start: return position == 0 ? [position] : []
    case .end: return position == text.count ? [position] : []
    case .boundary: return isWord(position - 1) != isWord(position) ? [position] : []
    case .group(let node): return node.ends(text, from: position)
    case .choice(let nodes):
      return nodes.reduce(into: []) { $0.formUnion($1.ends(text, from: position)) }
    case .sequence(let nodes):
      return nodes.reduce([position]) { positions, node in
        positions.reduce(into: []) { $0.formUnion(node.ends(text, from: $1)) }
      }
    case .repetition(let node, let minimum, let maximum, _):
      var current: Set<Int> = [position]
      var all: Set<Int> = minimum == 0 ? current : []
      // More rounds than characters add no new position once the minimum is reached.
      for round in 1...max(minimum, maximum ?? 0, text.count + 1) {
        if let maximum, round > maximum { break }
        current = current.reduce(into: []) { $0.formUnion(node.ends(text, from: $1)) }
        if round >= minimum { all.formUnion(current) }
        if current.isEmpty { break }
      }
      return all
    }
  }

  static func random(_ depth: Int, using generator: inout SeededGenerator) -> Node {
    let letters: [Character] = ["a", "b", "é", "\n"]
    func some<Element>(_ elements: [Element], _ other: Element) -> Element {
      elements.randomElement(using: &generator) ?? other
    }
    switch Int.random(in: 0...(depth > 0 ? 12 : 6), using: &generator) {
    case 0...2: return .literal(some(["a", "b", "é"], "a"))
    case 3: return .any
    case 4:
      let members = Set((0...1).map { _ in some(letters, "a") })
      return .set(members, isNegated: Bool.random(using: &generator))
    case 5: return some([.start, .end, .boundary], .end)
    case 6: return .sequence([])
    case 7, 8:
      return .sequence(
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          random(depth - 1, using: &generator)
        })
    case 9:
      return .choice((0...1).map { _ in random(depth - 1, using: &generator) })
    case 10: return .group(random(depth - 1, using: &generator))
    default:
      let counts: [(Int, Int?)] = [(0, nil), (1, nil), (0, 1), (2, 2), (1, 3), (2, nil), (0, 2)]
      let (minimum, maximum) = some(counts, (0, nil))
      return .repetition(
        random(depth - 1, using: &generator), minimum, maximum,
        isLazy: Bool.random(using: &generator))
    }
  }
}

@Suite("Regex properties")
struct RegexPropertyTests {
  @Test("With and without PCRE2, answers agree with sets of positions on random patterns")
  func agreesWithTheModel() throws {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<2_000 {
      let node = Node.random(4, using: &generator)
      for syntax in RegexSyntax.allCases {
        // Without Unicode, é is no letter, and the model knows only letters.
        if syntax == .re2, node.pattern.contains("\\b") { continue }
        let regex = try compile(node.pattern, syntax).get()
        let linear = try compile(node.pattern, syntax, usesPCRE2: false).get()
        for _ in 0..<4 {
          let text = (0..<Int.random(in: 0...7, using: &generator)).map { _ -> Character in
            ["a", "b", "é", "\n"].randomElement(using: &generator) ?? "a"
          }
          let expected = (0...text.count).contains { !node.ends(text, from: $0).isEmpty }
          #expect(
            search(regex, String(text)) == .success(expected), "\(node.pattern) \(String(text))")
          #expect(
            search(linear, String(text)) == .success(expected),
            "linear \(node.pattern) \(String(text))")
        }
      }
    }
  }
}
