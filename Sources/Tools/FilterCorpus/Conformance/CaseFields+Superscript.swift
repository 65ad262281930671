import ExpressionCoding
import ExpressionEngine
import ExpressionSyntax

extension CaseFields {
  func definitionCase() throws(JSONError) -> ConformanceCase {
    ConformanceCase(
      id: try required("id"),
      request: CaseRequest(.definition(try required("definition")), dialect: .superscript),
      expectation: try superscriptExpectation())
  }

  func superscriptCase() throws(JSONError) -> ConformanceCase {
    var request = CaseRequest(.expression(try required("expression")), dialect: .superscript)
    // Variables are read as the reference reads them, the answer to the nearest double.
    request.variables =
      try read("variables", doubles: .scaled) { (scanner) throws(JSONError) in
        try Self.readVariables(&scanner)
      } ?? [:]
    request.deviceFunctions =
      try read("device", doubles: .scaled) { (scanner) throws(JSONError) in
        try Self.readFunctions(&scanner)
      } ?? [:]
    request.computedFunctions =
      try read("computed", doubles: .scaled) { (scanner) throws(JSONError) in
        try Self.readFunctions(&scanner)
      } ?? [:]
    request.hostAnswers = try hostAnswers()
    return ConformanceCase(
      id: try required("id"), request: request, expectation: try superscriptExpectation())
  }

  /// `{"Ok": PV}`, `{"Err": text}` or `{"Any": true}`.
  private func superscriptExpectation() throws(JSONError) -> Expectation {
    let expectation = try read("expect") { (scanner) throws(JSONError) -> Expectation in
      let first = try scanner.nextToken()
      guard first == .beginObject, try scanner.nextToken() == .key else {
        throw scanner.shapeError(expected: "`Ok`, `Err` or `Any`", found: first)
      }
      switch scanner.stringValue {
      case "Ok":
        return .value(try PassableValue.read(from: &scanner, as: .result), type: nil)
      case "Err":
        let token = try scanner.nextToken()
        return .anyError(advice: token == .string ? scanner.stringValue : "")
      case "Any": return .any
      default: throw scanner.shapeError(expected: "`Ok`, `Err` or `Any`", found: .key)
      }
    }
    guard let expectation else { throw shapeError("a case has the member `expect`") }
    return expectation
  }

  private static func readVariables(
    _ scanner: inout JSONScanner
  ) throws(JSONError) -> [String: Value] {
    let first = try scanner.nextToken()
    guard first == .beginObject else {
      throw scanner.shapeError(expected: "an object with `map`", found: first)
    }
    var variables: [String: Value] = [:]
    while try scanner.nextToken() == .key {
      guard scanner.currentStringEquals("map") else {
        try scanner.skipValue()
        continue
      }
      let token = try scanner.nextToken()
      for (key, value) in try PassableValue.readMap(token, from: &scanner) {
        variables[key.text] = value
      }
    }
    return variables
  }

  private static func readFunctions(
    _ scanner: inout JSONScanner
  ) throws(JSONError) -> [String: [Value]] {
    let first = try scanner.nextToken()
    guard first == .beginObject else {
      throw scanner.shapeError(expected: "an object of functions", found: first)
    }
    var functions: [String: [Value]] = [:]
    while try scanner.nextToken() == .key {
      let name = scanner.stringValue
      let token = try scanner.nextToken()
      functions[name] = try PassableValue.readList(token, from: &scanner)
    }
    return functions
  }

  /// Answers are tagged values, or `{"$raw": text}`.
  private func hostAnswers() throws(JSONError) -> [String: HostAnswer] {
    guard let bytes = bytes(of: "host") else { return [:] }
    let fields = try CaseFields(bytes)
    var answers: [String: HostAnswer] = [:]
    for (name, place) in fields.places {
      let members = try CaseFields(UnsafeBufferPointer(rebasing: bytes[place]))
      if let text = try members.text("$raw") {
        answers[name] = .raw(text)
      } else {
        answers[name] = try fields.read(name, doubles: .scaled) { (scanner) throws(JSONError) in
          .value(try PassableValue.read(from: &scanner))
        }
      }
    }
    return answers
  }
}
