/// The hexadecimal digits of the byte of a text at a position.
private let byte =
  "substr(hex(encode(#1)), 2 * CAST(LEAST(GREATEST(#2, 0), 1000000000) AS BIGINT) + 1, 2)"

extension SQLDialect {
  /// DuckDB.
  static let duckDB = SQLDialect(
    name: .duckdb, title: "DuckDB",
    templates: [
      .byteLength: "strlen(#1)",
      .codePointLength: "length(#1)",
      .octetLength: "octet_length(#1)",
      .contains: "contains(#1, #2)",
      .hasPrefix: "starts_with(#1, #2)",
      .hasSuffix: "ends_with(#1, #2)",
      .join: "concat(#1, #2)",
      .textOfInt: "CAST(#1 AS VARCHAR)",
      .intOfText:
        "CASE WHEN regexp_matches(#1, '^[+-]?[0-9]+$') "
        + "THEN TRY_CAST(ltrim(#1, '+') AS BIGINT) END",
      .uintOfText:
        "CASE WHEN regexp_matches(#1, '^[+]?[0-9]+$') "
        + "THEN TRY_CAST(ltrim(#1, '+') AS UBIGINT) END",
      .bytesOfText: "encode(#1)",
      .byteCharacter:
        "CASE WHEN $2 >= 0 AND $2 < strlen(#1) AND \(byte) < '80' "
        + "THEN chr(TRY_CAST('0x' || \(byte) AS INTEGER)) END",
      .matches: "regexp_matches(#1, #2)",
      .byCodePoint: "#1",
      .wide: "CAST(#1 AS HUGEINT)",
      .add: "CAST(#1 AS HUGEINT) + $2",
      .subtract: "CAST(#1 AS HUGEINT) - $2",
      .multiply: "CAST(#1 AS HUGEINT) * $2",
      // Only a division by -1 needs more bits; the remainder is 0 then.
      .divide: "COALESCE($1 // NULLIF(NULLIF(#2, 0), -1), -CAST(#1 AS HUGEINT))",
      .remainder: "COALESCE($1 % NULLIF(NULLIF(#2, 0), -1), 0)",
      .divideByLiteral: "$1 // $2",
      .remainderByLiteral: "$1 % $2",
      .negate: "-CAST(#1 AS HUGEINT)",
      .narrow: "TRY_CAST(#1 AS BIGINT)",
      .narrowUnsigned: "TRY_CAST(#1 AS UBIGINT)",
      .wrap:
        "COALESCE(TRY_CAST(#1 AS BIGINT), "
        + "CAST(($1 % 18446744073709551616 + 27670116110564327424) % 18446744073709551616"
        + " - 9223372036854775808 AS BIGINT))",
      .wrapUnsigned: "(($1 % 18446744073709551616 + 18446744073709551616) % 18446744073709551616)",
      .doubleOfInt: "CAST(#1 AS DOUBLE)",
      .addDoubles: "$1 + $2",
      .subtractDoubles: "$1 - $2",
      .multiplyDoubles: "$1 * $2",
      .divideDoubles: "$1 / $2",
      .remainderOfDoubles: "fmod(#1, #2)",
      .negateDouble: "-$1",
      .isNaN: "isnan(#1)",
      .truncate: "TRY_CAST(trunc(#1) AS BIGINT)",
      .listLength: "len(#1)",
      .firstOf: "COALESCE(#1, #2)",
      .orZero: "COALESCE(#1, 0)",
      .listContains: "list_contains(#1, #2)",
      .listElement: "list_extract(#1, CAST(LEAST(GREATEST(#2, -1), 1000000000) AS BIGINT) + 1)",
      .jsonRoot: "CAST(json_extract(#1, '$') AS VARCHAR)",
      .jsonOfText: "CAST(to_json(#1) AS VARCHAR)",
      .jsonOfInt: "CAST(#1 AS VARCHAR)",
      .jsonOfBool: "CASE WHEN #1 THEN 'true' ELSE 'false' END",
      .jsonOfNull: "'null'",
      .jsonText: "json_extract_string(#1, '$')",
      .jsonInt:
        "TRY_CAST(CASE WHEN contains(#1, '.') OR contains(#1, 'e') THEN NULL ELSE #1 END AS BIGINT)",
      .jsonUInt:
        "TRY_CAST(CASE WHEN contains(#1, '.') OR contains(#1, 'e') THEN NULL ELSE #1 END AS UBIGINT)",
      .jsonDouble: "TRY_CAST(#1 AS DOUBLE)",
      .jsonBool: "$1 = 'true'",
      .jsonMember: "CAST(json_extract(#1, #2) AS VARCHAR)",
      .jsonElement:
        "list_extract(CAST(json_extract(#1, '$[*]') AS VARCHAR[]), "
        + "CAST(LEAST(GREATEST(#2, -1), 1000000000) AS BIGINT) + 1)",
      .jsonLength: "json_array_length(#1)",
      .jsonKeys: "json_keys(#1)",
      .jsonElements: "CAST(json_extract(#1, '$[*]') AS VARCHAR[])",
      .jsonSource: "CAST(#1 AS VARCHAR)",
      .microsecondsOfTimestamp: "epoch_us(#1)",
      .secondsOfTimestamp:
        "((epoch_us(#1) - (epoch_us(#1) % 1000000 + 1000000) % 1000000) // 1000000)",
    ],
    loops: [
      .any: "len(list_filter(#1, lambda @: #2)) > 0",
      .count: "len(list_filter(#1, lambda @: #2))",
      .filter: "list_filter(#1, lambda @: #2)",
      .map: "list_transform(#1, lambda @: #2)",
    ],
    // What the functions above return is written without spaces, so that its first character tells
    // its kind.
    jsonKinds: [
      .null: "$1 = 'null'", .bool: "$1 IN ('true', 'false')", .number: "$1 BETWEEN '-' AND ':'",
      .string: "starts_with(#1, '\"')", .array: "starts_with(#1, '[')",
      .object: "starts_with(#1, '{')",
    ],
    binding: ("list_transform([{#1}], lambda @: #2)[1]", "@: #1"),
    jsonIsCanonical: true,
    jsonPath: .pointer,
    patterns: PortablePattern.Spelling(end: "$", anyCharacter: ".", largestCount: 1000),
    identifierQuote: "\"", escapesBackslashes: false,
    doubleLiteral: ("#", "CAST('#' AS DOUBLE)"), bytesLiteral: "unhex('#')",
    acceptsNul: true, characterByCode: "chr(#)", hasStructs: true,
    hashing: SQLHashing(
      literal: "CAST(#1 AS UBIGINT)", isSigned: false, exclusiveOr: "xor(#1, #2)",
      shiftLeft: "(#1 << #2)", shiftRight: "(#1 >> #2)", digitsOfText: "hex(encode(#1))",
      bytesOfDigits: "list_transform(range(1, length(#1), 2), "
        + "lambda i: CAST('0x' || substr(#1, i, 2) AS UBIGINT))",
      list: "[#1]", fold: "list_reduce(#1, lambda h, b: #3, #2)",
      oddToDouble: "CAST(#1 AS DOUBLE)", binaryLogarithm: "log2(#1)"))
}
