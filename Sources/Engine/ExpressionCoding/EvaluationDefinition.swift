package import ExpressionEngine

/// A request to the JSON interface of the superscript dialect: an expression, its variables and
/// the host functions that exist (docs/spec/superscript.md §16).
///
///     {"variables": {"map": {"user": {"type": "map", "value": {…}}}}, "expression": "user.age > 18",
///      "device": {"daysSince": [{"type": "string", "value": "event_name"}]}, "computed": null}
package struct EvaluationDefinition: Sendable, Hashable {
  /// The variables by name.
  package var variables: [String: Value]
  /// The expression.
  package var expression: String
  /// The computed functions that exist, with examples of their arguments.
  package var computed: [String: [Value]]?
  /// The device functions that exist, with examples of their arguments.
  package var device: [String: [Value]]?

  /// Creates a definition; see the properties.
  package init(
    variables: [String: Value], expression: String, computed: [String: [Value]]? = nil,
    device: [String: [Value]]? = nil
  ) {
    self.variables = variables
    self.expression = expression
    self.computed = computed
    self.device = device
  }

  /// Reads a definition as the reference evaluator does: members in any order, unknown ones
  /// ignored, `variables` and `expression` required, each at most once.
  ///
  /// The sequence forms `[variables, expression, computed, device]` and `[map]` are accepted too.
  ///
  /// - Throws: `JSONError` with the position of the mistake.
  package init(json text: String) throws(JSONError) {
    self = try text.withJSONBytes { (bytes) throws(JSONError) -> EvaluationDefinition in
      var scanner = JSONScanner(bytes, options: PassableValue.scannerOptions)
      let definition = try EvaluationDefinition(readingFrom: &scanner)
      _ = try scanner.nextToken()
      return definition
    }
  }

  private init(readingFrom scanner: inout JSONScanner) throws(JSONError) {
    var draft = Draft()
    let token = try scanner.nextToken()
    switch token {
    case .beginObject:
      while try scanner.nextToken() == .key {
        let name = Draft.Member.allCases.first { scanner.currentStringEquals($0.rawValue) }
        guard let name else {
          try scanner.skipValue()
          continue
        }
        guard draft.seen.insert(name).inserted else {
          throw scanner.errorAtToken(
            .duplicateKey, "the member `\(name.rawValue)` occurs twice")
        }
        let token = try scanner.nextToken()
        try draft.read(name, token, from: &scanner)
      }
    case .beginArray:
      for name in Draft.Member.allCases {
        let token = try scanner.nextToken()
        guard token != .endArray else {
          throw scanner.errorAtToken(.unexpectedShape, "missing `\(name.rawValue)`")
        }
        try draft.read(name, token, from: &scanner)
      }
      let last = try scanner.nextToken()
      guard last == .endArray else { throw scanner.shapeError(expected: "`]`", found: last) }
    default: throw scanner.shapeError(expected: "a definition", found: token)
    }
    guard let variables = draft.variables else {
      throw scanner.errorAtToken(.unexpectedShape, "missing the member `variables`")
    }
    guard let expression = draft.expression else {
      throw scanner.errorAtToken(.unexpectedShape, "missing the member `expression`")
    }
    self.init(
      variables: variables, expression: expression, computed: draft.computed,
      device: draft.device)
  }

  private struct Draft {
    enum Member: String, CaseIterable {
      case variables
      case expression
      case computed
      case device
    }

    var seen: Set<Member> = []
    var variables: [String: Value]?
    var expression: String?
    var computed: [String: [Value]]?
    var device: [String: [Value]]?

    mutating func read(
      _ name: Member, _ token: JSONToken, from scanner: inout JSONScanner
    ) throws(JSONError) {
      switch name {
      case .variables: variables = try Self.readVariables(token, from: &scanner)
      case .expression:
        guard token == .string else {
          throw scanner.shapeError(expected: "a string", found: token)
        }
        expression = scanner.stringValue
      case .computed: computed = try Self.readFunctions(token, from: &scanner)
      case .device: device = try Self.readFunctions(token, from: &scanner)
      }
    }

    static func readVariables(
      _ token: JSONToken, from scanner: inout JSONScanner
    ) throws(JSONError) -> [String: Value] {
      var result: [String: Value]?
      switch token {
      case .beginObject:
        while try scanner.nextToken() == .key {
          guard scanner.currentStringEquals("map") else {
            try scanner.skipValue()
            continue
          }
          guard result == nil else {
            throw scanner.errorAtToken(.duplicateKey, "the member `map` occurs twice")
          }
          let token = try scanner.nextToken()
          result = try readNamed(token, from: &scanner)
        }
      case .beginArray:
        let token = try scanner.nextToken()
        result = try readNamed(token, from: &scanner)
        let last = try scanner.nextToken()
        guard last == .endArray else { throw scanner.shapeError(expected: "`]`", found: last) }
      default: throw scanner.shapeError(expected: "an object with `map`", found: token)
      }
      guard let result else {
        throw scanner.errorAtToken(.unexpectedShape, "missing the member `map`")
      }
      return result
    }

    static func readNamed(
      _ token: JSONToken, from scanner: inout JSONScanner
    ) throws(JSONError) -> [String: Value] {
      let entries = try PassableValue.readMap(token, from: &scanner)
      return Dictionary(uniqueKeysWithValues: entries.map { ($0.key.text, $0.value) })
    }

    static func readFunctions(
      _ token: JSONToken, from scanner: inout JSONScanner
    ) throws(JSONError) -> [String: [Value]]? {
      if token == .null { return nil }
      guard token == .beginObject else {
        throw scanner.shapeError(expected: "an object of functions or null", found: token)
      }
      var result: [String: [Value]] = [:]
      while try scanner.nextToken() == .key {
        let name = scanner.stringValue
        let token = try scanner.nextToken()
        result[name] = try PassableValue.readList(token, from: &scanner)
      }
      return result
    }
  }
}
