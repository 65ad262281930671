import ExpressionCoding
package import ExpressionEngine
import FilterAnalysis

/// A user to try filters with, from a context file.
package struct SampleUser: Sendable {
  /// The name for people, such as the name of the file.
  package let name: String
  /// The attributes.
  package let context: Context
  /// The attributes by root.
  let variables: [String: Value]

  /// The results of the functions of the app: `daysSince(app_open)`, or `daysSince` for all events.
  struct Answers: Sendable {
    let results: [String: Value]

    func answer(to name: String, _ arguments: [Value]) -> Value? {
      if case .string(let event)? = arguments.first, let answer = results["\(name)(\(event))"] {
        return answer
      }
      return results[name]
    }
  }

  /// Reads a user from JSON: `{"user": {…}, "device": {…}, "params": {…}, "host": {…}}`.
  ///
  /// Roots that are missing are empty, as for `swexpr match`. It returns `nil` if the text is not
  /// an object of objects.
  package init?(name: String, json: [UInt8]) {
    let document = try? json.withUnsafeBufferPointer { bytes throws(JSONError) in
      try Value(json: bytes)
    }
    guard case .map(let entries)? = document else { return nil }
    var variables: [String: Value] = ["user": .map([:]), "device": .map([:]), "params": .map([:])]
    var answers: [String: Value] = [:]
    for (key, value) in entries {
      guard case .map(let members) = value else { return nil }
      if key.text == "host" {
        for (call, result) in members { answers[call.text] = result }
      } else {
        variables[key.text] = value
      }
    }
    self.name = name
    self.variables = variables
    let context = Context(variables: variables)
    #if hasFeature(Embedded)
      // Without values of any type there is no state; JavaScript calls the functions of the app.
      self.context = context
    #else
      self.context = context.replacing(hostState: Answers(results: answers))
    #endif
  }
}

/// The attributes that some sample users have, for completion.
package struct SampleAttributes: Sendable {
  /// An attribute with the kind and the different texts of its values.
  struct Entry: Sendable {
    var kind: String
    var texts: [String] = []
  }

  /// The attributes by path.
  private(set) var entries: [String: Entry] = [:]

  /// The greatest number of attributes, of levels, and of texts of one attribute that are kept.
  private static let limits = (attributes: 5_000, depth: 8, texts: 20)

  /// Collects the attributes of users.
  package init(_ users: [SampleUser]) {
    for user in users {
      for (root, value) in user.variables { add(value, at: AttributePath(root: root)) }
    }
  }

  private mutating func add(_ value: Value, at path: AttributePath) {
    if case .map(let members) = value, path.names.count < Self.limits.depth {
      for (key, member) in members {
        guard case .string(let name) = key else { continue }
        add(member, at: AttributePath(root: path.root, names: path.names + [name]))
      }
    }
    guard !path.names.isEmpty, !value.isNull else { return }
    let name = path.description
    guard entries[name] != nil || entries.count < Self.limits.attributes else { return }
    var entry = entries[name] ?? Entry(kind: value.kindName)
    if case .string(let text) = value, !entry.texts.contains(text),
      entry.texts.count < Self.limits.texts
    {
      entry.texts.append(text)
    }
    entries[name] = entry
  }
}
