import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Numbers as text")
struct TextNumberTests {
  @Test(
    "int() takes an optional sign and digits, and tells overflow from other text",
    arguments: [
      ("42", .success(42)), ("+5", .success(5)), ("-0", .success(0)), ("007", .success(7)),
      ("9223372036854775807", .success(.max)), ("-9223372036854775808", .success(.min)),
      ("9223372036854775808", .failure(.tooLarge)), ("-9223372036854775809", .failure(.tooSmall)),
      ("99999999999999999999", .failure(.tooLarge)), ("", .failure(.empty)),
      ("+", .failure(.invalid)), ("-", .failure(.invalid)), (" 5", .failure(.invalid)),
      ("5 ", .failure(.invalid)), ("5.5", .failure(.invalid)), ("0x10", .failure(.invalid)),
      ("1_0", .failure(.invalid)), ("+-5", .failure(.invalid)), ("٣", .failure(.invalid)),
    ] as [(String, Result<Int64, NumberTextError>)])
  func integers(text: String, expected: Result<Int64, NumberTextError>) {
    #expect(
      attempt(text) { bytes throws(NumberTextError) in try IntegerText.parseInt(bytes) } == expected
    )
  }

  @Test(
    "uint() takes digits, and a plus sign in superscript only",
    arguments: [
      ("18446744073709551615", .success(.max), .success(.max)), ("12", .success(12), .success(12)),
      ("+3", .success(3), .failure(.invalid)), ("-1", .failure(.invalid), .failure(.invalid)),
      ("18446744073709551616", .failure(.tooLarge), .failure(.tooLarge)),
      ("", .failure(.empty), .failure(.empty)), ("1e3", .failure(.invalid), .failure(.invalid)),
    ] as [(String, Result<UInt64, NumberTextError>, Result<UInt64, NumberTextError>)])
  func unsigned(
    text: String, superscript: Result<UInt64, NumberTextError>,
    cel: Result<UInt64, NumberTextError>
  ) {
    #expect(
      attempt(text) { bytes throws(NumberTextError) in
        try IntegerText.parseUInt(bytes, allowsPlus: true)
      } == superscript)
    #expect(
      attempt(text) { bytes throws(NumberTextError) in
        try IntegerText.parseUInt(bytes, allowsPlus: false)
      } == cel)
  }

  @Test(
    "double() of superscript takes what Rust takes",
    arguments: [
      ("25", 25), ("025", 25), ("+25", 25), ("2.5e1", 25), ("25.", 25), (".5", 0.5), ("1e3", 1000),
      ("-987.654", -987.654), ("6.02214e23", 6.02214e23), ("1.38e-23", 1.38e-23),
      ("1e400", .infinity),
      ("-1e400", -.infinity), ("1e-400", 0), ("inf", .infinity), ("+Infinity", .infinity),
      ("-INF", -.infinity), ("1e99999999999999999999", .infinity), ("0e99999999999999999999", 0),
      ("1E-99999999999999999999", 0), ("5e-324", .leastNonzeroMagnitude),
      ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
      ("9007199254740993", 9_007_199_254_740_992), ("179769313486231580793e289", .infinity),
      ("0.1", 0.1), ("123456789012345678901234567890", 123_456_789_012_345_677_877_719_597_056),
    ] as [(String, Double)])
  func doubles(text: String, expected: Double) {
    #expect(
      attempt(text) { bytes throws(NumberTextError) in try DoubleText.parseSuperscript(bytes) }
        == .success(expected))
  }

  @Test(
    "double() refuses everything else",
    arguments: [
      "x", " 25", "25 ", "0x19", "25u", "1_000", ".", "e5", "1e", "1e+", "nan(1)", "infin", "--1",
      "+", "1.2.3", "1f", "0x1p4", "٣.٥", "in", "NaNs",
    ])
  func notDoubles(text: String) {
    #expect(
      attempt(text) { bytes throws(NumberTextError) in try DoubleText.parseSuperscript(bytes) }
        == .failure(.invalid))
  }

  @Test("NaN is a word in any case, and an empty text has its own error")
  func wordsAndEmpty() throws {
    for text in ["nan", "NaN", "-nan", "+NAN"] {
      let value = try attempt(text) { bytes throws(NumberTextError) in
        try DoubleText.parseSuperscript(bytes)
      }.get()
      #expect(value.isNaN)
    }
    #expect(
      attempt("") { bytes throws(NumberTextError) in try DoubleText.parseSuperscript(bytes) }
        == .failure(.empty))
  }

  @Test(
    "double() of cel also takes hexadecimal floats, and refuses what is beyond the largest double")
  func celDoubles() {
    func parse(_ text: String) -> Result<Double, NumberTextError> {
      attempt(text) { bytes throws(NumberTextError) in try DoubleText.parseCEL(bytes) }
    }
    #expect(parse("0x1.8p3") == .success(12))
    #expect(parse("-0X1P-2") == .success(-0.25))
    #expect(parse("0x10") == .failure(.invalid))
    #expect(parse("0xp1") == .failure(.invalid))
    #expect(parse("1e400") == .failure(.tooLarge))
    #expect(parse("-1e400") == .failure(.tooSmall))
    #expect(parse("-Infinity") == .success(-.infinity))
    #expect(parse(" 1.5") == .failure(.invalid))
  }

  @Test("An exponent or a mantissa of a megabyte is read in reasonable time")
  func longNumbers() {
    let digits = String(repeating: "7", count: 200_000)
    let value = attempt("0." + digits) { bytes throws(NumberTextError) in
      try DoubleText.parseSuperscript(bytes)
    }
    #expect(value == .success(0.7777777777777778))
    let zeros = String(repeating: "0", count: 2_000_000)
    let small = attempt("0." + zeros + "1e2000001") { bytes throws(NumberTextError) in
      try DoubleText.parseSuperscript(bytes)
    }
    #expect(small == .success(1))
  }

  @Test(
    "string() of a double",
    arguments: [
      (5.0, "5", "5.0", "5", "5.0"),
      (1e21, "1000000000000000000000", "1e21", "1e+21", "1e21"),
      (1e-7, "0.0000001", "1e-7", "1e-07", "1e-7"),
      (-0.0, "-0", "-0.0", "-0", "-0.0"),
      (0.0, "0", "0.0", "0", "0.0"),
      (2.5, "2.5", "2.5", "2.5", "2.5"),
      (0.1, "0.1", "0.1", "0.1", "0.1"),
      (123.456, "123.456", "123.456", "123.456", "123.456"),
      (-0.0045, "-0.0045", "-0.0045", "-0.0045", "-0.0045"),
      (1e6, "1000000", "1000000.0", "1e+06", "1000000.0"),
      (100_000.0, "100000", "100000.0", "100000", "100000.0"),
      (123_456_789.0, "123456789", "123456789.0", "1.23456789e+08", "123456789.0"),
      (0.0001, "0.0001", "0.0001", "0.0001", "0.0001"),
      (0.00001, "0.00001", "1e-5", "1e-05", "0.00001"),
      (1e16, "10000000000000000", "1e16", "1e+16", "1e16"),
      (1.5e300, "15" + String(repeating: "0", count: 299), "1.5e300", "1.5e+300", "1.5e300"),
      (.nan, "NaN", "NaN", "NaN", "double(\"NaN\")"),
      (.infinity, "inf", "inf", "+Inf", "double(\"Infinity\")"),
      (-.infinity, "-inf", "-inf", "-Inf", "double(\"-Infinity\")"),
    ] as [(Double, String, String, String, String)])
  func printing(
    value: Double, superscript: String, debug: String, cel: String, literal: String
  ) {
    #expect(printed { DoubleText.appendSuperscript(value, to: &$0) } == superscript)
    #expect(printed { DoubleText.appendSuperscriptDebug(value, to: &$0) } == debug)
    #expect(printed { DoubleText.appendCEL(value, to: &$0) } == cel)
    #expect(Value.double(value).literal == literal)
  }

  @Test(
    "%f rounds half to even on the exact binary value",
    arguments: [
      (2.5, 0, "2"), (1.5, 0, "2"), (0.5, 0, "0"), (2.675, 2, "2.67"), (1.2345, 3, "1.234"),
      (-123.4999, 3, "-123.500"), (123.4994, 3, "123.499"), (3.4999, 0, "3"), (3.5001, 0, "4"),
      (2, 6, "2.000000"), (-1.2, 5, "-1.20000"), (9.995, 2, "9.99"), (0.999, 2, "1.00"),
      (99.5, 0, "100"), (1e22, 1, "10000000000000000000000.0"), (0, 3, "0.000"), (-0.0, 1, "-0.0"),
      (1e-10, 3, "0.000"), (.leastNonzeroMagnitude, 3, "0.000"), (0.125, 2, "0.12"),
      (0.375, 2, "0.38"),
      (.infinity, 2, "Infinity"), (-.infinity, 2, "-Infinity"), (.nan, 0, "NaN"),
    ] as [(Double, Int, String)])
  func fixed(value: Double, precision: Int, expected: String) {
    #expect(printed { DoubleText.appendFixed(value, precision: precision, to: &$0) } == expected)
  }

  @Test(
    "%e has one digit before the point and at least two in the exponent",
    arguments: [
      (1052.032911275, 6, "1.052033e+03"), (2.71828, 6, "2.718280e+00"), (2, 6, "2.000000e+00"),
      (0, 2, "0.00e+00"), (9.9999, 2, "1.00e+01"), (9.5, 0, "1e+01"), (8.5, 0, "8e+00"),
      (1e-7, 1, "1.0e-07"), (.leastNonzeroMagnitude, 3, "4.941e-324"),
      (.greatestFiniteMagnitude, 4, "1.7977e+308"),
      (-123456, 3, "-1.235e+05"), (0.00098, 1, "9.8e-04"), (0.000999, 0, "1e-03"),
    ] as [(Double, Int, String)])
  func scientific(value: Double, precision: Int, expected: String) {
    #expect(
      printed { DoubleText.appendScientific(value, precision: precision, to: &$0) } == expected)
  }

  @Test("A precision of 1000 prints the exact expansion")
  func highPrecision() {
    let text = printed { DoubleText.appendFixed(0.1, precision: 1_000, to: &$0) }
    #expect(text.utf8.count == 1_002)
    #expect(text.hasPrefix("0.1000000000000000055511151231257827021181583404541015625000"))
    let tiny = printed {
      DoubleText.appendScientific(.leastNonzeroMagnitude, precision: 1_000, to: &$0)
    }
    #expect(
      tiny.hasPrefix("4.94065645841246544176568792868221372365059802614324764425585682500675507"))
    #expect(tiny.hasSuffix("e-324"))
  }

  @Test("Every printed form of a random double reads back as the same double")
  func roundTrips() {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<20_000 {
      let bits = generator.next()
      let value =
        round % 2 == 0
        ? Double(bitPattern: bits) : Double(Int64(bitPattern: bits) >> 20) / 1_000
      guard value.isFinite else { continue }
      let forms = [
        printed { DoubleText.appendSuperscript(value, to: &$0) },
        printed { DoubleText.appendSuperscriptDebug(value, to: &$0) },
        printed { DoubleText.appendCEL(value, to: &$0) },
        Value.double(value).literal,
        printed { DoubleText.appendScientific(value, precision: 16, to: &$0) },
      ]
      for form in forms {
        let parsed = try? attempt(form) { bytes throws(NumberTextError) in
          try DoubleText.parseSuperscript(bytes)
        }.get()
        #expect(parsed?.bitPattern == value.bitPattern, "\(form)")
      }
    }
  }

  @Test("Parsing agrees with the standard library on random decimal texts")
  func parsingAgrees() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      var text = Bool.random(using: &generator) ? "-" : ""
      for _ in 0..<Int.random(in: 1...22, using: &generator) {
        text += String(Int.random(in: 0...9, using: &generator))
      }
      text += "."
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        text += String(Int.random(in: 0...9, using: &generator))
      }
      text += "e" + String(Int.random(in: -330...310, using: &generator))
      let parsed = try? attempt(text) { bytes throws(NumberTextError) in
        try DoubleText.parseSuperscript(bytes)
      }.get()
      #expect(parsed == Double(text), "\(text)")
    }
  }

  @Test("Integers print in every radix, with a minus sign in front of the digits")
  func integersAsText() {
    #expect(printed { IntegerText.append(Int64.min, to: &$0) } == "-9223372036854775808")
    #expect(printed { IntegerText.append(UInt64.max, to: &$0) } == "18446744073709551615")
    #expect(printed { IntegerText.append(Int64(-255), radix: 16, to: &$0) } == "-ff")
    #expect(
      printed { IntegerText.append(Int64(6_000), radix: 16, uppercase: true, to: &$0) } == "1770")
    #expect(printed { IntegerText.append(UInt64(11), radix: 8, to: &$0) } == "13")
    #expect(printed { IntegerText.append(UInt64(5), radix: 2, to: &$0) } == "101")
    #expect(printed { IntegerText.append(UInt64(0), to: &$0) } == "0")
  }
}
