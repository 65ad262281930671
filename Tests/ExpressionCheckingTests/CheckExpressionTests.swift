import ExpressionPrinting
import ExpressionSyntax
import Testing

@testable import ExpressionChecking
@testable import ExpressionEngine

/// Expressions of the cel dialect, what type they have, and which mistakes are found.
@Suite("Checker: expressions")
struct CheckExpressionTests {
  static func check(
    _ expression: String, container: String = "", _ variables: [String: String] = [:]
  ) throws -> CheckResult {
    var declarations = try CheckLibrary.declarations(container: container)
    for (name, type) in variables {
      declarations.declare(variable: name, as: try Type(text: type))
    }
    let tree = try parse(SourceText(expression), dialect: .cel)
    return Checker.check(tree, declarations: declarations)
  }

  static let variables = [
    "n": "int", "u": "uint", "d": "double", "s": "string", "b": "bool", "any": "dyn",
    "names": "list(string)", "ages": "map(string, int)", "user.age": "int", "user.home": "map",
    "user.home.city": "string", "t": "timestamp", "o": "optional_type(map(string, int))",
    "w": "wrapper(int)",
  ]

  @Test(
    "an expression has its type",
    arguments: [
      // Operators and literals.
      ("1 + 2 * n", "int"), ("-d", "double"), ("s + 'a' < 'b'", "bool"),
      ("[1, 2] + [3]", "list(int)"),
      ("[1, 'a']", "list(dyn)"), ("[[1], ['a']]", "list(dyn)"),
      ("{'a': 1, 'b': 2}", "map(string, int)"),
      ("{}", "map(dyn, dyn)"), ("[]", "list(dyn)"), ("[[], [1]]", "list(list(int))"),
      ("b ? [] : names", "list(string)"), ("any + 1", "int"), ("any + any", "dyn"),
      ("any < 1", "bool"), ("any[0]", "dyn"), ("names[0]", "string"), ("ages['a']", "int"),
      ("t - t", "duration"), ("t + duration('1s')", "timestamp"), ("[t, null]", "list(timestamp)"),
      ("[null, t][0]", "timestamp"), ("[w, 1, null]", "list(wrapper(int))"), ("w + 1", "int"),
      ("1 == dyn('a')", "bool"), ("'a' in ages || 'b' in names", "bool"),
      ("type(1) == string", "bool"),
      ("type([1])", "type(list(int))"), ("int", "type(int)"),
      ("optional_type", "type(optional_type(dyn))"),
      ("[int, string]", "list(type(dyn))"), ("google.protobuf.Timestamp", "type(timestamp)"),
      // Names.
      ("user.age", "int"), ("user.home.city", "string"), ("user.home.street", "dyn"),
      ("ages.bob", "int"), ("any.a.b.c", "dyn"), ("ages.?bob", "optional_type(int)"),
      ("o.bob", "optional_type(int)"), ("o['bob']", "optional_type(int)"),
      ("{'a': ages}.?a.bob", "optional_type(int)"), ("names[?0]", "optional_type(string)"),
      ("[1, ?o.bob]", "list(int)"), ("{'a': 1, ?'b': o.bob}", "map(string, int)"),
      ("has(ages.bob)", "bool"),
      // Functions.
      ("size(names) + names.size()", "int"), ("math.greatest(1, 2, 3)", "int"),
      ("math.greatest(1, 2.0)", "dyn"), ("math.least([1, 2])", "int"),
      ("ip('::1').family()", "int"),
      ("ip.isCanonical('::1')", "bool"), ("optional.of(1).orValue(2)", "int"),
      ("optional.none()", "optional_type(dyn)"), ("dyn(1)", "dyn"), ("names.join(',')", "string"),
      ("[[1], [2]].flatten()", "list(int)"), ("any.size()", "int"), ("string(any)", "string"),
      ("cidr('10.0.0.0/8').containsIP('10.0.0.1')", "bool"), ("'%d'.format([1])", "string"),
      // Macros.
      ("names.all(x, x != '')", "bool"), ("ages.exists(k, ages[k] > 1)", "bool"),
      ("names.map(x, x.size())", "list(int)"), ("names.map(x, x != '', x.size())", "list(int)"),
      ("ages.map(k, k)", "list(string)"), ("names.filter(x, x > 'a')", "list(string)"),
      ("ages.filter(k, true)", "list(string)"),
      ("names.existsOne(i, v, i == 0 && v == '')", "bool"),
      ("names.transformList(i, v, i)", "list(int)"),
      ("ages.transformList(k, v, v > 1, k)", "list(string)"),
      ("ages.transformMap(k, v, string(v))", "map(string, string)"),
      ("names.transformMap(i, v, v)", "map(int, string)"),
      ("names.transformMapEntry(i, v, {v: i})", "map(string, int)"),
      ("any.map(x, x.y)", "list(dyn)"), ("any.transformMap(k, v, 1)", "map(dyn, int)"),
      ("cel.bind(x, 1, x + 1)", "int"), ("[1].map(n, n == 1)", "list(bool)"),
      ("[[1]].map(x, x.map(x, x + 1))", "list(list(int))"),
      ("cel.block([1, string(cel.index(0))], cel.index(1))", "string"),
      ("[1].map(cel.iterVar(0, 0), cel.iterVar(0, 0) + 1)", "list(int)"),
      ("optional.of(1).optMap(x, x + 1)", "optional_type(int)"),
      ("optional.of(1).optFlatMap(x, optional.of('a'))", "optional_type(string)"),
      ("names.sortBy(x, x.size())", "list(string)"), ("[].map(x, x + 1)", "list(int)"),
      ("[].map(x, x + x)", "list(dyn)"), ("[].all(x, x.y.z)", "bool"),
      ("[dyn(1)].all(x, x == 'a' || x == 1)", "bool"),
    ])
  func types(expression: String, type: String) throws {
    let result = try Self.check(expression, Self.variables)
    #expect(result.diagnostics.isEmpty, "\(expression): \(result.diagnostics)")
    #expect(result.type.text == type, "\(expression)")
  }

  @Test(
    "a mistake is found where it is",
    arguments: [
      ("1 + 1u", .operandTypes, "+"), ("1 == 'a'", .operandTypes, "=="),
      ("n < 1.0", .operandTypes, "<"), ("!n", .operandTypes, "!"), ("-s", .operandTypes, "-"),
      ("b && n", .operandTypes, "&&"), ("names['a']", .operandTypes, "'a'"),
      ("n in 'abc'", .operandTypes, "in"), ("n ? 1 : 2", .conditionType, "n"),
      ("b ? 1 : 'a'", .differentBranches, "'a'"), ("n.foo", .noMembers, "foo"),
      ("names.foo", .noMembers, "foo"), ("null.foo", .noMembers, "foo"),
      ("s.all(c, true)", .notIterable, "s"), ("names.all(x, x)", .conditionType, "x"),
      ("names.sortBy(x, [x])", .notIterable, "[x]"), ("n.sortBy(x, x)", .notIterable, "n"),
      ("names.transformMapEntry(i, v, v)", .notIterable, "v"),
      ("[?1]", .notOptional, "?1"), ("{?'a': 1}", .notOptional, "1"),
      ("n.optMap(x, x)", .notOptional, "n"), ("{1.5: 1}", .unusableKeyType, "1.5"),
      ("ghost", .undeclaredName, "ghost"), ("ghost.a.b", .undeclaredName, "ghost"),
      ("user.agee", .undeclaredName, "user.agee"), ("user", .undeclaredName, "user"),
      (".x", .undeclaredName, ".x"), ("[1].map(x, .x)", .undeclaredName, ".x"),
      ("[1].map(x, x) == [x]", .undeclaredName, "x"),
      ("cel.index(0)", .undeclaredName, "cel.index(0)"),
      ("nosuch(1)", .unknownFunction, "nosuch"), ("n.nosuch()", .unknownFunction, "nosuch"),
      ("size(n)", .noMatchingOverload, "size"), ("s.contains(1)", .noMatchingOverload, "contains"),
      ("contains(s, s)", .noMatchingOverload, "contains"), ("size()", .noMatchingOverload, "size"),
      ("isIP(cidr('10.0.0.0/8'))", .noMatchingOverload, "isIP"),
      ("math.greatest()", .noMatchingOverload, "greatest"),
      ("optional.of(1).orValue('a')", .noMatchingOverload, "orValue"),
      ("[1].all(1, true)", .malformedMacro, "1"), ("[1].all(x, x, true)", .malformedMacro, "x"),
      ("has(s)", .malformedMacro, "s"), ("cel.block(1, 2)", .malformedMacro, "1"),
      ("cel.index(s)", .malformedMacro, "s"), ("a.b{c: 1}", .unsupportedConstruct, "a.b{c: 1}"),
    ] as [(String, DiagnosticID, String)])
  func mistakes(expression: String, id: DiagnosticID, place: String) throws {
    let result = try Self.check(expression, Self.variables)
    let source = SourceText(expression)
    #expect(result.diagnostics.map(\.id) == [id], "\(expression): \(result.diagnostics)")
    #expect(
      result.diagnostics.first.map { source.text(of: $0.primary.span) } == place, "\(expression)")
  }

  @Test("one mistake is one diagnostic, whatever is built on it")
  func poison() throws {
    for expression in [
      "ghost + 1 > 2 && [ghost2].all(x, x.y.z == 1)", "size(ghost) + ghost2.foo(1)[0]",
      "[ghost, 1][0].foo + {'a': ghost2}.a", "ghost ? 1 : ghost2",
    ] {
      let result = try Self.check(expression)
      #expect(result.diagnostics.map(\.id) == [.undeclaredName, .undeclaredName], "\(expression)")
    }
    #expect(try Self.check("ghost + ghost == ghost.a").diagnostics.count == 1)
    #expect(
      try Self.check("[1].all(x) && x2").diagnostics.map(\.message) == [
        "unknown function `all`", "unknown name `x2`",
      ])
    #expect(try Self.check("cel.bind(x, x + y)").diagnostics.count == 1)
    let many = try Self.check((0..<50).map { "ghost\($0)" }.joined(separator: " + "))
    #expect(many.diagnostics.count == Checker.maximumDiagnostics)
    #expect(many.type == .error)
  }

  @Test("a misspelled name is answered with the one that was meant")
  func suggestions() throws {
    let variables = ["user.country": "string", "user.age": "int"]
    #expect(
      try Self.check("user.contry", variables).diagnostics.first?.helps
        == ["did you mean `user.country`?"])
    #expect(
      try Self.check("'a'.startWith('b')").diagnostics.first?.helps
        == ["did you mean `startsWith`?"])
    #expect(
      try Self.check("math.great(1)").diagnostics.first?.message == "unknown function `math.great`")
    #expect(
      try Self.check("math.cell(1.5)").diagnostics.first?.helps == ["did you mean `math.ceil`?"])
    #expect(
      try Self.check("cel.bind(x, 1)").diagnostics.first?.notes
        == ["the macro `cel.bind` takes 3 arguments"])
    #expect(
      try Self.check("names.length", ["names": "list(int)"]).diagnostics.first?.message
        == "a list(int) has no members")
    #expect(
      try Self.check("n + 1.5", ["n": "int"]).diagnostics.first?.helps
        == ["convert one side: `double(n)`"])
    #expect(
      try Self.check("'abc'.size").diagnostics.first?.helps == ["call the function: `.size(…)`"])
  }

  @Test("a call that nothing fits lists what there is")
  func overloadsAreListed() throws {
    let diagnostic = try #require(try Self.check("'abc'.indexOf(1)").diagnostics.first)
    #expect(diagnostic.message == "`indexOf` cannot be called as `string.indexOf(int)`")
    #expect(
      diagnostic.notes == [
        "there is `string.indexOf(string) -> int`", "there is `string.indexOf(string, int) -> int`",
      ])
  }

  @Test(
    "names are found in the container, from the inside out",
    arguments: [
      ("x", "string"), ("com.x", "int"), (".x", "bool"), ("com.example.x", "string"),
      ("example.y", "double"), ("y", "double"), (".com.x", "int"),
      ("[1.5].map(x, x)", "list(double)"),
      ("[1.5].map(x, .x)", "list(bool)"), ("f(1)", "uint"), (".f(1)", "int"),
    ])
  func container(expression: String, type: String) throws {
    var declarations = try CheckLibrary.declarations(container: "com.example")
    for (name, type) in [
      ("x", Type.bool), ("com.x", .int), ("com.example.x", .string), ("com.example.y", .double),
    ] {
      declarations.declare(variable: name, as: type)
    }
    try declarations.declare(function: "f", Overload("f", signature: "f(int) -> int"))
    try declarations.declare(function: "com.f", Overload("com.f", signature: "com.f(int) -> uint"))
    let tree = try parse(SourceText(expression), dialect: .cel)
    let result = Checker.check(tree, declarations: declarations)
    #expect(result.diagnostics.isEmpty)
    #expect(result.type.text == type)
  }

  @Test("a macro variable hides a dotted variable, and a function of its name space stays one")
  func shadowing() throws {
    let variables = ["y.z": "int"]
    #expect(try Self.check("y.z", variables).type == .int)
    #expect(try Self.check("[{'z': 'a'}].map(y, y.z)", variables).type == .list(.string))
    #expect(try Self.check("[{'z': 'a'}].map(y, .y.z)", variables).type == .list(.int))
    #expect(try Self.check("['a'].map(strings, strings.size())").type == .list(.int))
  }

  @Test("every node that is no part of a name has a type")
  func nodeTypes() throws {
    let tree = try parse(SourceText("optional.of(user.age) == optional.none()"), dialect: .cel)
    var declarations = try CheckLibrary.declarations()
    declarations.declare(variable: "user.age", as: .int)
    let result = Checker.check(tree, declarations: declarations)
    let types = tree.nodes.indices.map { result.type(of: NodeID(UInt32($0)))?.text }
    #expect(
      types == [
        nil, nil, "int", "optional_type(int)", nil, "optional_type(int)", "bool",
      ])
    #expect(result.type(of: NodeID(99)) == nil)
  }

  @Test("without macros their names are names of functions")
  func disabledMacros() throws {
    var declarations = try CheckLibrary.declarations()
    declarations.disableMacros()
    let tree = try parse(SourceText("[1].all(int, true)"), dialect: .cel)
    let result = Checker.check(tree, declarations: declarations)
    #expect(result.diagnostics.map(\.id) == [.unknownFunction])
  }

  // MARK: Bounds

  @Test(
    "long chains neither overflow nor take long",
    arguments: [
      (String(repeating: "n + ", count: 20_000) + "n", "int"),
      (String(repeating: "b && ", count: 20_000) + "b", "bool"),
      ("any" + String(repeating: ".a", count: 20_000), "dyn"),
      ("s" + String(repeating: ".trim()", count: 20_000), "string"),
      (String(repeating: "b ? 1 : ", count: 20_000) + "2", "int"),
      (String(repeating: "-", count: 20_000) + "(n)", "int"),
      ("[]" + String(repeating: " + []", count: 5_000), "list(dyn)"),
      ("[" + String(repeating: "[], ", count: 5_000) + "[1]]", "list(list(int))"),
    ])
  func longChains(expression: String, type: String) throws {
    let result = try Self.check(expression, Self.variables)
    #expect(result.diagnostics.isEmpty)
    #expect(result.type.text == type)
  }

  @Test(
    "types that grow with every step stay bounded",
    arguments: [
      "[1]" + String(repeating: ".map(x, [x])", count: 5_000),
      "[]" + String(repeating: ".map(x, [x])", count: 5_000),
      "[1]" + String(repeating: ".map(x, {'a': x, 'b': x})", count: 2_000),
      String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
      (0..<60).map { "cel.bind(x\($0 + 1), {x\($0): x\($0)}, " }.joined() + "x60"
        + String(repeating: ")", count: 60),
      (0..<60).map { "cel.bind(x\($0 + 1), [x\($0)] + [x\($0)], " }.joined() + "x60"
        + String(repeating: ")", count: 60),
    ])
  func growingTypes(expression: String) throws {
    let result = try Self.check(expression, ["x0": "dyn"])
    #expect(result.diagnostics.allSatisfy { $0.id == .unusableKeyType })
    #expect(result.type.text.utf8.count < 4_000)
  }

  @Test("every example of the checker's diagnostics has the mistake that it shows")
  func catalogExamples() throws {
    let ids: [DiagnosticID] = [
      .operandTypes, .noMembers, .notIterable, .differentBranches, .notOptional, .conditionType,
      .unusableKeyType, .noMatchingOverload, .malformedMacro, .undeclaredName, .unknownFunction,
    ]
    for id in ids {
      let entry = id.entry
      #expect(!entry.title.isEmpty && !entry.explanation.isEmpty)
      #expect(try Self.check(entry.example).diagnostics.map(\.id) == [id], "\(entry.example)")
    }
  }
}
