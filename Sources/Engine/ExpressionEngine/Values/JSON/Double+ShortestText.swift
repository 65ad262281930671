extension Double {
  /// The shortest digits that read back as the same double, always with `.0` or an exponent.
  ///
  /// Between 10^-5 and 10^16 in positional notation (`0.00001`, `5.0`), outside with an exponent
  /// (`1e16`, `1.5e-7`), as the reference evaluator's JSON writer has it. The text is valid JSON
  /// and a valid literal of both dialects. NaN and the infinities give `NaN`, `Infinity` and
  /// `-Infinity`.
  package var shortestText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    var text: [UInt8] = []
    if sign == .minus { text.append(UInt8(ascii: "-")) }
    let decimal = ShortestDecimal(self)
    if (-4...16).contains(decimal.point) {
      decimal.appendPositional(keepsFraction: true, to: &text)
    } else {
      decimal.appendScientific(signsExponent: false, exponentDigits: 1, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
