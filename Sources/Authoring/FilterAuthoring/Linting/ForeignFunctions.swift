import ExpressionSyntax

/// Functions of other languages, with their equivalents in the expression language.
enum ForeignFunctions {
  /// What is written in the place of a call.
  enum Equivalent: Sendable {
    /// A function with the same operands.
    case function(String)
    /// A loop over the list.
    case loop(String)
    /// An expression over the operands.
    case form(Form)
    /// `size(…) == 0`
    case empty
    /// `size(…) > 0`
    case notEmpty
    /// A comparison with null and with the empty text.
    case nullOrEmpty
    /// Padded versions, which are compared as texts.
    case version
    /// Something else, in words.
    case advice(String)

    /// Advice without the operands of a call.
    var help: String {
      switch self {
      case .function(let name): "use `\(name)(…)`"
      case .loop(let name): "use `\(name)(x, …)`"
      case .form(let form): form.help
      case .empty: "write `size(…) == 0`"
      case .notEmpty: "write `size(…) > 0`"
      case .nullOrEmpty: "write `value == null || value == \"\"`"
      case .version:
        "compare padded versions as texts: `device.appVersionPadded >= \"002.009.000\"`"
      case .advice(let text): text
      }
    }
  }

  /// An expression in the place of a call.
  struct Form: Sendable {
    /// Advice without the operands.
    let help: String
    /// The number of operands, the subject of a method included.
    let count: Int
    /// The expression, with `$0`, `$1` and `$2` for the operands.
    let template: String

    /// Returns the expression with operands, in parentheses where an operator beside them binds
    /// tighter.
    ///
    /// - Parameter powers: How tight the operands bind, by the table of operators; none is torn
    ///   apart unless it has one.
    func text(_ operands: [String], powers: [UInt8] = []) -> String {
      var result = ""
      var rest = template[...]
      while let mark = rest.firstIndex(of: "$") {
        result += rest[..<mark]
        rest = rest[mark...].dropFirst()
        if let index = rest.popFirst()?.wholeNumberValue, index < operands.count {
          let isTorn = index < powers.count && powers[index] < Self.power(between: result, rest)
          result += isTorn ? "(\(operands[index]))" : operands[index]
        }
      }
      return result + rest
    }

    /// Returns the power that an operand needs between two parts of a template.
    private static func power(between before: String, _ after: Substring) -> UInt8 {
      if after.first == "." { return .max }
      if before.last == "-" || before.last == "!" { return OperatorTable.prefixPower.right }
      // A conditional before `?` would take its operands.
      var power = after.hasPrefix(" ?") ? Operator.conditional.info.power.left + 1 : 0
      for row in OperatorTable.rows where row.fixity == .infix {
        if after.hasPrefix(" \(row.spelling) ") {
          power = max(power, row.isComparison ? row.power.right : row.power.left)
        }
        if before.hasSuffix(" \(row.spelling) ") { power = max(power, row.power.right) }
      }
      return power
    }

    static let lesser = Form(
      help: "write `a < b ? a : b`", count: 2, template: "($0 < $1 ? $0 : $1)")
    static let absolute = Form(
      help: "write `a < 0 ? -a : a`", count: 1, template: "($0 < 0 ? -$0 : $0)")
    static let equality = Form(help: "write `a == b`", count: 2, template: "$0 == $1")
    static let remainder = Form(help: "write `a % b`", count: 2, template: "$0 % $1")
    static let noElement = Form(
      help: "write `!list.exists(…)`", count: 3, template: "!$0.exists($1, $2)")
    static let between = Form(
      help: "write `low <= value && value <= high`", count: 3, template: "$1 <= $0 && $0 <= $2")
    static let both = Form(help: "join conditions with `&&`", count: 2, template: "$0 && $1")
    static let either = Form(
      help: "join conditions with `||`", count: 2, template: "$0 || $1")
    static let choice = Form(
      help: "write `condition ? first : second`", count: 3, template: "$0 ? $1 : $2")
    static let anyOf = Form(
      help: "write `[\"a\", \"b\"].exists(x, x in list)`", count: 2,
      template: "$1.exists(x, x in $0)")
    static let allOf = Form(
      help: "write `[\"a\", \"b\"].all(x, x in list)`", count: 2, template: "$1.all(x, x in $0)")
    static let membership = Form(
      help: "write `value in [\"a\", \"b\"]`", count: 2, template: "$0 in $1")
    static let nonMembership = Form(
      help: "write `!(value in [\"a\", \"b\"])`", count: 2, template: "!($0 in $1)")
    static let blank = Form(help: "write `value == \"\"`", count: 1, template: "$0 == \"\"")
    static let zero = Form(help: "write `value == 0`", count: 1, template: "$0 == 0")
    static let positive = Form(help: "write `value > 0`", count: 1, template: "$0 > 0")
    static let negative = Form(help: "write `value < 0`", count: 1, template: "$0 < 0")
    static let presentOr = Form(
      help: "write `(has(value) ? value : other)`", count: 2, template: "(has($0) ? $0 : $1)")
    static let missing = Form(help: "write `!has(user.age)`", count: 1, template: "!has($0)")
    static let null = Form(
      help: "compare with null: `value == null`", count: 1, template: "$0 == null")
  }

  /// Returns advice for a call of a function that does not exist.
  ///
  /// - Parameters:
  ///   - name: The function's name in any spelling: `toLowerCase`, `to_lower_case`.
  ///   - dialect: The dialect, whose library determines the advice.
  /// - Returns: One sentence in the imperative, or `nil` if the name is not known from another
  ///   language.
  static func help(for name: String, in dialect: Dialect.Name) -> String? {
    equivalent(of: name, in: dialect)?.help
  }

  /// Returns what is written in the place of a function that does not exist; see
  /// ``help(for:in:)``.
  static func equivalent(of name: String, in dialect: Dialect.Name) -> Equivalent? {
    let key = name.lowercased().filter { $0 != "_" }
    if let shared = shared[key] { return shared }
    return dialect == .cel ? cel[key] : superscript[key]
  }

  private static let noChance =
    "nothing is random here; `user.seed` is a number from 0 to 99 that stays with the user: "
    + "`user.seed < 10` is a tenth of all"
  private static let noSums = "there is no sum over a list; send it as an attribute of its own"
  private static let noSegments =
    "the app knows its segments; let it send them, as a list, and look for one with `in`"
  private static let noTables =
    "there are no tables; list the values that are meant, after `in`"
  private static let noTypes =
    "there is no test of types; ask whether it is there: `has(user.age)`"
  private static let shared: [String: Equivalent] = [
    "tostring": .function("string"), "str": .function("string"), "parseint": .function("int"),
    "number": .function("double"), "float": .function("double"), "parsefloat": .function("double"),
    "len": .function("size"), "length": .function("size"), "count": .function("size"),
    "first": .advice("the first element is `list[0]`"),
    "last": .advice("the last element is `list[size(list) - 1]`"),
    "isnullorwhitespace": .nullOrEmpty,
    "iszero": .form(.zero), "ispositive": .form(.positive),
    "isnegative": .form(.negative), "na": .form(.missing),
    "isna": .form(.missing), "isnan": .form(.missing),
    "isnullorempty": .nullOrEmpty,
    "isnullorblank": .nullOrEmpty,
    "isnotempty": .notEmpty, "isblank": .form(.blank),
    "ispresent": .function("has"), "isempty": .empty, "empty": .empty,
    "includes": .function("contains"), "hasprefix": .function("startsWith"),
    "beginswith": .function("startsWith"), "begins": .function("startsWith"),
    "hassuffix": .function("endsWith"), "ends": .function("endsWith"), "test": .function("matches"),
    "match": .function("matches"), "like": .advice("use `contains(…)` or `matches(…)`"),
    "regex": .function("matches"), "isin": .form(.membership),
    "oneof": .form(.membership), "any": .loop("exists"),
    "some": .loop("exists"), "anymatch": .loop("exists"), "every": .loop("all"),
    "allmatch": .loop("all"), "isnull": .form(.null),
    "isnil": .form(.null), "exist": .function("has"),
    "defined": .function("has"), "strstartswith": .function("startsWith"),
    "strendswith": .function("endsWith"), "strcontains": .function("contains"),
    "regexplike": .function("matches"), "isset": .function("has"), "haskey": .function("has"),
    "hasownproperty": .function("has"), "between": .form(.between),
    "inrange": .form(.between), "if": .form(.choice),
    "iff": .form(.choice), "iif": .form(.choice),
    "ifelse": .form(.choice), "not": .advice("write `!(…)`"),
    "and": .form(.both), "or": .form(.either),
    "equals": .form(.equality), "eq": .form(.equality), "concat": .advice("join texts with `+`"),
    "toint": .function("int"), "tonumber": .function("double"), "todouble": .function("double"),
    "tofloat": .function("double"), "tostr": .function("string"),
    "version": .version, "semver": .version,
    "compareversions": .version,
    "parseversion": .version, "rand": .advice(noChance), "random": .advice(noChance),
    "hash": .advice(noChance),
    "md5": .advice(noChance), "sha1": .advice(noChance), "sha256": .advice(noChance),
    "bucket": .advice(noChance),
    "sum": .advice(noSums), "avg": .advice(noSums), "mean": .advice(noSums),
    "average": .advice(noSums), "reduce": .advice(noSums),
    "sqrt": .advice("there is no square root; compare the square: `a * a`"),
    "strlen": .function("size"), "nchar": .function("size"),
    "inarray": .form(.membership),
    "grepl": .function("matches"), "pregmatch": .function("matches"),
    "regexmatch": .function("matches"),
    "regexpreplace": .advice("there is no function that replaces texts"),
    "listof": .advice("write `[\"a\", \"b\"]`"), "arrayof": .advice("write `[\"a\", \"b\"]`"),
    "setof": .advice("write `[\"a\", \"b\"]`"),
    "startofday": .advice("today is `device.localDate`"),
    "orvalue": .form(.presentOr), "orelse": .form(.presentOr),
    "ordefault": .form(.presentOr),
    "getordefault": .form(.presentOr),
    "regexpcontains": .function("matches"), "regexpmatch": .function("matches"),
    "strpos": .function("contains"),
    "left": .advice("ask for the beginning with `….startsWith(…)`"),
    "right": .advice("ask for the end with `….endsWith(…)`"),
    "text": .function("string"), "isinstance": .advice(noTypes), "type": .advice(noTypes),
    "gettype": .advice(noTypes),
    "dyn": .advice("write the value alone"),
    "var": .advice("write the attribute itself: `user.age`"),
    "getattribute": .advice("write the attribute itself: `user.age`"), "missing": .form(.missing),
    "percent": .advice(noChance), "rollout": .advice(noChance), "greatest": .function("max"),
    "semvercompare": .version, "comparever": .version,
    "semvergreaterthan": .version,
    "exactlymatches": .form(.membership),
    "intersects": .form(.anyOf),
    "none": .form(.noElement), "nonematch": .form(.noElement),
    "bool": .advice("there is no conversion to a bool; compare the value: `… == true`"),
    "boolean": .advice("there is no conversion to a bool; compare the value: `… == true`"),
    "strip": .advice("there is no function that removes spaces; use `matches(…)`"),
    "replace": .advice("there is no function that replaces parts of texts"),
    "charat": .advice("there is no function for one letter; use `startsWith(…)` or `matches(…)`"),
    "equalsignorecase": .advice("to ignore case, use `matches(\"(?i)^…$\")`"),
    "ilike": .advice("to ignore case, use `matches(\"(?i)…\")`"),
    "countif": .advice("use `exists(x, …)`, or `size(list.filter(x, …))`"),
    "vlookup": .advice(noTables),
    "xlookup": .advice(noTables), "hlookup": .advice(noTables), "sverweis": .advice(noTables),
    "lookup": .advice(noTables),
    "tofixed": .advice("there is no rounding; compare the number itself, or with a range"),
    "containsany": .form(.anyOf),
    "includesany": .form(.anyOf),
    "containsall": .form(.allOf),
    "nin": .form(.nonMembership), "notin": .form(.nonMembership),
    "hasattr": .function("has"), "keys": .advice("ask whether it is there: `has(user.email)`"),
    "range": .advice("there are no ranges; write `low <= value && value < high`"),
    "segmentmatch": .advice(noSegments), "insegment": .advice(noSegments),
    "iscohortmember": .advice(noSegments),
    "incohort": .advice(noSegments), "audiencematch": .advice(noSegments),
    "mod": .form(.remainder), "pow": .advice("there are no powers; multiply: `a * a`"),
  ]

  private static let noCase =
    "there is no function that changes case; to ignore it, use `matches(\"(?i)…\")`"
  private static let noClock =
    "there is no clock; compare an attribute such as `device.localDate` or `device.daysSinceInstall`"
  private static let noRounding = "there is no rounding; compare with a range"

  private static let noDates =
    "a date is a text, for `… >= …` and `….startsWith(…)`; lengths of time are attributes, such as "
    + "`device.daysSinceInstall`, and functions, such as `device.daysSince(\"…\")`"

  private static let superscript: [String: Equivalent] = [
    "getfullyear": .advice(noDates), "getyear": .advice(noDates), "getmonth": .advice(noDates),
    "getdate": .advice(noDates),
    "getday": .advice(noDates), "getdayofmonth": .advice(noDates), "getdayofweek": .advice(noDates),
    "gethours": .advice(noDates),
    "getminutes": .advice(noDates), "gettime": .advice(noDates), "year": .advice(noDates),
    "month": .advice(noDates), "day": .advice(noDates),
    "hour": .advice(noDates), "weekday": .advice(noDates), "dayofweek": .advice(noDates),
    "format": .advice(noDates),
    "todate": .advice(noDates), "parsedate": .advice(noDates), "toisostring": .advice(noDates),
    "datediff": .advice(noDates),
    "datetime": .advice(noDates), "strftime": .advice(noDates), "isbefore": .advice(noDates),
    "isafter": .advice(noDates),
    "min": .form(.lesser), "lower": .advice(noCase), "lowerascii": .advice(noCase),
    "tolowercase": .advice(noCase),
    "tolower": .advice(noCase), "lowercased": .advice(noCase), "lowercase": .advice(noCase),
    "upper": .advice(noCase),
    "upperascii": .advice(noCase), "touppercase": .advice(noCase), "toupper": .advice(noCase),
    "uppercased": .advice(noCase),
    "uppercase": .advice(noCase), "capitalize": .advice(noCase), "now": .advice(noClock),
    "today": .advice(noClock),
    "date": .advice(
      "there is no clock; compare dates as texts, with `device.localDate`"),
    "currentdate": .advice(noClock), "time": .advice(noClock), "round": .advice(noRounding),
    "floor": .advice(noRounding),
    "ceil": .advice(noRounding), "abs": .form(.absolute),
    "indexof": .function("contains"),
    "substring": .advice("use `startsWith(…)`, `endsWith(…)` or `matches(…)`"),
    "substr": .advice("use `startsWith(…)`, `endsWith(…)` or `matches(…)`"),
    "slice": .advice("use `startsWith(…)`, `endsWith(…)` or `matches(…)`"),
    "coalesce": .form(.presentOr),
    "ifnull": .form(.presentOr),
    "default": .form(.presentOr),
    "defaultto": .form(.presentOr),
    "nvl": .form(.presentOr),
    "daysago": .advice(noDates), "ago": .advice(noDates), "hours": .advice(noDates),
    "months": .advice(noDates),
    "trim": .advice("there is no function that removes spaces; use `matches(…)`"),
    "split": .advice("there is no function that splits texts; use `contains(…)`"),
  ]

  private static let cel: [String: Equivalent] = [
    "min": .function("math.least"), "max": .function("math.greatest"), "abs": .function("math.abs"),
    "round": .function("math.round"), "floor": .function("math.floor"),
    "ceil": .function("math.ceil"),
    "lower": .advice("use `lowerAscii()`"), "tolowercase": .advice("use `lowerAscii()`"),
    "tolower": .advice("use `lowerAscii()`"), "lowercased": .advice("use `lowerAscii()`"),
    "upper": .advice("use `upperAscii()`"), "touppercase": .advice("use `upperAscii()`"),
    "toupper": .advice("use `upperAscii()`"), "uppercased": .advice("use `upperAscii()`"),
    "substr": .function("substring"), "coalesce": .advice("write `(has(a.b) ? a.b : c)`"),
    "ifnull": .advice("write `(has(a.b) ? a.b : c)`"),
    "now": .advice("there is no clock; compare an attribute such as `device.localDate`"),
    "today": .advice("there is no clock; compare an attribute such as `device.localDate`"),
  ]
}
