/// The byte of a text at a position within it.
private let byte =
  "get_byte(convert_to(#1, 'UTF8'), CAST(LEAST(GREATEST(#2, 0), 1000000000) AS integer))"

/// A text of digits as a number, without the zeros in front.
private let integer =
  "CAST(regexp_replace(#1, '^([+-]?)0*([0-9])', '\\1\\2') AS numeric)"

extension SQLDialect {
  /// PostgreSQL 12 and later, with UTF-8 texts and JSON as `jsonb`.
  static let postgreSQL = SQLDialect(
    name: .postgresql, title: "PostgreSQL",
    templates: [
      .byteLength: "octet_length(#1)",
      .codePointLength: "char_length(#1)",
      .octetLength: "octet_length(#1)",
      .contains: "position(#2 in #1) > 0",
      .hasPrefix: "starts_with(#1, #2)",
      .hasSuffix: "right(#1, char_length(#2)) = $2",
      .join: "$1 || $2",
      .textOfInt: "CAST(#1 AS text)",
      .intOfText:
        "CASE WHEN $1 ~ '^[+-]?0*[0-9]{1,19}$' THEN CASE WHEN \(integer) "
        + "BETWEEN -9223372036854775808 AND 9223372036854775807 "
        + "THEN CAST(\(integer) AS bigint) END END",
      .uintOfText:
        "CASE WHEN $1 ~ '^[+]?0*[0-9]{1,20}$' THEN CASE WHEN \(integer) "
        + "<= 18446744073709551615 THEN \(integer) END END",
      .bytesOfText: "convert_to(#1, 'UTF8')",
      .byteCharacter:
        "CASE WHEN $2 >= 0 AND $2 < octet_length(#1) THEN "
        + "CASE WHEN \(byte) < 128 THEN chr(\(byte)) END END",
      .matches: "$1 ~ $2",
      .byCodePoint: "$1 COLLATE \"C\"",
      .wide: "CAST(#1 AS numeric)",
      .add: "CAST(#1 AS numeric) + $2",
      .subtract: "CAST(#1 AS numeric) - $2",
      .multiply: "CAST(#1 AS numeric) * $2",
      .divide: "div(CAST(#1 AS numeric), NULLIF(CAST(#2 AS numeric), 0))",
      .remainder: "mod(CAST(#1 AS numeric), NULLIF(CAST(#2 AS numeric), 0))",
      .divideByLiteral: "$1 / $2",
      .remainderByLiteral: "$1 % $2",
      .negate: "-CAST(#1 AS numeric)",
      .narrow:
        "CASE WHEN $1 BETWEEN -9223372036854775808 AND 9223372036854775807 "
        + "THEN CAST(#1 AS bigint) END",
      .narrowUnsigned:
        "CASE WHEN $1 BETWEEN 0 AND 18446744073709551615 THEN #1 END",
      .wrap:
        "CAST(mod(mod(#1, 18446744073709551616) + 27670116110564327424, 18446744073709551616)"
        + " - 9223372036854775808 AS bigint)",
      .wrapUnsigned:
        "mod(mod(#1, 18446744073709551616) + 18446744073709551616, 18446744073709551616)",
      .doubleOfInt: "CAST(#1 AS double precision)",
      .addDoubles: PostgreSQLDoubles.sum,
      .subtractDoubles: PostgreSQLDoubles.difference,
      .multiplyDoubles: PostgreSQLDoubles.product,
      .divideDoubles: PostgreSQLDoubles.quotient,
      .negateDouble: "-$1",
      .isNaN: "$1 = CAST('NaN' AS double precision)",
      .truncate:
        "CASE WHEN $1 > -9223372036854775808 AND $1 < 9223372036854775808 "
        + "THEN CAST(trunc(#1) AS bigint) END",
      .listLength: "cardinality(#1)",
      .firstOf: "COALESCE(#1, #2)",
      .orZero: "COALESCE(#1, 0)",
      .listContains: "array_position(#1, #2) IS NOT NULL",
      .listElement: "($1)[CAST(LEAST(GREATEST(#2, -1), 1000000000) AS integer) + 1]",
      .jsonOfText: "to_jsonb(CAST(#1 AS text))",
      .jsonOfInt: "to_jsonb(#1)",
      .jsonOfBool: "to_jsonb(#1)",
      .jsonOfNull: "CAST('null' AS jsonb)",
      .jsonText: "$1 #>> '{}'",
      .jsonInt:
        "CASE WHEN jsonb_typeof(#1) = 'number' THEN CASE WHEN strpos(CAST(#1 AS text), '.') = 0 "
        + "AND CAST(#1 AS numeric) BETWEEN -9223372036854775808 AND 9223372036854775807 "
        + "THEN CAST(CAST(#1 AS numeric) AS bigint) END END",
      .jsonUInt:
        "CASE WHEN jsonb_typeof(#1) = 'number' THEN CASE WHEN strpos(CAST(#1 AS text), '.') = 0 "
        + "AND CAST(#1 AS numeric) BETWEEN 0 AND 18446744073709551615 "
        + "THEN CAST(#1 AS numeric) END END",
      .jsonDouble:
        "CASE WHEN jsonb_typeof(#1) = 'number' THEN CAST(#1 AS double precision) END",
      .jsonBool: "CASE WHEN jsonb_typeof(#1) = 'boolean' THEN CAST(#1 AS boolean) END",
      .jsonMember: "$1 -> $2",
      .jsonElement: "$1 -> CAST(LEAST(GREATEST(#2, -1), 1000000000) AS integer)",
      .jsonLength: "CASE WHEN jsonb_typeof(#1) = 'array' THEN jsonb_array_length(#1) END",
      .jsonKeys:
        "ARRAY(SELECT jsonb_object_keys(CASE WHEN jsonb_typeof(#1) = 'object' THEN #1 END))",
      .jsonElements:
        "ARRAY(SELECT jsonb_array_elements(CASE WHEN jsonb_typeof(#1) = 'array' THEN #1 END))",
      .jsonSource: "CAST(#1 AS text)",
      .microsecondsOfTimestamp: "CAST(trunc(extract(epoch FROM #1) * 1000000) AS bigint)",
      .secondsOfTimestamp: "CAST(floor(extract(epoch FROM #1)) AS bigint)",
    ],
    loops: [
      .any: "EXISTS (SELECT FROM unnest(#1) AS @_(@) WHERE #2)",
      .count: "(SELECT count(*) FROM unnest(#1) AS @_(@) WHERE #2)",
      .filter:
        "ARRAY(SELECT @ FROM unnest(#1) WITH ORDINALITY AS @_(@, @_n) WHERE #2 ORDER BY @_n)",
      .map: "ARRAY(SELECT #2 FROM unnest(#1) WITH ORDINALITY AS @_(@, @_n) ORDER BY @_n)",
    ],
    jsonKinds: [
      .null: "jsonb_typeof(#1) = 'null'", .bool: "jsonb_typeof(#1) = 'boolean'",
      .number: "jsonb_typeof(#1) = 'number'", .string: "jsonb_typeof(#1) = 'string'",
      .array: "jsonb_typeof(#1) = 'array'", .object: "jsonb_typeof(#1) = 'object'",
    ],
    binding: ("(SELECT #2 FROM (SELECT #1 OFFSET 0) AS @)", "#1 AS @"),
    jsonPath: .key,
    patterns: PortablePattern.Spelling(end: "$", anyCharacter: "[^\n]", largestCount: 255),
    identifierQuote: "\"", escapesBackslashes: false,
    doubleLiteral: (
      "CAST('#' AS double precision)", "CAST('#' AS double precision)"
    ), bytesLiteral: "decode('#', 'hex')",
    acceptsNul: false, characterByCode: "chr(#)", hasStructs: false)
}
