package import ExpressionEngine

/// A part of filters without connectives, with what it reads.
package struct Condition {
  package let text: String
  /// The sources that it reads, by number, in source order.
  package let reads: [Int]
  /// The things that it compares each of them with.
  package let needs: [Int: Needs]
  /// Why it is taken as free; `nil` if it is not.
  package var reason: FreePart.Reason?
  /// Whether no two classes are known to give the same.
  package var asksEachClass = false
  /// The compiled condition; `nil` if it cannot be compiled by itself.
  package let fragment: CompiledFragment?
  /// The outcomes that it can have, if it is free.
  package let possible: OutcomeSet

  /// Returns the outcome that the engine computes.
  package func outcome(_ context: Context) -> Outcome {
    fragment.map { Outcome($0, context) } ?? .failure
  }
}

/// A user in the making: the attributes that were given a value.
package struct UserDraft {
  package private(set) var variables: [String: Value] = [
    "user": .map([:]), "device": .map([:]), "params": .map([:]),
  ]
  package private(set) var answers: [String: Value] = [:]

  /// Nobody in particular.
  package init() {}

  /// A user who has attributes already.
  package init(variables: [String: Value], answers: [String: Value]) {
    self.variables = variables
    self.answers = answers
  }

  /// Gives a source a value of a class.
  package mutating func set(_ source: Source, to valueClass: ValueClass) {
    switch source.kind {
    case .history(let function, let event):
      answers["\(function)(\(event))"] = valueClass.value ?? .null
    case .attribute, .legacyKey:
      switch valueClass.kind {
      case .parentMissing: break
      case .missing:
        guard source.hasParent, !source.path.names.isEmpty else { return }
        // The object is there, and the value is not in it.
        let parent = source.path.names.dropLast()
        let path = [source.path.root] + parent
        variables = Self.setting(path[...], in: variables, to: nil)
      default:
        let path = [source.path.root] + source.path.names
        variables = Self.setting(path[...], in: variables, to: valueClass.value)
      }
    }
  }

  /// - Parameter value: `nil` makes an object of what is at the path, unless it is one.
  private static func setting(
    _ path: ArraySlice<String>, in members: [String: Value], to value: Value?
  ) -> [String: Value] {
    guard let name = path.first else { return members }
    var members = members
    let rest = path.dropFirst()
    if rest.isEmpty, let value {
      members[name] = value
      return members
    }
    var inner: [String: Value] = [:]
    if case .map(let entries)? = members[name] {
      for case (.string(let key), let value) in entries { inner[key] = value }
    }
    inner = setting(rest, in: inner, to: value)
    members[name] = .map(
      Dictionary(uniqueKeysWithValues: inner.map { (Value.Key.string($0.key), $0.value) }))
    return members
  }

  /// The user as filters see them.
  package var context: Context {
    Context(variables: variables).replacing(hostState: HistoryAnswers(answers).hostState)
  }
}
