import ExpressionEngine
import ExpressionSyntax
import Testing

@Suite("The cel language") struct CELLanguageTests {
  @Test(
    "a failure counts only when no operand decides",
    arguments: [
      CELRow("1 / 0 > 0 || true", "true"), CELRow("true || 1 / 0 > 0", "true"),
      CELRow("1 / 0 > 0 && false", "false"), CELRow("'horses' && false", "false"),
      CELRow("1 / 0 > 0 || false", "E0501"), CELRow("false || 1 / 0 > 0 || {}.a", "E0501"),
      CELRow("1 && true", "E0515"), CELRow("true && 1", "E0515"), CELRow("'a' || 'b'", "E0515"),
      CELRow("unknown(1) || true", "true"), CELRow("unbound || true", "true"),
      CELRow("unbound && true", "E0301"), CELRow("(1 / 0 > 0 || true) && (false || true)", "true"),
      CELRow("false && (1 / 0 > 0) || true", "true"), CELRow("!(1 / 0 > 0) || true", "true"),
      CELRow("(1 / 0 > 0 && {}.a) || {}.b", "E0501"),
      // A failure inside an absorbing operator does not hide the one that is told.
      CELRow("1 / 0 > 0 && ({}.a || true)", "E0501"),
      CELRow("1 / 0 > 0 && [1].exists(x, {}.a || x == 1)", "E0501"),
    ])
  func absorption(row: CELRow) {
    #expect(answer(row.expression) == row.answer)
  }

  @Test(
    "macros loop over lists and maps",
    arguments: [
      CELRow("[1, 2, 3].all(x, x / (x - 2) < 9 || x == 2)", "true"),
      CELRow("[1, 0].all(x, 1 / x > 1)", "false"), CELRow("[0, 1].exists(x, 1 / x == 1)", "true"),
      CELRow("[0, 2].exists(x, 1 / x == 1)", "E0501"), CELRow("[true, 1].exists(x, x)", "true"),
      CELRow("[1, true].exists(x, x)", "true"), CELRow("[1].exists(x, x)", "E0515"),
      CELRow("[1].all(x, x)", "E0515"), CELRow("[false, 1].all(x, x)", "false"),
      CELRow("[1].filter(x, x)", "E0515"), CELRow("[1].exists_one(x, x)", "E0515"),
      CELRow("[1, 0].exists_one(x, 1 / x == 1)", "E0501"),
      CELRow("[1, 1].exists_one(x, x == 1)", "false"), CELRow("'abc'.all(x, true)", "E0505"),
      CELRow("1.map(x, x)", "E0505"), CELRow("{1: 2}.map(k, k)", "[1]"),
      CELRow("[1].map(x, [2].map(x, x))", "[[2]]"),
      CELRow("[[1, 2], [3]].map(l, l.map(x, x + 1))", "[[2, 3], [4]]"),
      CELRow("[5, 6].transformList(i, v, i * 10 + v)", "[5, 16]"),
      CELRow("[5, 6].transformMap(i, v, v)", "{0: 5, 1: 6}"),
      CELRow("['a', 'a'].transformMapEntry(i, v, {v: i})", "E0507"),
      CELRow("[1, 1u].transformMapEntry(i, v, {v: i})", "E0507"),
      CELRow("[1].transformMapEntry(i, v, v)", "E0505"),
      CELRow("[1].transformMapEntry(i, v, {})", "{}"),
      CELRow("{'a': 1}.all(k, v, k == 'a' && v == 1)", "true"),
      CELRow("[0, 1].existsOne(i, v, i / v == 1)", "E0501"),
      CELRow("[1].existsOne(x, true)", "E0505"),
      CELRow("[1].all(x, y, z, true)", "E0505"), CELRow("[1].map(x.y, 1)", "E0405"),
      CELRow("[1].map('x', 1)", "E0405"), CELRow("[1].map(.x, 1)", "E0405"),
      CELRow("[1].transformList(x, x, 1)", "E0405"), CELRow("has(1)", "E0405"),
      CELRow("has(a['b'])", "E0405"), CELRow("has(a.?b)", "E0405"), CELRow("has(a.b(c))", "E0405"),
    ])
  func macros(row: CELRow) {
    #expect(answer(row.expression) == row.answer)
  }

  @Test(
    "a binding is evaluated when it is needed, and once",
    arguments: [
      CELRow("cel.bind(x, 1 / 0, 2)", "2"), CELRow("cel.bind(x, 1 / 0, x == 1 || true)", "true"),
      CELRow("cel.bind(x, 1 / 0, x == 1 || x == 2 || true)", "true"),
      CELRow("cel.bind(x, 1 / 0, x)", "E0501"),
      CELRow("cel.bind(x, 1, cel.bind(x, x + 1, x))", "2"),
      CELRow("cel.bind(x, [1].map(y, y + 1), x + x)", "[2, 2]"),
      CELRow("[1, 2].map(y, cel.bind(x, y * y, x + x))", "[2, 8]"),
      CELRow("cel.bind(a, size('ab'), cel.bind(b, a + a, cel.bind(c, b + b, a + b + c)))", "14"),
      CELRow("cel.bind(x, {}.a, [1, 2].exists(y, x == 1 || y == 2))", "true"),
      CELRow("cel.bind(x.y, 1, 2)", "E0405"),
      CELRow("cel.block([1 / 0, 2], cel.index(1))", "2"),
      CELRow("cel.block([size([1]), cel.index(0) + 1], cel.index(1) + cel.index(0))", "3"),
      CELRow("cel.block([cel.index(1), 2], cel.index(0))", "E0301"),
      CELRow("cel.block(1, 2)", "E0405"), CELRow("cel.index(0)", "E0301"),
      CELRow("cel.index(-1)", "E0405"),
    ])
  func bindings(row: CELRow) {
    #expect(answer(row.expression) == row.answer)
  }

  @Test("nested bindings do not multiply the work")
  func bindingCost() {
    let names = (0..<45).map { "x\($0)" }
    var expression = names[44]
    for index in (1..<45).reversed() {
      expression =
        "cel.bind(\(names[index]), math.abs(\(names[index - 1]) + \(names[index - 1]) - \(names[index - 1])), \(expression))"
    }
    #expect(answer("cel.bind(x0, math.abs(v), \(expression))", ["v": 1]) == "1")
  }

  @Test(
    "optionals chain, and their arguments are evaluated when they are needed",
    arguments: [
      CELRow("{'a': {'b': 1}}.?a.b", "optional.of(1)"), CELRow("{}.?a.b.c", "optional.none()"),
      CELRow("{'a': 1}.?a.c", "E0511"), CELRow("1.?a", "E0511"), CELRow("'abc'[?0]", "E0509"),
      CELRow("[1][?'a']", "E0508"), CELRow("[1][?-1]", "optional.none()"),
      CELRow("[1][?5]", "optional.none()"), CELRow("[[1]][?0][0]", "optional.of(1)"),
      CELRow("[[1]][?0][7]", "optional.none()"), CELRow("{1: 2}[?1u]", "optional.of(2)"),
      CELRow("{1: 2}[?b'']", "optional.none()"),
      CELRow("optional.of(1).orValue(1 / 0)", "1"),
      CELRow("optional.none().orValue(1 / 0)", "E0501"),
      CELRow("optional.of(1).or(1 / 0)", "optional.of(1)"),
      CELRow("optional.none().or(1)", "E0505"),
      CELRow("1.or(optional.none())", "E0505"), CELRow("optional.none().value()", "E0512"),
      CELRow("optional.of(1).optMap(x, x / 0)", "E0501"),
      CELRow("optional.none().optMap(x, x / 0)", "optional.none()"),
      CELRow("optional.of(1).optFlatMap(x, optional.none())", "optional.none()"),
      CELRow("[?optional.none(), 1, ?optional.of(2)]", "[1, 2]"),
      CELRow("{?'a': optional.none(), 'b': 1, ?'c': optional.of(2)}", "{\"b\": 1, \"c\": 2}"),
      CELRow("[?1]", "E0505"), CELRow("{?'a': 1}", "E0505"),
      CELRow("has({'a': optional.none()}.a)", "true"),
      CELRow("has({'a': optional.none()}.a.b)", "false"),
      CELRow("has({'a': {'b': 1}}.?a.b)", "true"), CELRow("has({}.a.b)", "E0511"),
      CELRow("optional.of(1) == 1", "false"), CELRow("optional.of(1) == optional.of(1.0)", "true"),
      CELRow("[optional.of(1), 1].unwrapOpt()", "E0505"),
    ])
  func optionals(row: CELRow) {
    #expect(answer(row.expression) == row.answer)
  }

  @Test(
    "operators have the overloads of the specification and no others",
    arguments: [
      CELRow("1 + 1u", "E0504"), CELRow("1 + 1.0", "E0504"), CELRow("1.0 % 1.0", "E0504"),
      CELRow("-(1u)", "E0504"), CELRow("!1", "E0504"), CELRow("{} + {}", "E0504"),
      CELRow("b'a' + b'b'", "b\"ab\""), CELRow("1u - 2u", "E0502"),
      CELRow("9223372036854775807 + 1", "E0502"), CELRow("-(-9223372036854775808)", "E0502"),
      CELRow("(-9223372036854775808) / -1", "E0502"),
      CELRow("(-9223372036854775808) % -1", "E0502"),
      CELRow("1 / 0", "E0501"), CELRow("1u % 0u", "E0501"),
      CELRow("1.0 / 0.0", "double(\"Infinity\")"),
      CELRow("-5 / 2", "-2"), CELRow("43 % -5", "3"), CELRow("1 == '1'", "false"),
      CELRow("1 == 1.0 && 1u == 1", "true"), CELRow("[0.0 / 0.0] == [0.0 / 0.0]", "false"),
      CELRow("dyn(9223372036854775807) < 9223372036854775808.0", "false"),
      CELRow("dyn(9007199254740993) == 9007199254740992.0", "true"),
      CELRow("dyn(9007199254740992.0) in [9007199254740993, 1, 2]", "true"),
      CELRow("-1 < 0u", "true"), CELRow("null < null", "E0503"), CELRow("[1] < [2]", "E0503"),
      CELRow("0.0 / 0.0 < 1.0", "false"), CELRow("b'a' < b'b'", "true"),
      CELRow("'a' in 'abc'", "E0503"),
      CELRow("null in {}", "false"), CELRow("[7, 8][1.0]", "8"), CELRow("[7, 8][1u]", "8"),
      CELRow("[7, 8][0.5]", "E0508"), CELRow("[7][1]", "E0510"), CELRow("[7][-1]", "E0510"),
      CELRow("{1: 2}[1.0]", "2"), CELRow("{1: 2}[b'']", "E0511"), CELRow("'abc'[0]", "E0509"),
      CELRow("{1: 1, 1u: 2}", "E0507"), CELRow("{true: 1, true: 2}", "E0507"),
      CELRow("{1.0: 1}", "E0506"), CELRow("{null: 1}", "E0506"), CELRow("null.a", "E0511"),
      CELRow("1 ? 2 : 3", "E0515"), CELRow("true ? 1 : 1 / 0", "1"),
      CELRow("1 < 2 == true", "true"),
      CELRow("1 < 2 < 3", "E0503"), CELRow("M{a: 1}", "E0516"), CELRow("false ? M{} : 1", "1"),
    ])
  func operators(row: CELRow) {
    #expect(answer(row.expression) == row.answer)
  }
}
