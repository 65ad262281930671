// The parts of timestamps and durations (docs/spec/cel.md §12.4).

package enum CELAccessors {
  package static let definitions: [FunctionDefinition] = [
    accessor("getFullYear", .fullYear, "the year", "2009", "2009"),
    accessor("getMonth", .month, "the month, from 0", "1", "1"),
    accessor("getDate", .date, "the day of the month, from 1", "13", "14"),
    accessor("getDayOfMonth", .dayOfMonth, "the day of the month, from 0", "12", "13"),
    accessor("getDayOfWeek", .dayOfWeek, "the day of the week, from Sunday as 0", "5", "6"),
    accessor("getDayOfYear", .dayOfYear, "the day of the year, from 0", "43", "44"),
    accessor(
      "getHours", .hours, "the hour; of a duration all of its hours", "23", "0", .hours, "1"),
    accessor(
      "getMinutes", .minutes, "the minute; of a duration all of its minutes", "31", "31", .minutes,
      "61"),
    accessor(
      "getSeconds", .seconds, "the second; of a duration all of its seconds", "30", "30", .seconds,
      "3661"),
    accessor(
      "getMilliseconds", .milliseconds, "the milliseconds within the second", "250", "250",
      .milliseconds, "500"),
  ]

  /// Defines one accessor, with its results for the example's instant in UTC and in Stockholm, and
  /// for the example's duration.
  private static func accessor(
    _ name: String, _ field: CivilTime.Field, _ summary: String, _ utc: String, _ zoned: String,
    _ part: Value.Duration.Field? = nil, _ ofDuration: String = ""
  ) -> FunctionDefinition {
    let instant = #"timestamp("2009-02-13T23:31:30.25Z")"#
    var overloads: [FunctionOverload] = [
      .init("timestamp.\(name)() -> int", "\(instant).\(name)()", utc) { _, arguments in
        .int(CivilTime(arguments[0].timestampValue).value(of: field))
      },
      .init(
        "timestamp.\(name)(string) -> int", #"\#(instant).\#(name)("Europe/Stockholm")"#, zoned
      ) { machine, arguments in
        machine.celField(field, of: arguments[0], in: arguments[1])
      },
    ]
    if let part {
      overloads.append(
        .init("duration.\(name)() -> int", #"duration("1h1m1.5s").\#(name)()"#, ofDuration) {
          .int($1[0].durationValue.value(of: part))
        })
    }
    return .cel(name, summary, overloads)
  }
}
