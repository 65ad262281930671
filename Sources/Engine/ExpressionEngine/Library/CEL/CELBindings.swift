// Bindings, common subexpressions and macros with two variables (docs/spec/cel.md §15, §16).

enum CELBindings {
  static let definitions: [FunctionDefinition] = [
    .celMacro(
      "cel.bind", "an expression in which a name stands for a value",
      ["cel.bind(variable, A, B) -> B"], [.init(#"cel.bind(x, "a" + "b", x + x)"#, #""abab""#)])
  ]
}

enum CELBlock {
  static let definitions: [FunctionDefinition] = [
    .celMacro(
      "cel.block", "an expression over numbered values, written by tools that share common parts",
      ["cel.block(list(dyn), A) -> A"],
      [.init("cel.block([1, cel.index(0) + 1], cel.index(1))", "2")]),
    .celMacro(
      "cel.index", "a value of the block around it", ["cel.index(int) -> dyn"],
      [.init("cel.block([7], cel.index(0))", "7")]),
    .celMacro(
      "cel.iterVar", "a numbered variable of a macro", ["cel.iterVar(int, int) -> dyn"],
      [.init("[1].map(cel.iterVar(0, 0), cel.iterVar(0, 0) + 1)", "[2]")]),
    .celMacro(
      "cel.accuVar", "another numbered variable of a macro", ["cel.accuVar(int, int) -> dyn"],
      [.init("cel.bind(cel.accuVar(0, 0), 1, cel.accuVar(0, 0) + 1)", "2")]),
  ]
}

enum CELComprehensions {
  static let definitions: [FunctionDefinition] = [
    macro(
      "all", "whether the condition holds for all elements or keys", "variable, bool", "bool",
      "[1, 2].all(i, v, i < v)", "true", "{1: 2}.all(k, v, k > v)", "false"),
    macro(
      "exists", "whether the condition holds for an element or key", "variable, bool", "bool",
      "[1, 2].exists(i, v, i > v)", "false", "{1: 2}.exists(k, v, k < v)", "true"),
    macro(
      "exists_one", "whether the condition holds for exactly one element or key", "variable, bool",
      "bool", "[1, 2].exists_one(i, v, i == 0)", "true", "{1: 2}.exists_one(k, v, k > v)", "false"),
    macro(
      "existsOne", "whether the condition holds for exactly one element or entry",
      "variable, bool", "bool", "[1, 2].existsOne(i, v, i == 0)", "true",
      "{1: 2}.existsOne(k, v, k > v)", "false"),
    macro(
      "transformList", "the values of an expression for each element or entry", "variable, B",
      "list(B)", "[1, 2].transformList(i, v, i + v)", "[1, 3]", "{1: 2}.transformList(k, v, k + v)",
      "[3]"),
    macro(
      "transformList", "the values of an expression for some elements or entries",
      "variable, bool, B", "list(B)", "[1, 2].transformList(i, v, i > 0, v)", "[2]",
      "{1: 2}.transformList(k, v, k > v, k)", "[]"),
    transformMap("variable, B", "[4].transformMap(i, v, v + 1)", "{0: 5}"),
    transformMap("variable, bool, B", "[4].transformMap(i, v, i > 0, v)", "{}"),
    macro(
      "transformMapEntry", "a map of the entries of the maps that an expression yields",
      "variable, map(A, B)", "map(A, B)", #"["a", "b"].transformMapEntry(i, v, {v: i})"#,
      #"{"a": 0, "b": 1}"#, #"{"a": 0}.transformMapEntry(k, v, {v: k})"#, #"{0: "a"}"#),
    macro(
      "transformMapEntry", "a map of the entries of the maps that an expression yields",
      "variable, bool, map(A, B)", "map(A, B)",
      #"["a", "b"].transformMapEntry(i, v, i > 0, {v: i})"#, #"{"b": 1}"#,
      #"{"a": 0}.transformMapEntry(k, v, v > 0, {v: k})"#, "{}"),
  ]

  private static func transformMap(
    _ parameters: String, _ example: String, _ value: String
  ) -> FunctionDefinition {
    .celMacro(
      "transformMap", "a map with the same keys and other values",
      [
        "list(T).transformMap(variable, \(parameters)) -> map(int, B)",
        "map(K, V).transformMap(variable, \(parameters)) -> map(K, B)",
      ],
      [.init(example, value), .init("{1: 2}.transformMap(k, v, v > 1, v * 2)", "{1: 4}")])
  }

  private static func macro(
    _ name: String, _ summary: String, _ parameters: String, _ result: String,
    _ ofList: String, _ listValue: String, _ ofMap: String, _ mapValue: String
  ) -> FunctionDefinition {
    .celMacro(
      name, summary,
      [
        "list(T).\(name)(variable, \(parameters)) -> \(result)",
        "map(K, V).\(name)(variable, \(parameters)) -> \(result)",
      ],
      [.init(ofList, listValue), .init(ofMap, mapValue)])
  }
}
