import AudienceFilters
import CampaignCore
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// Turns users that a search found into contexts, and sees to it that the engine agrees.
struct WitnessSearch {
  let space: FilterSpace
  /// The levels that the filters read which the witness will be shown to.
  let relevant: Set<Int>
  private static let maximumLevels = 256
  /// The most attributes for which values are tried, and the most values of one that free parts
  /// mention.
  private static let maximumSources = 256
  private static let maximumValues = 256
  /// How many contexts are tried when a free part decides.
  var attempts = 400

  init(space: FilterSpace, relevant: Set<Int>) {
    self.space = space
    self.relevant = relevant
  }

  /// - Parameter formulas: The formulas that the witness will be shown to.
  init(space: FilterSpace, formulas: [Formula]) {
    self.init(space: space, relevant: space.levels(of: formulas))
  }

  /// A context for a found user for which a claim holds.
  ///
  /// - Parameter claim: The condition that the context must meet.
  /// - Returns: `nil` if no context was found for which it does.
  func witness(_ user: FoundUser, where claim: (Context) -> Bool) -> Witness? {
    space.evaluationsLeft -= relevant.count
    guard space.evaluationsLeft > 0 else { return nil }
    let draft = space.draft(user, relevant: relevant)
    if claim(draft.context) { return Witness(draft) }
    return searched(user, claim)
  }

  /// The outcomes assumed for the free parts on the way to a user, in words.
  func assumptions(of user: FoundUser) -> [String] {
    user.path.compactMap { level in
      guard case .free(let number) = space.levels[level],
        let outcome = space.freeOutcomes[number]?[user[level]]
      else { return nil }
      let text = space.conditions[number].text
      return switch outcome {
      case .true: "`\(text)` is true"
      case .false: "`\(text)` is false"
      case .failure: "`\(text)` fails"
      case .truthy, .falsy: "`\(text)` counts as \(outcome == .truthy)"
      }
    }
  }

  /// Tries values that the free parts mention.
  private func searched(
    _ user: FoundUser, _ claim: (Context) -> Bool
  ) -> Witness? {
    var candidates: [(source: Int, values: [Value])] = []
    var places: [Int: Int] = [:]
    // Among many filters those on the way to the user matter most.
    let levels = relevant.count <= Self.maximumLevels ? relevant.union(user.path) : Set(user.path)
    for level in levels.sorted() {
      guard case .free(let number) = space.levels[level] else { continue }
      let condition = space.conditions[number]
      let values = FreeValues(condition.text, dialect: space.dialect).values
        .prefix(Self.maximumValues)
      for source in condition.reads {
        if let known = places[source] {
          let room = Self.maximumValues - candidates[known].values.count
          candidates[known].values += values.prefix(max(0, room))
        } else if candidates.count < Self.maximumSources {
          places[source] = candidates.count
          candidates.append((source, Array(values)))
        }
      }
    }
    guard !candidates.isEmpty else { return nil }
    for index in candidates.indices {
      let source = candidates[index].source
      candidates[index].values += space.partitions[source].classes.prefix(64).compactMap(\.value)
    }
    let base = space.draft(user, relevant: relevant)
    var random = SplitMix64(seed: 1)
    let combinations = candidates.reduce(1) { $0 > 10_000 ? $0 : $0 * ($1.values.count + 1) }
    for attempt in 0..<min(attempts, combinations) {
      space.evaluationsLeft -= candidates.count
      guard space.evaluationsLeft > 0 else { return nil }
      var draft = base
      var rest = combinations <= attempts ? attempt : Int(random.next() >> 1)
      for (source, values) in candidates {
        let choice = rest % (values.count + 1)
        rest /= values.count + 1
        guard choice < values.count else { continue }
        draft.set(
          space.sources[source],
          to: ValueClass(kind: .text, value: values[choice], cost: 0, isSingle: false))
        if combinations > attempts { rest = Int(random.next() >> 1) }
      }
      if claim(draft.context) { return Witness(draft) }
    }
    return nil
  }
}

/// Values that may make a part of a filter true or false: those that it mentions, and their neighbours.
struct FreeValues {
  private(set) var values: [Value] = []
  private static let maximumMembers = 64

  init(_ text: String, dialect: Dialect.Name) {
    guard let tree = try? parse(SourceText(text), dialect: .named(dialect)) else { return }
    var members: [Value.Key: Value] = [:]
    for index in tree.nodes.indices {
      let id = NodeID(UInt32(truncatingIfNeeded: index))
      let node = tree[id]
      if tree.isLiteral(id), let value = tree.constant(of: id) { add(value) }
      // Members of a loop's elements: `s.productId == "x" && s.isActive`.
      guard node.kind == .select, members.count < Self.maximumMembers,
        let path = tree.attributePath(of: id), path.names.count == 1,
        !AttributeRoots.contains(path.root)
      else { continue }
      let compared = tree.nodes.first { parent in
        parent.kind == .binary && parent.op.isComparison
          && (parent.left == id || parent.right == id)
      }
      let other = compared.map { $0.left == id ? $0.right : $0.left }
      members[.string(path.names[0])] = other.flatMap { tree.constant(of: $0) } ?? .bool(true)
    }
    let plain = values
    if !members.isEmpty { values.insert(.list([.map(members)]), at: 0) }
    values += plain.map { .list([$0]) }
    values.append(.list([]))
  }

  private mutating func add(_ value: Value) {
    values.append(value)
    switch value {
    case .int(let number):
      values += [.int(number &+ 1), .int(number &- 1)]
    case .double(let number): values += [.double(number + 1), .double(number - 1)]
    case .string(let text):
      // The text of a pattern without its signs is often a match.
      let plain = text.filter { $0.isLetter || $0.isNumber || "@-_ ".contains($0) }
      if plain != text { values.append(.string(plain)) }
      values.append(.string(text + "x"))
    default: break
    }
  }
}
