import ExpressionSyntax

/// Functions of other languages, with their equivalents in the expression language.
enum ForeignFunctions {
  /// Returns advice for a call of a function that does not exist.
  ///
  /// - Parameters:
  ///   - name: The function's name in any spelling: `toLowerCase`, `to_lower_case`.
  ///   - dialect: The dialect, whose library determines the advice.
  /// - Returns: One sentence in the imperative, or `nil` if the name is not known from another
  ///   language.
  static func help(for name: String, in dialect: Dialect.Name) -> String? {
    let key = name.lowercased().filter { $0 != "_" }
    if let shared = shared[key] { return shared }
    return dialect == .cel ? cel[key] : superscript[key]
  }

  private static let noVersions =
    "compare padded versions as texts: `device.appVersionPadded >= \"002.009.000\"`"
  private static let noChance =
    "nothing is random here; `user.seed` is a number from 0 to 99 that stays with the user: "
    + "`user.seed < 10` is a tenth of all"
  private static let noSums = "there is no sum over a list; send it as an attribute of its own"
  private static let noSegments =
    "the app knows its segments; let it send them, and write `\"beta\" in user.segments`"
  private static let noTables =
    "there are no tables; list the values that are meant: `user.country in [\"US\", \"CA\"]`"
  private static let noTypes =
    "there is no test of types; ask whether it is there: `has(user.age)`"
  private static let shared: [String: String] = [
    "tostring": "use `string(…)`", "str": "use `string(…)`", "parseint": "use `int(…)`",
    "number": "use `double(…)`", "float": "use `double(…)`", "parsefloat": "use `double(…)`",
    "len": "use `size(…)`", "length": "use `size(…)`", "count": "use `size(…)`",
    "first": "the first element is `list[0]`", "last": "the last element is `list[size(list) - 1]`",
    "isnullorwhitespace": "write `value == null || value == \"\"`",
    "iszero": "write `value == 0`", "ispositive": "write `value > 0`",
    "isnegative": "write `value < 0`", "na": "write `!has(user.age)`",
    "isna": "write `!has(user.age)`", "isnan": "write `!has(user.age)`",
    "isnullorempty": "write `value == null || value == \"\"`",
    "isnullorblank": "write `value == null || value == \"\"`",
    "isnotempty": "write `size(…) > 0`", "isblank": "write `value == \"\"`",
    "ispresent": "use `has(…)`", "isempty": "write `size(…) == 0`", "empty": "write `size(…) == 0`",
    "includes": "use `contains(…)`", "hasprefix": "use `startsWith(…)`",
    "beginswith": "use `startsWith(…)`", "begins": "use `startsWith(…)`",
    "hassuffix": "use `endsWith(…)`", "ends": "use `endsWith(…)`", "test": "use `matches(…)`",
    "match": "use `matches(…)`", "like": "use `contains(…)` or `matches(…)`",
    "regex": "use `matches(…)`", "isin": "write `value in [\"a\", \"b\"]`",
    "oneof": "write `value in [\"a\", \"b\"]`", "any": "use `exists(x, …)`",
    "some": "use `exists(x, …)`", "anymatch": "use `exists(x, …)`", "every": "use `all(x, …)`",
    "allmatch": "use `all(x, …)`", "isnull": "compare with null: `value == null`",
    "isnil": "compare with null: `value == null`", "exist": "use `has(…)`",
    "defined": "use `has(…)`", "strstartswith": "use `startsWith(…)`",
    "strendswith": "use `endsWith(…)`", "strcontains": "use `contains(…)`",
    "regexplike": "use `matches(…)`", "isset": "use `has(…)`", "haskey": "use `has(…)`",
    "hasownproperty": "use `has(…)`", "between": "write `low <= value && value <= high`",
    "inrange": "write `low <= value && value <= high`", "if": "write `condition ? first : second`",
    "iff": "write `condition ? first : second`", "iif": "write `condition ? first : second`",
    "ifelse": "write `condition ? first : second`", "not": "write `!(…)`",
    "and": "join conditions with `&&`", "or": "join conditions with `||`",
    "equals": "write `a == b`", "eq": "write `a == b`", "concat": "join texts with `+`",
    "toint": "use `int(…)`", "tonumber": "use `double(…)`", "todouble": "use `double(…)`",
    "tofloat": "use `double(…)`", "tostr": "use `string(…)`",
    "version": noVersions, "semver": noVersions, "compareversions": noVersions,
    "parseversion": noVersions, "rand": noChance, "random": noChance, "hash": noChance,
    "md5": noChance, "sha1": noChance, "sha256": noChance, "bucket": noChance,
    "sum": noSums, "avg": noSums, "mean": noSums, "average": noSums, "reduce": noSums,
    "sqrt": "there is no square root; compare the square: `a * a`",
    "strlen": "use `size(…)`", "nchar": "use `size(…)`",
    "inarray": "write `value in [\"a\", \"b\"]`",
    "grepl": "use `matches(…)`", "pregmatch": "use `matches(…)`",
    "regexmatch": "use `matches(…)`", "regexpreplace": "there is no function that replaces texts",
    "listof": "write `[\"a\", \"b\"]`", "arrayof": "write `[\"a\", \"b\"]`",
    "setof": "write `[\"a\", \"b\"]`", "startofday": "today is `device.localDate`",
    "orvalue": "write `has(value) ? value : other`", "orelse": "write `has(value) ? value : other`",
    "ordefault": "write `has(value) ? value : other`",
    "getordefault": "write `has(value) ? value : other`",
    "regexpcontains": "use `matches(…)`", "regexpmatch": "use `matches(…)`",
    "strpos": "use `contains(…)`", "left": "ask for the beginning: `….startsWith(\"17\")`",
    "right": "ask for the end: `….endsWith(\"17\")`",
    "text": "use `string(…)`", "isinstance": noTypes, "type": noTypes, "gettype": noTypes,
    "dyn": "write the value alone", "var": "write the attribute itself: `user.age`",
    "getattribute": "write the attribute itself: `user.age`", "missing": "write `!has(user.age)`",
    "percent": noChance, "rollout": noChance, "greatest": "use `max(…)`",
    "semvercompare": noVersions, "comparever": noVersions, "semvergreaterthan": noVersions,
    "exactlymatches": "write `value in [\"a\", \"b\"]`",
    "intersects": "write `[\"a\", \"b\"].exists(x, x in list)`",
    "none": "write `!list.exists(…)`", "nonematch": "write `!list.exists(…)`",
    "bool": "there is no conversion to a bool; compare the value: `… == true`",
    "boolean": "there is no conversion to a bool; compare the value: `… == true`",
    "strip": "there is no function that removes spaces; use `matches(…)`",
    "replace": "there is no function that replaces parts of texts",
    "charat": "there is no function for one letter; use `startsWith(…)` or `matches(…)`",
    "equalsignorecase": "to ignore case, use `matches(\"(?i)^…$\")`",
    "ilike": "to ignore case, use `matches(\"(?i)…\")`",
    "countif": "use `exists(x, …)`, or `size(list.filter(x, …))`", "vlookup": noTables,
    "xlookup": noTables, "hlookup": noTables, "sverweis": noTables, "lookup": noTables,
    "tofixed": "there is no rounding; compare the number itself, or with a range",
    "containsany": "write `[\"a\", \"b\"].exists(x, x in list)`",
    "includesany": "write `[\"a\", \"b\"].exists(x, x in list)`",
    "containsall": "write `[\"a\", \"b\"].all(x, x in list)`",
    "nin": "write `!(value in [\"a\", \"b\"])`", "notin": "write `!(value in [\"a\", \"b\"])`",
    "hasattr": "use `has(…)`", "keys": "ask whether it is there: `has(user.email)`",
    "range": "there are no ranges; write `low <= value && value < high`",
    "segmentmatch": noSegments, "insegment": noSegments, "iscohortmember": noSegments,
    "incohort": noSegments, "audiencematch": noSegments,
    "mod": "write `a % b`", "pow": "there are no powers; multiply: `a * a`",
  ]

  private static let noCase =
    "there is no function that changes case; to ignore it, use `matches(\"(?i)…\")`"
  private static let noClock =
    "there is no clock; compare an attribute such as `device.localDate` or `device.daysSinceInstall`"
  private static let noRounding = "there is no rounding; compare with a range"

  private static let noDates =
    "there are no functions of dates; a date is a text: `….startsWith(\"2026-03\")`, `… >= \"2026-03-01\"`"

  static let superscript: [String: String] = [
    "getfullyear": noDates, "getyear": noDates, "getmonth": noDates, "getdate": noDates,
    "getday": noDates, "getdayofmonth": noDates, "getdayofweek": noDates, "gethours": noDates,
    "getminutes": noDates, "gettime": noDates, "year": noDates, "month": noDates, "day": noDates,
    "hour": noDates, "weekday": noDates, "dayofweek": noDates, "format": noDates,
    "todate": noDates, "parsedate": noDates, "toisostring": noDates, "datediff": noDates,
    "datetime": noDates, "strftime": noDates, "isbefore": noDates, "isafter": noDates,
    "min": "write `a < b ? a : b`", "lower": noCase, "lowerascii": noCase, "tolowercase": noCase,
    "tolower": noCase, "lowercased": noCase, "lowercase": noCase, "upper": noCase,
    "upperascii": noCase, "touppercase": noCase, "toupper": noCase, "uppercased": noCase,
    "uppercase": noCase, "capitalize": noCase, "now": noClock, "today": noClock,
    "date": "there is no clock; compare dates as texts: `device.localDate >= \"2026-03-01\"`",
    "currentdate": noClock, "time": noClock, "round": noRounding, "floor": noRounding,
    "ceil": noRounding, "abs": "write `a < 0 ? -a : a`",
    "indexof": "use `contains(…)`",
    "substring": "use `startsWith(…)`, `endsWith(…)` or `matches(…)`",
    "substr": "use `startsWith(…)`, `endsWith(…)` or `matches(…)`",
    "slice": "use `startsWith(…)`, `endsWith(…)` or `matches(…)`",
    "coalesce": "write `(a || b)`, which is `b` when `a` is missing",
    "ifnull": "write `(a || b)`, which is `b` when `a` is missing",
    "default": "write `(a || b)`, which is `b` when `a` is missing",
    "defaultto": "write `(a || b)`, which is `b` when `a` is missing",
    "nvl": "write `(a || b)`, which is `b` when `a` is missing",
    "daysago": noDates, "ago": noDates, "hours": noDates, "months": noDates,
    "trim": "there is no function that removes spaces; use `matches(…)`",
    "split": "there is no function that splits texts; use `contains(…)`",
  ]

  static let cel: [String: String] = [
    "min": "use `math.least(…)`", "max": "use `math.greatest(…)`", "abs": "use `math.abs(…)`",
    "round": "use `math.round(…)`", "floor": "use `math.floor(…)`", "ceil": "use `math.ceil(…)`",
    "lower": "use `lowerAscii()`", "tolowercase": "use `lowerAscii()`",
    "tolower": "use `lowerAscii()`", "lowercased": "use `lowerAscii()`",
    "upper": "use `upperAscii()`", "touppercase": "use `upperAscii()`",
    "toupper": "use `upperAscii()`", "uppercased": "use `upperAscii()`",
    "substr": "use `substring(…)`", "coalesce": "write `(has(a.b) ? a.b : c)`",
    "ifnull": "write `(has(a.b) ? a.b : c)`",
    "now": "there is no clock; compare an attribute such as `device.localDate`",
    "today": "there is no clock; compare an attribute such as `device.localDate`",
  ]
}
