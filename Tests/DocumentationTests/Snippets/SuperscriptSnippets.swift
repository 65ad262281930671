import Superscript
import Testing

// The Swift of the documentation of the reference evaluator's interface.

@Suite("Swift in the article about migrating")
@MainActor struct SuperscriptSnippets {
  @Test("migrating")
  func migrating() {
    final class Host: HostContext {
      func computedProperty(name: String, args: String, callback: ResultCallback) {
        callback.onResult(result: "")
      }
      func deviceProperty(name: String, args: String, callback: ResultCallback) {
        Task { callback.onResult(result: #"{"type": "int", "value": 3}"#) }
      }
    }
    let answer = evaluateWithContext(
      definition: """
        {"variables": {"map": {"user": {"type": "map", "value": {"age": {"type": "int", "value": 25}}}}},
         "expression": "user.age >= 18 && device.daysSince(\\"app_open\\") == 3",
         "device": {"daysSince": []}, "computed": null}
        """, context: Host())
    // {"Ok":{"type":"bool","value":true}}
    #expect(answer == #"{"Ok":{"type":"bool","value":true}}"#)
  }
}
