import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import FilterAnalysis

/// What is read from JSON is written as JSON that reads the same, by every reader.
enum JSONTarget {
  static func run(_ input: FuzzInput) {
    let text = input.text
    let value = try? Value(json: text)
    _ = try? Value(json: text, reading: .init(numbers: .doubles, duplicates: .error))
    if let value {
      for pretty in [false, true] {
        let written = value.jsonText(pretty: pretty)
        guard let again = try? Value(json: written) else { report("broken JSON: \(written)") }
        require(again == value, "\(value) is written as \(written), and read as \(again)")
      }
    }
    compareContexts(text, value)
    if let context = try? Context(passableJSON: text) { _ = context.snapshot() }
    if let schema = try? AttributeSchema(json: text) {
      let written = schema.jsonText()
      guard let again = try? AttributeSchema(json: written) else {
        report("the schema is written as text that it cannot read: \(written)")
      }
      require(again == schema, "the schema changes when it is written: \(written)")
    }
  }

  private static func compareContexts(_ text: String, _ value: Value?) {
    let context = try? Context(json: text)
    guard case .map(let members)? = value else {
      require(context == nil, "a context from what is no object")
      return
    }
    guard let context else { report("an object, but no context") }
    var variables: [String: Value] = [:]
    for case (.string(let name), let value) in members { variables[name] = value }
    // Two names with the same letters in other code points are one key of a dictionary.
    guard variables.count == members.count else { return }
    let expected = Context(variables: variables).snapshot()
    let found = context.snapshot()
    require(found == expected, "the context is \(found), expected \(expected)")
  }
}
