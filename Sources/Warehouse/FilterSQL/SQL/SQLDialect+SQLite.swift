extension SQLDialect {
  /// SQLite 3.38 and later. It has neither lists nor structs nor wide integers, nor NaN, so that much is
  /// refused.
  static let sqlite = SQLDialect(
    name: .sqlite, title: "SQLite",
    templates: [
      .byteLength: "length(CAST(#1 AS BLOB))",
      .codePointLength: "length(#1)",
      .octetLength: "length(#1)",
      .contains: "instr(#1, #2) > 0",
      .hasPrefix: "substr(#1, 1, length(#2)) = $2",
      .hasSuffix: "(length(#2) = 0 OR substr(#1, -length(#2)) = $2)",
      .join: "$1 || $2",
      .textOfInt: "CAST(#1 AS TEXT)",
      .bytesOfText: "CAST(#1 AS BLOB)",
      .byteCharacter:
        "CASE WHEN $2 >= 0 AND $2 < length(CAST(#1 AS BLOB)) "
        + "AND substr(CAST(#1 AS BLOB), $2 + 1, 1) < x'80' "
        + "THEN CAST(substr(CAST(#1 AS BLOB), $2 + 1, 1) AS TEXT) END",
      .byCodePoint: "$1 COLLATE BINARY",
      .divide: "$1 / NULLIF(#2, 0)",
      .remainder: "$1 % NULLIF(#2, 0)",
      .divideByLiteral: "$1 / $2",
      .remainderByLiteral: "$1 % $2",
      .negate: "-$1",
      .doubleOfInt: "CAST(#1 AS REAL)",
      .negateDouble: "-$1",
      .isNaN: "0",
    ],
    loops: [:], jsonKinds: [:],
    jsonPath: .dollar,
    patterns: PortablePattern.Spelling(end: "$", anyCharacter: ".", largestCount: 0),
    identifierQuote: "\"", escapesBackslashes: false,
    boolLiterals: ("1", "0"),
    doubleLiteral: ("#", ""), bytesLiteral: "x'#'",
    acceptsNul: false, characterByCode: "char(#)", hasStructs: false)
}
