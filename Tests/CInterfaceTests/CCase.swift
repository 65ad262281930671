import AudienceFilters
import CSwexpr
import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax
import FilterAuthoring
import FilterCorpus

/// A request as the C interface takes it.
struct CCase {
  let text: String
  let options: String
  let context: String
  let host: TestHost
  /// The calls of host functions so far: names, arguments and replies.
  let calls = Locked<[[String]]>([])

  /// Translates a request; `nil` if it needs what the C interface does not have: declarations,
  /// switches of the cel dialect, values that tagged JSON does not carry.
  init?(_ request: CaseRequest) {
    guard case .expression(let text) = request.question, request.declarations.isEmpty,
      request.flags.subtracting([.lints, .disablesCheck]).isEmpty
    else { return nil }
    let context = PassableValue.text(
      .map(Dictionary(uniqueKeysWithValues: request.variables.map { (.string($0), $1) })))
    guard let read = try? Context(passableJSON: context),
      read == Context(variables: request.variables)
    else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("dialect")
    writer.string(request.dialect.rawValue)
    writer.key("container")
    writer.string(request.container)
    writer.key("values")
    writer.string("tagged")
    for (root, functions) in [
      ("device", request.deviceFunctions), ("computed", request.computedFunctions),
    ] {
      writer.key(root)
      writer.beginObject()
      for (name, examples) in functions {
        let json = Value.list(examples).jsonText()
        guard (try? Value(json: json)) == .list(examples) else { return nil }
        writer.key(name)
        writer.raw(json)
      }
      writer.endObject()
    }
    writer.endObject()
    self.text = text
    self.context = context
    options = writer.text
    host = CCase.host(request, noting: calls)
  }

  /// Creates the host that replies what a case states.
  static func host(_ request: CaseRequest, noting calls: Locked<[[String]]>? = nil) -> TestHost {
    TestHost { name, arguments, reply in
      guard let text = CCase.reply(request, name, arguments) else { return }
      swexpr_reply_value(reply, text, text.utf8.count)
      calls?.withLock { $0.append([name, arguments, text]) }
    }
  }

  /// Returns what a case states; `nil` for a text that is no value, which stands for null.
  private static func reply(
    _ request: CaseRequest, _ name: String, _ arguments: String
  ) -> String? {
    guard
      case .list(let values)? = try? PassableValue.read(#"{"type":"list","value":\#(arguments)}"#)
    else { return nil }
    let name = String(name.drop { $0 != "." }.dropFirst())
    guard let text = request.hostAnswer(to: name, arguments: values)?.text,
      (try? PassableValue.read(text)) != nil
    else { return nil }
    return text
  }

  /// The value as a literal, or the error.
  var outcome: String {
    attempt { environment in
      try Calls.withFilter(text, environment) { filter in
        try Calls.withContext(context, format: SWEXPR_TAGGED) { context in
          let isMatch = swexpr_filter_matches(filter, context, nil)
          let value = try Calls.evaluate(filter, context, format: SWEXPR_LITERAL)
          guard isMatch == (value == "true") else { return "\(value), but matches: \(isMatch)" }
          return value
        }
      }
    }
  }

  /// The explanation as JSON, or the error.
  var explanation: String {
    attempt { environment in
      try Calls.withFilter(text, environment) { filter in
        try Calls.withContext(context, format: SWEXPR_TAGGED) { context in
          try Calls.text { swexpr_filter_explain(filter, context, $0) }
        }
      }
    }
  }

  /// The diagnostics as JSON.
  var diagnostics: String {
    attempt { environment in
      try Calls.text { swexpr_check(text, text.utf8.count, environment, nil, 0, $0) }
    }
  }

  /// The canonical layout, or the error.
  var layout: String {
    attempt { environment in
      try Calls.text { swexpr_layout(text, text.utf8.count, environment, 80, $0) }
    }
  }

  /// Returns what `body` gives with the environment of the case, or the text of its error.
  private func attempt(_ body: (OpaquePointer) throws -> String) -> String {
    do {
      return try host.withEnvironment(options, body)
    } catch {
      return "\(error)"
    }
  }
}
