import AudienceFilters
import ExpressionCoding
import ExpressionEngine
import Superscript

/// The tree of a filter as JSON means the same as its text.
enum TreeTarget {
  static func run(_ input: FuzzInput) {
    let tree = ReferenceInterface.parseToAst(expression: input.first)
    let value: Value
    do throws(JSONError) {
      value = try Value(json: tree, reading: .init(maximumDepth: 1_024))
    } catch {
      require(error.kind == .tooDeep, "the tree is not JSON: \(tree)")
      // Such trees are written, but not read.
      let result = ReferenceInterface.evaluateAstWithContext(
        definition: "{\"variables\": {\"map\": {}}, \"expression\": \(tree)}", host: Host())
      return require(result.hasPrefix("{\"Err\""), "a tree that is too deep gives \(result)")
    }
    let text = Value.string(input.first).jsonText()
    if case .map(let members) = value, members["Err"] != nil {
      require(
        (try? Filter(input.first)) == nil, "the text compiles, but has no tree: \(tree)")
      return
    }
    let rest = """
      "variables": {"map": {"user": {"type": "map", "value": {
        "age": {"type": "int", "value": 25}, "name": {"type": "string", "value": "Ada"}}}}},
      "device": {"echo": []}, "computed": null
      """
    let ofText = ReferenceInterface.evaluateWithContext(
      definition: "{\(rest), \"expression\": \(text)}", host: Host())
    let ofTree = ReferenceInterface.evaluateAstWithContext(
      definition: "{\(rest), \"expression\": \(tree)}", host: Host())
    // Errors show the source, which only the text has.
    if ofText.hasPrefix("{\"Ok\"") || ofTree.hasPrefix("{\"Ok\"") {
      require(ofText == ofTree, "the text gives \(ofText), its tree \(ofTree)")
    }
  }

  /// A host whose functions return their first argument, or null.
  struct Host: ReferenceInterface.HostContext {
    func computedProperty(name: String, args: String) -> String { result(args) }
    func deviceProperty(name: String, args: String) -> String { result(args) }

    private func result(_ arguments: String) -> String {
      guard let value = try? Value(json: arguments), case .list(let list) = value,
        let first = list.first
      else { return "" }
      return first.jsonText()
    }
  }
}
