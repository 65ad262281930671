@testable import ExpressionChecking
@testable import ExpressionEngine

/// The functions of the cel dialect as signatures alone, for tests of the checker that must not
/// depend on what the libraries make of them.
enum CheckLibrary {
  /// The macros of the language.
  static let standardMacros = ["has", "all", "exists", "exists_one", "map", "filter"]

  /// The macros of the libraries.
  static let libraryMacros = [
    "existsOne", "transformList", "transformMap", "transformMapEntry", "cel.bind", "cel.block",
    "cel.index", "cel.iterVar", "cel.accuVar", "optMap", "optFlatMap", "sortBy",
  ]

  /// Everything but host functions.
  static func declarations(container: String = "") throws -> Declarations {
    var declarations = try all.get()
    declarations.container = container
    return declarations
  }

  private static let all = Result {
    var declarations = Declarations(rules: .cel)
    try declarations.declare(library: definitions)
    declarations.enable(macros: standardMacros + libraryMacros)
    return declarations
  }

  private static let definitions: [FunctionDefinition] = groups.flatMap { $0 }.map {
    FunctionDefinition(
      $0.0, signatures: $0.1, summary: "", examples: [], form: .function { _, _ in .null })
  }

  private typealias Group = [(String, [String])]

  private static let groups: [Group] = [
    conversions, standardStrings, accessors, strings, math, encoders, collections, optionals,
    network, regex,
  ]

  private static let conversions: Group = [
    ("bool", ["bool(bool | string) -> bool"]),
    ("int", ["int(int | uint | double | string | timestamp) -> int"]),
    ("uint", ["uint(uint | int | string | double) -> uint"]),
    ("double", ["double(double | int | uint | string) -> double"]),
    (
      "string",
      [
        "string(string | bool | int | uint | double | bytes | timestamp | duration) -> string",
        "string(net.IP | net.CIDR) -> string",
      ]
    ),
    ("bytes", ["bytes(bytes | string) -> bytes"]),
    ("timestamp", ["timestamp(timestamp | string | int) -> timestamp"]),
    ("duration", ["duration(duration | string) -> duration"]),
    ("type", ["type(A) -> type(A)"]),
    ("dyn", ["dyn(A) -> dyn"]),
  ]

  private static let standardStrings: Group = [
    (
      "size",
      [
        "size(string) -> int", "size(bytes) -> int", "size(list(A)) -> int",
        "size(map(A, B)) -> int", "string.size() -> int", "bytes.size() -> int",
        "list(A).size() -> int", "map(A, B).size() -> int",
      ]
    ),
    ("contains", ["string.contains(string) -> bool"]),
    ("startsWith", ["string.startsWith(string) -> bool"]),
    ("endsWith", ["string.endsWith(string) -> bool"]),
    ("matches", ["string.matches(string) -> bool", "matches(string, string) -> bool"]),
  ]

  private static let accessors: Group =
    [
      "getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear",
      "getHours", "getMinutes", "getSeconds", "getMilliseconds",
    ].map { name in
      let onTimestamps = ["timestamp.\(name)() -> int", "timestamp.\(name)(string) -> int"]
      let onBoth = ["getHours", "getMinutes", "getSeconds", "getMilliseconds"].contains(name)
      return (name, onTimestamps + (onBoth ? ["duration.\(name)() -> int"] : []))
    }

  private static let strings: Group = [
    ("charAt", ["string.charAt(int) -> string"]),
    ("indexOf", ["string.indexOf(string) -> int", "string.indexOf(string, int) -> int"]),
    (
      "lastIndexOf",
      ["string.lastIndexOf(string) -> int", "string.lastIndexOf(string, int) -> int"]
    ),
    ("substring", ["string.substring(int) -> string", "string.substring(int, int) -> string"]),
    (
      "replace",
      [
        "string.replace(string, string) -> string",
        "string.replace(string, string, int) -> string",
      ]
    ),
    (
      "split",
      ["string.split(string) -> list(string)", "string.split(string, int) -> list(string)"]
    ),
    ("join", ["list(string).join() -> string", "list(string).join(string) -> string"]),
    ("lowerAscii", ["string.lowerAscii() -> string"]),
    ("upperAscii", ["string.upperAscii() -> string"]),
    ("trim", ["string.trim() -> string"]),
    ("reverse", ["string.reverse() -> string", "list(A).reverse() -> list(A)"]),
    ("format", ["string.format(list(dyn)) -> string"]),
    ("strings.quote", ["strings.quote(string) -> string"]),
  ]

  private static let math: Group =
    ["greatest", "least"].map { name in
      (
        "math.\(name)",
        [
          "math.\(name)(int, ...) -> int", "math.\(name)(uint, ...) -> uint",
          "math.\(name)(double, ...) -> double", "math.\(name)(int | uint | double, ...) -> dyn",
          "math.\(name)(list(int)) -> int", "math.\(name)(list(uint)) -> uint",
          "math.\(name)(list(double)) -> double", "math.\(name)(list(dyn)) -> dyn",
        ]
      )
    }
    + ["ceil", "floor", "round", "trunc"].map {
      ("math.\($0)", ["math.\($0)(double) -> double"])
    }
    + ["abs", "sign"].map { name in
      ("math.\(name)", ["int", "uint", "double"].map { "math.\(name)(\($0)) -> \($0)" })
    }
    + ["isNaN", "isInf", "isFinite"].map { ("math.\($0)", ["math.\($0)(double) -> bool"]) }
    + ["bitAnd", "bitOr", "bitXor"].map { name in
      ("math.\(name)", ["int", "uint"].map { "math.\(name)(\($0), \($0)) -> \($0)" })
    }
    + ["bitShiftLeft", "bitShiftRight"].map { name in
      ("math.\(name)", ["int", "uint"].map { "math.\(name)(\($0), int) -> \($0)" })
    }
    + [
      ("math.bitNot", ["math.bitNot(int) -> int", "math.bitNot(uint) -> uint"]),
      ("math.sqrt", ["math.sqrt(int | uint | double) -> double"]),
    ]

  private static let encoders: Group = [
    ("base64.encode", ["base64.encode(bytes) -> string"]),
    ("base64.decode", ["base64.decode(string) -> bytes"]),
  ]

  private static let collections: Group = [
    ("sets.contains", ["sets.contains(list(A), list(A)) -> bool"]),
    ("sets.equivalent", ["sets.equivalent(list(A), list(A)) -> bool"]),
    ("sets.intersects", ["sets.intersects(list(A), list(A)) -> bool"]),
    ("slice", ["list(A).slice(int, int) -> list(A)"]),
    (
      "flatten",
      ["list(list(A)).flatten() -> list(A)", "list(dyn).flatten(int) -> list(dyn)"]
    ),
    ("distinct", ["list(A).distinct() -> list(A)"]),
    ("sort", ["list(A).sort() -> list(A)"]),
    ("lists.range", ["lists.range(int) -> list(int)"]),
  ]

  private static let optionals: Group = [
    ("optional.of", ["optional.of(A) -> optional_type(A)"]),
    ("optional.none", ["optional.none() -> optional_type(A)"]),
    ("optional.ofNonZeroValue", ["optional.ofNonZeroValue(A) -> optional_type(A)"]),
    ("hasValue", ["optional_type(A).hasValue() -> bool"]),
    ("value", ["optional_type(A).value() -> A"]),
    ("or", ["optional_type(A).or(optional_type(A)) -> optional_type(A)"]),
    ("orValue", ["optional_type(A).orValue(A) -> A"]),
    ("first", ["list(A).first() -> optional_type(A)"]),
    ("last", ["list(A).last() -> optional_type(A)"]),
    ("optional.unwrap", ["optional.unwrap(list(optional_type(A))) -> list(A)"]),
    ("unwrapOpt", ["list(optional_type(A)).unwrapOpt() -> list(A)"]),
  ]

  private static let network: Group =
    [
      ("ip", ["ip(string) -> net.IP", "net.CIDR.ip() -> net.IP"]),
      ("cidr", ["cidr(string) -> net.CIDR"]),
      ("isIP", ["isIP(string) -> bool"]),
      ("isCIDR", ["isCIDR(string) -> bool"]),
      ("ip.isCanonical", ["ip.isCanonical(string) -> bool"]),
      ("family", ["net.IP.family() -> int"]),
      ("masked", ["net.CIDR.masked() -> net.CIDR"]),
      ("isMask", ["net.CIDR.isMask() -> bool"]),
      ("prefixLength", ["net.CIDR.prefixLength() -> int"]),
      ("containsIP", ["net.CIDR.containsIP(net.IP | string) -> bool"]),
      ("containsCIDR", ["net.CIDR.containsCIDR(net.CIDR | string) -> bool"]),
    ]
    + [
      "isUnspecified", "isLoopback", "isGlobalUnicast", "isLinkLocalUnicast",
      "isLinkLocalMulticast",
    ].map { ($0, ["net.IP.\($0)() -> bool"]) }

  private static let regex: Group = [
    (
      "regex.replace",
      [
        "regex.replace(string, string, string) -> string",
        "regex.replace(string, string, string, int) -> string",
      ]
    ),
    ("regex.extract", ["regex.extract(string, string) -> optional_type(string)"]),
    ("regex.extractAll", ["regex.extractAll(string, string) -> list(string)"]),
  ]
}
