extension Double {
  /// The shortest digits that read back as the same double, always with `.0` or an exponent.
  ///
  /// Between 10^-5 and 10^16 in positional notation (`0.00001`, `5.0`), outside with an exponent
  /// (`1e16`, `1.5e-7`), as the reference evaluator's JSON writer has it. The text is valid JSON
  /// and a valid literal of both dialects. NaN and the infinities give `NaN`, `Infinity` and
  /// `-Infinity`.
  var shortestText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    let sign = self.sign == .minus ? "-" : ""
    if self == 0 { return sign + "0.0" }
    let (digits, exponent) = magnitude.shortestDigits
    let count = digits.count
    // The decimal point stands behind this many digits.
    let point = count + exponent
    switch point {
    case 1...16 where exponent >= 0:
      return sign + digits + String(repeating: "0", count: exponent) + ".0"
    case 1...16:
      return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -4...0:
      return sign + "0." + String(repeating: "0", count: 0 - point) + digits
    default:
      let fraction = count > 1 ? "." + digits.dropFirst() : ""
      return sign + digits.prefix(1) + fraction + "e" + String(point - 1)
    }
  }

  /// The shortest decimal digits without zeros at either end, and the power of ten of the last.
  private var shortestDigits: (digits: String, exponent: Int) {
    // The standard library writes the shortest digits that round-trip, in one of two layouts.
    var digits: [UInt8] = []
    var exponent = 0
    var isFraction = false
    var text = Substring(description)
    if let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      exponent = Int(text[text.index(after: mark)...]) ?? 0
      text = text[..<mark]
    }
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else {
        if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
        if isFraction { exponent -= 1 }
      }
    }
    while digits.count > 1, digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    return (String(decoding: digits, as: UTF8.self), exponent)
  }
}
