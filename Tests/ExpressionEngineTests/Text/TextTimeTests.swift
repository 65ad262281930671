import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Times as text")
struct TextTimeTests {
  private func duration(
    _ text: String, _ rules: TimeRules
  ) -> Result<Value.Duration, DurationTextError> {
    attempt(text) { bytes throws(DurationTextError) in
      rules == .superscript
        ? try DurationText.parseSuperscript(bytes) : try DurationText.parseCEL(bytes)
    }
  }

  private func timestamp(
    _ text: String, _ rules: TimeRules
  ) -> Result<Value.Timestamp, TimestampTextError> {
    attempt(text) { bytes throws(TimestampTextError) in
      try TimestampText.parse(bytes, rules: rules)
    }
  }

  @Test(
    "string(duration(…)) of superscript",
    arguments: [
      ("1h30m", "1h30m0s"), ("1.5h", "1h30m0s"), ("1h 30m", "1h0m0s"), ("1h30x", "1h0m0s"),
      ("1h-30m", "30m0s"), ("0", "0s"), ("-0", "0s"), ("0s", "0s"), ("1us", "1µs"),
      ("-1h", "-5124094h34m33.709551616s"), ("-30s", "-5124095h34m3.709551616s"),
      ("-1h30m", "-5124094h4m33.709551616s"), ("90m", "1h30m0s"), ("45s", "45s"),
      ("1e3s", "16m40s"), ("100h", "100h0m0s"), ("3000000h", "2562047h47m16.854775807s"),
      ("5.s", "5s"), ("--1s", "1s"), ("1hh", "1h0m0s"), ("1min", "1m0s"),
      ("2h45m30.5s", "2h45m30.5s"), ("1ms", "1ms"), ("1.5ms", "1.5ms"), ("999ns", "999ns"),
      ("1.1us", "1.1µs"), ("infh", "2562047h47m16.854775807s"), ("nans", "0s"), ("+1h", "1h0m0s"),
      ("1.9ns", "1ns"), ("1h1e3", "1h0m0s"), ("5m0.000000001s", "5m0.000000001s"),
    ])
  func superscriptDurations(text: String, expected: String) throws {
    let value = try duration(text, .superscript).get()
    #expect(printed { DurationText.appendSuperscript(value, to: &$0) } == expected)
  }

  @Test(
    "A text that is not a duration in superscript has the error of the reference",
    arguments: [
      ("1d", "unit 1"),
      ("5", "unit 1"),
      ("-12", "unit 3"),
      ("", "number 0"),
      (" 3", "number 0"),
      ("hello", "number 0"),
      ("naïve 😀", "number 0"),
      ("1H", "unit 1"),
      ("1h2ex", "exponent 2"),
    ])
  func superscriptDurationErrors(text: String, expected: String) {
    guard case .failure(let error) = duration(text, .superscript) else {
      Issue.record("\(text) was taken")
      return
    }
    let found =
      switch error {
      case .number(let offset): "number \(offset)"
      case .exponent(let offset): "exponent \(offset)"
      case .unit(let offset), .trailing(let offset): "unit \(offset)"
      case .outOfRange: "out of range"
      }
    #expect(found == expected)
  }

  @Test(
    "string(duration(…)) of cel",
    arguments: [
      ("60.001s", "60.001s"), ("1h30m", "5400s"), ("1ns", "0.000000001s"), ("0", "0s"),
      ("-0", "0s"), ("+0", "0s"), ("1s1h", "3601s"), ("1h1h", "7200s"), (".5s", "0.5s"),
      ("1.s", "1s"), ("-1.5s", "-1.5s"), ("+2m", "120s"), ("1000000s", "1000000s"),
      ("0.0000000019s", "0.000000001s"), ("-0.5ms", "-0.0005s"), ("1us1ms", "0.001001s"),
      ("9223372036854775807ns", "9223372036.854775807s"),
      ("-9223372036854775807ns", "-9223372036.854775807s"), ("2h45m30.5s", "9930.5s"),
    ])
  func celDurations(text: String, expected: String) throws {
    let value = try duration(text, .cel).get()
    #expect(printed { DurationText.appendCEL(value, to: &$0) } == expected)
  }

  @Test(
    "What is no duration in cel",
    arguments: [
      ("", .number(offset: 0)), ("1d", .unit(offset: 1)), ("5", .unit(offset: 1)),
      ("1h-30m", .number(offset: 2)), ("1h 30m", .number(offset: 2)), (".s", .number(offset: 0)),
      ("1e3s", .unit(offset: 1)), ("--1s", .number(offset: 1)), ("-", .number(offset: 1)),
      ("320000000000s", .outOfRange), ("-320000000000s", .outOfRange),
      ("9223372036854775808ns", .outOfRange), ("99999999999999999999999h", .outOfRange),
      ("1µs", .unit(offset: 1)),
    ] as [(String, DurationTextError)])
  func celDurationErrors(text: String, expected: DurationTextError) {
    #expect(duration(text, .cel) == .failure(expected))
  }

  @Test("Accessors of durations count towards zero; milliseconds are the part below a second")
  func durationFields() throws {
    let negative = try duration("-1.5s", .cel).get()
    #expect(negative == Value.Duration(seconds: -2, nanoseconds: 500_000_000))
    #expect(negative.value(of: .seconds) == -1)
    #expect(negative.value(of: .milliseconds) == -500)
    let positive = try duration("10000.234s", .cel).get()
    #expect(positive.value(of: .hours) == 2)
    #expect(positive.value(of: .minutes) == 166)
    #expect(positive.value(of: .seconds) == 10_000)
    #expect(positive.value(of: .milliseconds) == 234)
  }

  @Test(
    "timestamp() of superscript and how string() prints it",
    arguments: [
      ("2024-02-29T12:34:56Z", 1_709_210_096, "2024-02-29T12:34:56+00:00"),
      ("2024-02-29 12:34:56Z", 1_709_210_096, "2024-02-29T12:34:56+00:00"),
      ("2024-02-29t12:34:56z", 1_709_210_096, "2024-02-29T12:34:56+00:00"),
      ("2024-02-29T12:34:56+02:00", 1_709_202_896, "2024-02-29T12:34:56+02:00"),
      ("2024-02-29T12:34:56.789Z", 1_709_210_096, "2024-02-29T12:34:56.789+00:00"),
      ("2024-02-29T12:34:56.5Z", 1_709_210_096, "2024-02-29T12:34:56.500+00:00"),
      ("2024-02-29T12:34:56.1234Z", 1_709_210_096, "2024-02-29T12:34:56.123400+00:00"),
      (
        "2024-02-29T12:34:56.123456789999Z", 1_709_210_096,
        "2024-02-29T12:34:56.123456789+00:00"
      ),
      ("2024-02-29T23:59:60Z", 1_709_251_199, "2024-02-29T23:59:60+00:00"),
      ("2024-02-29T23:59:60.5Z", 1_709_251_199, "2024-02-29T23:59:60.500+00:00"),
      ("0001-01-01T00:00:00Z", -62_135_596_800, "0001-01-01T00:00:00+00:00"),
      ("0000-01-01T00:00:00+23:59", -62_167_305_540, "0000-01-01T00:00:00+23:59"),
      ("9999-12-31T23:59:59-23:59", 253_402_387_139, "9999-12-31T23:59:59-23:59"),
      ("1969-12-31T23:59:59.5Z", -1, "1969-12-31T23:59:59.500+00:00"),
      ("2024-02-29T12:34:56−01:30", 1_709_215_496, "2024-02-29T12:34:56-01:30"),
    ] as [(String, Int64, String)])
  func superscriptTimestamps(text: String, seconds: Int64, expected: String) throws {
    let value = try timestamp(text, .superscript).get()
    #expect(value.seconds == seconds)
    #expect(printed { TimestampText.appendSuperscript(value, to: &$0) } == expected)
  }

  @Test(
    "What is no timestamp in superscript says what the reference says",
    arguments: [
      ("", .tooShort), ("x", .tooShort),
      ("2024-02-29", .tooShort), ("now", .tooShort),
      ("2024-02-29T12:34:56", .tooShort), ("+3", .tooShort),
      ("2023-02-29T00:00:00Z", .outOfRange),
      ("2024-13-01T00:00:00Z", .outOfRange),
      ("2024-02-29T24:00:00Z", .outOfRange),
      ("2024-02-29T12:34:56+24:00", .outOfRange),
      ("2024-02-29T12:34:56-0530", .invalid),
      ("10000-01-01T00:00:00Z", .invalid),
      ("1709210096", .invalid),
      ("2024-2-9T1:2:3Z", .invalid),
      ("2024-02-29T12:34Z", .invalid),
      ("20240229T123456Z", .invalid),
      ("2024-02-29T12:34:56ZZ", .trailing),
    ] as [(String, TimestampTextError)])
  func superscriptTimestampErrors(text: String, expected: TimestampTextError) {
    guard case .failure(let error) = timestamp(text, .superscript) else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error == expected)
  }

  @Test(
    "timestamp() of cel and how string() prints it",
    arguments: [
      ("2009-02-13T23:31:30Z", "2009-02-13T23:31:30Z"),
      ("9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"),
      ("2009-02-13T23:31:30.500Z", "2009-02-13T23:31:30.5Z"),
      ("2009-02-13T23:31:30.1234567899Z", "2009-02-13T23:31:30.123456789Z"),
      ("2009-02-13T23:31:30+02:00", "2009-02-13T21:31:30Z"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
      ("0001-01-01T00:00:00-01:00", "0001-01-01T01:00:00Z"),
    ])
  func celTimestamps(text: String, expected: String) throws {
    let value = try timestamp(text, .cel).get()
    #expect(printed { TimestampText.appendCEL(value, to: &$0) } == expected)
  }

  @Test(
    "What is no timestamp in cel",
    arguments: [
      "2009-02-13T23:31:30", "2009-02-13", "2009-02-13 23:31:30Z", "2009-02-13T24:00:00Z",
      "2009-02-30T00:00:00Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
      "2009-02-13t23:31:30Z", "2009-02-13T23:31:30z", "2009-02-13T23:59:60Z",
      "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-00:01", "2009-02-13T23:31:30.Z",
      "2009-02-13T23:31Z", "2009-02-13T23:31:30+0200", "",
    ])
  func celTimestampErrors(text: String) {
    #expect(throws: TimestampTextError.self) { try timestamp(text, .cel).get() }
  }

  @Test("Random timestamps read back as they were printed, in both dialects")
  func timestampRoundTrips() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      let value = Value.Timestamp(
        seconds: .random(in: -62_135_500_000...253_402_200_000, using: &generator),
        nanoseconds: .random(in: 0...999_999_999, using: &generator))
      let cel = printed { TimestampText.appendCEL(value, to: &$0) }
      #expect(try timestamp(cel, .cel).get() == value)
      var local = value
      local.offsetMinutes = .random(in: -1_439...1_439, using: &generator)
      let superscript = printed { TimestampText.appendSuperscript(local, to: &$0) }
      #expect(try timestamp(superscript, .superscript).get() == local)
    }
  }

  @Test("Random durations read back as they were printed")
  func durationRoundTrips() throws {
    var generator = SeededGenerator(seed: 4)
    for round in 0..<5_000 {
      let nanoseconds = Int64(bitPattern: generator.next()) >> (round % 60)
      let value = Value.Duration(nanoseconds: nanoseconds)
      let cel = printed { DurationText.appendCEL(value, to: &$0) }
      #expect(try duration(cel, .cel).get() == value)
    }
  }

  @Test("Days and dates are each other's inverse over twelve centuries, day after day")
  func calendar() {
    var expected: (year: Int64, month: Int, day: Int) = (1_600, 1, 1)
    let first = CivilTime.day(ofYear: 1_600, month: 1, day: 1)
    for day in first..<first + 440_000 {
      let date = CivilTime.date(ofDay: day)
      guard date == expected,
        CivilTime.day(ofYear: date.year, month: date.month, day: date.day) == day
      else {
        Issue.record("day \(day) is \(date), not \(expected)")
        return
      }
      expected.day += 1
      if expected.day > CivilTime.daysInMonth(expected.month, year: expected.year) {
        expected = (expected.year, expected.month + 1, 1)
      }
      if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
    }
    #expect(CivilTime.day(ofYear: 1970, month: 1, day: 1) == 0)
    // Far outside every range nothing traps.
    for seconds in [Int64.min, .max] {
      let time = CivilTime(Value.Timestamp(seconds: seconds), utcOffset: 3_600)
      #expect((1...12).contains(time.month))
    }
  }

  @Test("Accessors of timestamps (docs/spec/cel.md §12.4)")
  func timestampFields() throws {
    let value = try timestamp("2009-02-13T23:31:20.123456789Z", .cel).get()
    let utc = CivilTime(value)
    let expected: [CivilTime.Field: Int64] = [
      .fullYear: 2009, .month: 1, .date: 13, .dayOfMonth: 12, .dayOfWeek: 5, .dayOfYear: 43,
      .hours: 23, .minutes: 31, .seconds: 20, .milliseconds: 123,
    ]
    for field in CivilTime.Field.allCases { #expect(utc.value(of: field) == expected[field]) }
    #expect(CivilTime(value, utcOffset: 11 * 3_600).value(of: .dayOfMonth) == 13)
  }

  @Test("Arithmetic stays inside the range of the dialect")
  func arithmetic() throws {
    func sum(_ time: String, _ span: String, _ rules: TimeRules = .cel) throws -> String? {
      let result = TimeArithmetic.add(
        try timestamp(time, rules).get(), try duration(span, rules).get(), rules: rules)
      return result.map { value in printed { TimestampText.appendCEL(value, to: &$0) } }
    }
    #expect(try sum("2009-02-13T23:00:00Z", "240s") == "2009-02-13T23:04:00Z")
    #expect(
      try sum("0001-01-01T00:00:01.000000001Z", "-999999999ns") == "0001-01-01T00:00:00.000000002Z")
    #expect(
      try sum("0001-01-01T00:00:01.999999999Z", "999999999ns") == "0001-01-01T00:00:02.999999998Z")
    #expect(try sum("9999-12-31T23:59:59Z", "1s") == nil)
    #expect(try sum("9999-12-31T23:59:59.999999999Z", "1ns") == nil)
    #expect(try sum("0001-01-01T00:00:00Z", "-1ns") == nil)
    #expect(try sum("9999-12-31T23:59:59Z", "1s", .superscript) == "+10000-01-01T00:00:00Z")
    let first = try timestamp("0001-01-01T00:00:00Z", .cel).get()
    let last = try timestamp("9999-12-31T23:59:59Z", .cel).get()
    #expect(TimeArithmetic.difference(last, first, rules: .cel) == nil)
    #expect(TimeArithmetic.difference(first, last, rules: .cel) == nil)
    #expect(
      TimeArithmetic.difference(last, first, rules: .superscript)
        == Value.Duration(seconds: 315_537_897_599))
    let long = try duration("200000000000s", .superscript).get()
    #expect(long.seconds == 9_223_372_036)
    let span = Value.Duration(seconds: 200_000_000_000)
    #expect(TimeArithmetic.add(span, span, rules: .cel) == nil)
    #expect(
      TimeArithmetic.subtract(Value.Duration(seconds: -200_000_000_000), span, rules: .cel) == nil)
    #expect(TimeArithmetic.add(span, span, rules: .superscript)?.seconds == 400_000_000_000)
    #expect(TimeArithmetic.negate(Value.Duration(seconds: 1), rules: .cel)?.seconds == -1)
  }

  @Test("A leap second counts when it is crossed by less than a second, as in the reference")
  func leapSeconds() throws {
    let leap = try timestamp("2024-02-29T23:59:60.5Z", .superscript).get()
    func after(_ nanoseconds: Int64) throws -> String {
      let span = Value.Duration(nanoseconds: nanoseconds)
      let sum = try #require(TimeArithmetic.add(leap, span, rules: .superscript))
      return printed { TimestampText.appendSuperscript(sum, to: &$0) }
    }
    #expect(try after(0) == "2024-02-29T23:59:60.500+00:00")
    #expect(try after(400_000_000) == "2024-02-29T23:59:60.900+00:00")
    #expect(try after(500_000_000) == "2024-03-01T00:00:00+00:00")
    #expect(try after(1_000_000_000) == "2024-03-01T00:00:00.500+00:00")
    #expect(try after(-600_000_000) == "2024-02-29T23:59:59.900+00:00")
    #expect(try after(-1_000_000_000) == "2024-02-29T23:59:59.500+00:00")
  }
}
