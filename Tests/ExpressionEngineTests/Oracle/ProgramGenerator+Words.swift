// What generated programs are made of. The names are those of ``OracleContexts``.

extension ProgramGenerator {
  static let roots = [
    "user", "user", "user", "device", "params", "deep", "m", "s", "l", "n", "nul", "ghost",
    "computed", "odd", "x", "sz",
  ]
  static let attributes = [
    "age", "name", "nul", "flag", "no", "score", "tags", "list", "gone", "deep", "a", "b", "c",
    "size", "map", "daysSince", "onlyC", "platform", "ver", "k", "phrase", "has", "ts",
  ]
  static let bools = [
    "true", "false", "user.flag", "user.no", "user.gone", "t", "\"true\"", "params.on",
    "user.deep.a.gone", "has(user.gone)",
  ]
  static let numbers = [
    "0", "1", "2", "-1", "5", "7", "25", "0.0", "1.5", "-0.5", "2.5", "5.0", "1e300",
    "9223372036854775807", "-9223372036854775808", "9007199254740993", "n", "u", "f", "mx", "mn",
    "user.age", "user.gone", "ts", "-0.0",
  ]
  static let strings = [
    "\"\"", "\"a\"", "\"5\"", "\"25\"", "\"007\"", "\"5.0\"", "\"+5\"", "\"2.5e0\"", "\"inf\"",
    "\"nan\"", "\"true\"", "'false'", "\"hello\"", "\"ell\"", "\"k\"", "\"gone\"", "\"é\"",
    "\"Unknown function\"", "\"Null can not be compared to\"", "\"1h\"", "\"-1.5h3m\"", "\"^h\"",
    "\"(\"", "r'h.l+o'", "\"42\"", "s", "user.name", "user.score", "pad", "uf", "dt",
    "device.ver", "params.gone", "\"18446744073709551615\"", "\"Unknown function(\"",
  ]
  static let lists = [
    "[]", "[1]", "[1, 2, 3]", "[\"a\", 1]", "[null]", "[1, 2.0, uint(1)]", "l", "user.tags",
    "user.list", "mixed", "[[1], [2]]", "user.gone", "[\"a\", \"b\", \"hello\"]",
  ]
  static let maps = [
    "{}", "{\"a\": 1}", "{1: \"x\"}", "{uint(1): 2, 1: 3}", "{true: 1}", "{\"true\": 1}", "m",
    "user", "device", "sz", "deep", "odd", "{\"k\": [1]}", "computed",
  ]
  static let times = [
    "timestamp(dt)", "timestamp(\"1960-01-01T00:00:00Z\")", "timestamp(\"2300-01-01T00:00:00Z\")",
    "duration(\"1h\")", "duration(\"-90m\")", "duration(\"0s\")", "duration(\"1.5s\")",
    "timestamp(\"2024-02-29T12:34:56+02:00\")",
  ]
  static let instants = [
    "dt", "\"2024-02-29T12:34:56Z\"", "\"2023-02-29T00:00:00Z\"", "\"x\"", "\"Unknown function\"",
    "\"1969-12-31T23:59:59.5Z\"",
  ]
  static let literals = ["true", "false", "null", "b\"\"", "b\"hi\"", "uint(5)", "\"true\"", "[]"]
  static let functionNames = [
    "\"device.daysSince\"", "\"computed.onlyC\"", "\"device.onlyC\"", "\"size\"", "\"toString\"",
    "\"device.device.none\"", "\"true\"", "5", "user.gone", "user.name", "\"daysSince\"",
  ]
  static let callables = [
    "contains", "size", "has", "map", "filter", "all", "exists", "exists_one", "max",
    "startsWith", "endsWith", "matches", "duration", "timestamp", "string", "bytes", "double",
    "int", "uint", "maybe", "hasFn", "intToString", "uintToString", "floatToString",
    "boolToString", "unknownFunction", "test_custom_func", "absent", "toString",
  ]
}
