import ExpressionSyntax
import Testing

@testable import ExpressionChecking
@testable import ExpressionEngine

@Suite("Checker: types and signatures")
struct CheckTypeTests {
  @Test(
    "a type reads what it writes",
    arguments: [
      "bool", "int", "uint", "double", "string", "bytes", "null_type", "dyn", "any", "timestamp",
      "duration", "error", "list(int)", "map(string, list(dyn))", "type(type(int))",
      "wrapper(string)", "optional_type(list(int))", "tuple($T, $U, dyn)", "net.IP", "$T",
      "map($K, com.example.pair($K, $V))",
    ])
  func roundTrip(text: String) throws {
    #expect(try Type(text: text).text == text)
  }

  @Test(
    "other spellings of a type mean the same",
    arguments: [
      ("list", "list(dyn)"), ("map", "map(dyn, dyn)"), ("type", "type(dyn)"),
      ("optional(int)", "optional_type(int)"), ("null", "null_type"), ("list(A)", "list($A)"),
      ("google.protobuf.Timestamp", "timestamp"), ("google.protobuf.Int64Value", "wrapper(int)"),
      (" map( string ,int ) ", "map(string, int)"),
    ])
  func spellings(text: String, canonical: String) throws {
    #expect(try Type(text: text).text == canonical)
  }

  @Test(
    "a text that is no type is an error with a place",
    arguments: [
      ("", 0), ("list(", 5), ("list(int", 8), ("list(int, int)", 14), ("map(int)", 8), ("int)", 3),
      ("$", 1), ("$a.b", 4), ("a.", 2), ("5", 0), ("list(int))", 9),
    ])
  func malformed(text: String, offset: Int) {
    let error = #expect(throws: TypeTextError.self) { try Type(text: text) }
    #expect(error?.offset == offset)
  }

  @Test("a hostile type text ends in an error, not in a deep recursion")
  func hostileText() {
    let text = String(repeating: "list(", count: 100_000)
    #expect(throws: TypeTextError.self) { try Type(text: text) }
  }

  @Test(
    "a signature tells style, types and repetition",
    arguments: [
      ("contains", "string.contains(string) -> bool", "string", "string", "bool", false),
      ("size", "size(list(A)) -> int", nil, "list($A)", "int", false),
      ("math.abs", "math.abs(int | uint) -> int", nil, "int | uint", "int", false),
      (
        "join", "(list | map(K, V)).join() -> string", "list(dyn) | map($K, $V)", "", "string",
        false
      ),
      ("family", "net.IP.family() -> int", "net.IP", "", "int", false),
      ("max", "max(int, dyn, ...) -> dyn", nil, "int, dyn", "dyn", true),
      (
        "map", "map(K, V).map(list(A), B) -> list(B)", "map($K, $V)", "list($A), $B", "list($B)",
        false
      ),
      ("most", "most(...) -> dyn", nil, "dyn", "dyn", true),
      ("_[_]", "_[_](list(A), int) -> A", nil, "list($A), int", "$A", false),
      ("ip", "net.CIDR.ip() -> net.IP", "net.CIDR", "", "net.IP", false),
    ])
  func signatures(
    name: String, signature: String, receiver: String?, parameters: String, result: String,
    isVariadic: Bool
  ) throws {
    let overload = try Overload(name, signature: signature)
    #expect(overload.receiver?.text == receiver)
    #expect(overload.parameters.map(\.text).joined(separator: ", ") == parameters)
    #expect(overload.result.text == result)
    #expect(overload.isVariadic == isVariadic)
    #expect(overload.text == signature)
  }

  @Test(
    "a text that is not a signature of the name is an error",
    arguments: [
      "f(int)", "g(int) -> int", "f(int -> int", "f(int) -> int int", "f(..., int) -> int",
      ".f() -> int",
    ])
  func malformedSignature(text: String) {
    #expect(throws: TypeTextError.self) { try Overload("f", signature: text) }
  }

  @Test(
    "a value has the type that its content tells",
    arguments: [
      (Value.null, "null_type"), ([1, 2], "list(int)"), ([1, "a"], "list(dyn)"), ([], "list(dyn)"),
      (["a": 1, "b": 2], "map(string, int)"), ([[1], [2]], "list(list(int))"),
      (.optional(.int(1)), "optional_type(int)"), (.type("int"), "type(int)"),
      (.network(NetworkValue(octets: [1, 2, 3, 4])), "net.IP"),
    ] as [(Value, String)])
  func valueTypes(value: Value, text: String) {
    #expect(Type(of: value).text == text)
  }

  // MARK: Declarations

  @Test("overloads that a call cannot tell apart are refused; other styles and types are not")
  func collisions() throws {
    var declarations = Declarations()
    try declarations.declare(function: "f", Overload("f", signature: "f(list(A)) -> int"))
    try declarations.declare(function: "f", Overload("f", signature: "list(A).f() -> int"))
    try declarations.declare(function: "f", Overload("f", signature: "f(map(A, B)) -> int"))
    #expect(throws: DeclarationError.self) {
      try declarations.declare(function: "f", Overload("f", signature: "f(list(B)) -> bool"))
    }
    #expect(declarations.functions["f"]?.count == 3)
  }

  @Test("operators cannot be overloaded", arguments: ["_+_", "@in", "a..b", "", "1f", "a."])
  func functionNames(name: String) {
    var declarations = Declarations()
    #expect(throws: DeclarationError.self) {
      try declarations.declare(function: name, Overload(name, parameters: [.int], result: .int))
    }
  }

  @Test("every signature of the superscript library can be read")
  func superscriptLibrary() throws {
    var declarations = Declarations(rules: .superscript)
    try declarations.declare(library: FunctionLibrary.superscript.definitions)
    for definition in FunctionLibrary.superscript.definitions {
      #expect(
        declarations.functions[definition.name] != nil
          || declarations.macros[definition.name] != nil, "\(definition.name)")
    }
  }

  @Test("every operator of a dialect has overloads")
  func operatorTables() {
    for info in OperatorTable.rows where !info.celName.isEmpty && info.op != .optionalSelect {
      for dialect in info.dialects {
        let name = info.op == .doubleNegate ? "--_" : info.celName
        #expect(CheckingRules.rules(of: dialect).operators[name] != nil, "\(name) of \(dialect)")
      }
    }
  }
}
