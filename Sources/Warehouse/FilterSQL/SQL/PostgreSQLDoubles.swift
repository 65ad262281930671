/// Arithmetic of doubles as IEEE 754 has it. PostgreSQL ends the query where a result overflows, or
/// underflows to zero, so that such results are found by scaled operands first.
///
/// `x` and `y` are the operands, `a` and `b` their absolute values.
enum PostgreSQLDoubles {
  static let sum = form(sumOf, "#2")
  static let difference = form(sumOf, "-$2")
  static let product = form(productOf, "#2")
  static let quotient = form(quotientOf, "#2")

  private static func form(_ expression: String, _ y: String) -> String {
    "(SELECT \(expression) FROM (SELECT x, y, abs(x) AS a, abs(y) AS b "
      + "FROM (SELECT #1 AS x, \(y) AS y OFFSET 0) AS o) AS p)"
  }

  private static let infinity = "CAST('Infinity' AS double precision)"
  private static let nan = "CAST('NaN' AS double precision)"
  private static let signed = "sign(x) * sign(y) * \(infinity)"
  private static let zero = "x * 0 * sign(y)"
  /// Neither operand is so large or so small that a product or a quotient is no number.
  private static let isModerate =
    "(a BETWEEN 1e-150 AND 1e150 AND b BETWEEN 1e-150 AND 1e150)"
  private static let isSpecial = "GREATEST(a, b) >= \(infinity)"

  private static func power(_ exponent: Int) -> String {
    "CAST('\(Double(sign: .plus, exponent: exponent, significand: 1))' AS double precision)"
  }

  /// A small operand does not change whether the sum fits.
  private static let sumOf =
    "CASE WHEN LEAST(a, b) < 1e290 OR GREATEST(a, b) < 8e307 THEN x + y "
    + "WHEN abs(x / 2 + y / 2) < \(power(1023)) THEN x + y ELSE (x / 2 + y / 2) * \(infinity) END"

  /// Operands below 1 are scaled so that 0.5 stands for half of the smallest number. Where rounding gives
  /// just that, Dekker's error of the product decides.
  private static let productOf =
    "CASE WHEN x = 0 OR y = 0 OR \(isSpecial) OR \(isModerate) THEN x * y "
    + "WHEN a >= 1 AND b >= 1 THEN CASE WHEN (a * \(power(-512))) * (b * \(power(-512))) < 1 "
    + "THEN x * y ELSE \(signed) END "
    + "WHEN a < 1 AND b < 1 AND LEAST(a, b) < 1e-150 THEN (SELECT CASE WHEN CASE WHEN u * v = 0.5 "
    + "THEN ((c * d - 0.5) + c * (v - d) + (u - c) * d) + (u - c) * (v - d) > 0 "
    + "ELSE u * v > 0.5 END THEN x * y ELSE \(zero) END FROM (SELECT u, v, 134217729 * u - (134217729 * u - u) AS c, "
    + "134217729 * v - (134217729 * v - v) AS d "
    + "FROM (SELECT a * \(power(537)) AS u, b * \(power(537)) AS v OFFSET 0) AS q) AS r) "
    + "ELSE x * y END"

  private static let quotientOf =
    "CASE WHEN y = 0 THEN CASE WHEN x = 0 OR x = \(nan) THEN \(nan) "
    + "WHEN CAST(y AS text) = '-0' THEN sign(x) * -\(infinity) ELSE sign(x) * \(infinity) END "
    + "WHEN x = 0 OR \(isSpecial) OR \(isModerate) THEN x / y "
    + "WHEN b < 1e-150 AND a > 1e-30 THEN CASE WHEN (a * \(power(-512))) / (b * \(power(600))) "
    + "< \(power(-88)) THEN x / y ELSE \(signed) END "
    + "WHEN b < 1 AND a >= 1 THEN CASE WHEN (a * \(power(-512))) / b < \(power(512)) "
    + "THEN x / y ELSE \(signed) END "
    + "WHEN b >= 1 AND a < 1 THEN CASE WHEN a * \(power(537)) > b * \(power(-538)) "
    + "THEN x / y ELSE \(zero) END ELSE x / y END"
}
