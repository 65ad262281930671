import Superscript
import Testing

// The Swift of the documentation of the reference evaluator's interface.

@Suite("Swift in the article about migrating")
@MainActor struct SuperscriptSnippets {
  @Test("migrating")
  func migrating() {
    struct Host: ReferenceInterface.HostContext {
      func computedProperty(name: String, args: String) -> String { "" }
      func deviceProperty(name: String, args: String) -> String { "" }
    }
    let answer = ReferenceInterface.evaluateWithContext(
      definition: """
        {"variables": {"map": {"user": {"type": "map", "value": {"age": {"type": "int", "value": 25}}}}},
         "expression": "user.age >= 18", "device": null, "computed": null}
        """, host: Host())
    // {"Ok":{"type":"bool","value":true}}
    #expect(answer == #"{"Ok":{"type":"bool","value":true}}"#)
  }
}
