import ExpressionSyntax
import Testing

@testable import ExpressionChecking
@testable import ExpressionEngine

/// The checker with the rules of the superscript dialect, as lints use it.
@Suite("Checker: superscript rules")
struct CheckSuperscriptTests {
  static func check(
    _ expression: String, change: (inout CheckingRules) -> Void = { _ in }
  ) throws -> CheckResult {
    var rules = CheckingRules.superscript
    change(&rules)
    var declarations = Declarations(rules: rules)
    try declarations.declare(library: FunctionLibrary.superscript.definitions)
    for (name, type) in [
      ("user.age", Type.int), ("user.name", .string), ("user.score", .double),
      ("user.tags", .list(.string)), ("device.version", .string),
    ] {
      declarations.declare(variable: name, as: type)
    }
    try declarations.declare(
      function: "device.daysSince",
      Overload("device.daysSince", signature: "device.daysSince(string) -> int"))
    return Checker.check(
      try parse(SourceText(expression), dialect: .superscript), declarations: declarations)
  }

  @Test(
    "what the dialect answers is accepted",
    arguments: [
      ("user.age == \"25\"", "bool"), ("user.age < 30.5", "bool"), ("user.age + 1.5", "double"),
      ("user.age && user.name", "bool"), ("user.age || 1", "int"), ("user.age || \"x\"", "dyn"),
      ("user.age ? 1 : \"a\"", "dyn"), ("user.age ? 1 : 2", "int"), ("!!user.name", "bool"),
      ("\"ell\" in user.name", "bool"), ("user.tags.exists(t, t == \"a\")", "bool"),
      ("all(user.tags, t, size(t) > 1)", "bool"), ("user.tags.map(t, size(t), 1)", "list(int)"),
      ("has(user.gone)", "bool"), ("user.gone.deeper == 1", "bool"), ("user", "map(string, dyn)"),
      ("user[\"age\"]", "dyn"), ("device.daysSince(\"x\") > 3", "bool"), ("ghost", "dyn"),
      ("maybe(0, int(\"x\"), 7)", "int"), ("size(user.name)", "int"), ("user.name.size()", "int"),
      ("hasFn(\"device.daysSince\")", "bool"), ("device.other(1)", "dyn"),
      ("user.age.years", "dyn"),
      ("{\"a\": 1} + {\"b\": \"c\"}", "map(dyn, dyn)"), ("--user.age", "int"),
    ])
  func accepted(expression: String, type: String) throws {
    let result = try Self.check(expression)
    #expect(result.diagnostics.isEmpty, "\(expression): \(result.diagnostics)")
    #expect(result.type.text == type, "\(expression)")
  }

  @Test(
    "what always fails is a mistake",
    arguments: [
      ("user.age < \"30\"", .operandTypes), ("user.name + 1", .operandTypes),
      ("-user.name", .operandTypes), ("user.age[0]", .operandTypes),
      ("1 in user.name", .operandTypes),
      ("device.daysSince(5)", .noMatchingOverload),
      ("user.name.startsWith(1)", .noMatchingOverload),
      ("user.age.all(x, true)", .notIterable), ("{1.5: 1}", .unusableKeyType),
    ] as [(String, DiagnosticID)])
  func rejected(expression: String, id: DiagnosticID) throws {
    #expect(try Self.check(expression).diagnostics.map(\.id) == [id], "\(expression)")
  }

  @Test("undeclared attributes can be mistakes, and mistakes can be warnings")
  func strictness() throws {
    let result = try Self.check("user.nam == \"a\" && ghost") {
      $0.undeclaredNames = .error
      $0.severity = .warning
    }
    #expect(result.isAccepted)
    #expect(result.diagnostics.map(\.severity) == [.warning, .warning])
    #expect(
      result.diagnostics.map(\.message) == ["unknown name `user.nam`", "unknown name `ghost`"])
    #expect(result.diagnostics.first?.helps == ["did you mean `user.name`?"])
  }
}
