package import ExpressionEngine

/// A user in the making: the attributes that were given a value.
package struct UserDraft {
  /// What is at a place: a value, or an object in the making.
  private indirect enum Member {
    case value(Value)
    case object([String: Member])

    /// The place as an object, which a value gives way to unless it is one.
    var members: [String: Member] {
      switch self {
      case .object(let members): return members
      case .value(.map(let entries)):
        var members: [String: Member] = [:]
        for case (.string(let key), let value) in entries { members[key] = .value(value) }
        return members
      case .value: return [:]
      }
    }

    var value: Value {
      switch self {
      case .value(let value): return value
      case .object(let members):
        return .map(
          Dictionary(uniqueKeysWithValues: members.map { (.string($0.key), $0.value.value) }))
      }
    }
  }

  private var members: [String: Member] = [
    "user": .object([:]), "device": .object([:]), "params": .object([:]),
  ]
  package private(set) var answers: [String: Value] = [:]

  /// No particular user.
  package init() {}

  /// A user who has attributes already.
  package init(variables: [String: Value], answers: [String: Value]) {
    members = variables.mapValues { .value($0) }
    self.answers = answers
  }

  /// The attributes.
  package var variables: [String: Value] { members.mapValues { $0.value } }

  /// Gives an attribute a value.
  package mutating func set(_ path: AttributePath, to value: Value) {
    Self.set(([path.root] + path.names)[...], in: &members, to: value)
  }

  /// Gives a source a value of a class.
  package mutating func set(_ source: Source, to valueClass: ValueClass) {
    switch source.kind {
    case .history(let function, let event):
      answers["\(function)(\(event))"] = valueClass.value ?? .null
    case .attribute, .legacyKey:
      let path = [source.path.root] + source.path.names
      switch valueClass.kind {
      case .parentMissing: break
      case .missing:
        guard source.hasParent, !source.path.names.isEmpty else { return }
        // The object is there, and the value is not in it.
        Self.set(path.dropLast(), in: &members, to: nil)
      default: Self.set(path[...], in: &members, to: valueClass.value)
      }
    }
  }

  /// - Parameter value: `nil` makes an object of what is at the path, unless it is one.
  private static func set(
    _ path: ArraySlice<String>, in members: inout [String: Member], to value: Value?
  ) {
    guard let name = path.first else { return }
    let rest = path.dropFirst()
    if rest.isEmpty, let value {
      members[name] = .value(value)
      return
    }
    // Taken out, so that it is changed in place.
    var inner = members.removeValue(forKey: name)?.members ?? [:]
    set(rest, in: &inner, to: value)
    members[name] = .object(inner)
  }

  /// The user as filters see them.
  package var context: Context {
    Context(variables: variables).replacing(hostState: HistoryAnswers(answers).hostState)
  }
}
