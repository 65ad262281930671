import ExpressionEngine

/// Values that an attribute can have by its schema, to evaluate a condition for.
struct SampleValues {
  /// How far a result for all samples holds for all other values.
  enum Coverage: Comparable {
    /// It says something about the type of the values only.
    case types
    /// It holds for conditions that only compare the attribute with constants.
    case comparisons
    /// There are no other values.
    case everything
  }

  /// The samples; those that differ most come first.
  private(set) var values: [Value] = []
  private(set) var coverage: Coverage

  /// The largest number of samples.
  static let limit = 700

  /// Creates the samples of an attribute.
  ///
  /// - Parameter constants: The constants of the condition.
  /// - Returns: `nil` if the schema does not know the type of the values.
  init?(_ attribute: AttributeSchema.Attribute, constants: [Value]) {
    switch attribute.type {
    case .any, .map: return nil
    case .bool:
      values = [.bool(true), .bool(false)]
      coverage = .everything
    case .int:
      coverage = .comparisons
      addIntegers(attribute, constants)
    case .number:
      coverage = .comparisons
      addNumbers(attribute, constants)
    case .string where !attribute.values.isEmpty:
      values = attribute.values.map { .string($0) }
      coverage = .everything
    case .string:
      switch attribute.format {
      case nil, .date, .dateTime: coverage = .comparisons
      default: coverage = .types
      }
      addTexts(attribute.format, constants)
    case .list(let element):
      guard element != .any else { return nil }
      coverage = .comparisons
      addLists(of: element, constants)
    }
    var seen: Set<Value> = []
    values = values.filter { seen.insert($0).inserted }
    if values.count > Self.limit {
      values.removeLast(values.count - Self.limit)
      coverage = .types
    }
  }

  // MARK: Numbers

  private mutating func addIntegers(_ attribute: AttributeSchema.Attribute, _ constants: [Value]) {
    let low = attribute.minimum.map { Int64($0) } ?? .min
    let high = attribute.maximum.map { Int64($0) } ?? .max
    if low <= high, high.subtractingReportingOverflow(low).overflow == false, high - low < 400 {
      // The ends first, since they differ most.
      values = ([low, high] + Array(low...high)).map { .int($0) }
      coverage = .everything
      return
    }
    var numbers: [Int64] = []
    for number in Self.numbers(constants) where abs(number) < 1e15 {
      let whole = Int64(number.rounded(.down))
      numbers += [whole, whole + 1, whole - 1]
    }
    numbers += [0, 1, -1, 2, 7, 100, 100_000, low, high]
    values = numbers.filter { low <= $0 && $0 <= high }.map { .int($0) }
  }

  private mutating func addNumbers(_ attribute: AttributeSchema.Attribute, _ constants: [Value]) {
    let low = attribute.minimum.map { Double($0) } ?? -.infinity
    let high = attribute.maximum.map { Double($0) } ?? .infinity
    var numbers: [Double] = []
    for number in Self.numbers(constants) where abs(number) < 1e15 {
      numbers += [number, number + 1, number - 1, number + 0.25, number - 0.25]
    }
    numbers += [0, 1, 0.5, -1, 100, 1e6, low, high]
    for number in numbers where low <= number && number <= high && number.isFinite {
      values.append(.double(number))
      if let whole = Int64(exactly: number) { values.append(.int(whole)) }
    }
  }

  /// The constants that are numbers, or texts that the superscript dialect reads as numbers.
  private static func numbers(_ constants: [Value]) -> [Double] {
    constants.compactMap { constant in
      if case .string(let text) = constant {
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
      }
      return constant.plainNumber
    }
  }

  // MARK: Texts

  private mutating func addTexts(
    _ format: AttributeSchema.Attribute.Format?, _ constants: [Value]
  ) {
    var written: [String] = []
    for case .string(let text) in constants { written.append(text) }
    switch format {
    case nil:
      values = Self.texts(near: written).map { .string($0) }
      // A condition on the size compares it with a number.
      for number in Self.numbers(constants) where (0...1_000).contains(number) {
        for size in [Int(number) + 1, Int(number), max(0, Int(number) - 1)] {
          values.append(.string(String(repeating: "a", count: size)))
        }
      }
    case .version: add(["3.2.0", "10.0", "1.0.1"], written, as: format)
    case .paddedVersion: add(["003.002.000", "010.000.000"], written, as: format)
    case .time: add(["18:30:00", "00:00:00", "23:59:59"], written, as: format)
    case .date: addDays(written, as: .date)
    case .dateTime: addDays(written, as: .dateTime)
    case .region:
      add([], written, as: format)
      for first in UInt8(ascii: "A")...UInt8(ascii: "Z") {
        for second in UInt8(ascii: "A")...UInt8(ascii: "Z") {
          values.append(.string(String(decoding: [first, second], as: UTF8.self)))
        }
      }
      // A locale may have a part of the world in its place, or none.
      for code in ["", "001", "150", "419"] { values.append(.string(code)) }
      coverage = .everything
    case .storefront: add(["SWE", "USA"], written, as: format)
    case .language: add(["sv", "en", "pt"], written, as: format)
    case .locale: add(["sv_SE", "en_US", "pt_BR"], written, as: format)
    case .currency: add(["SEK", "USD"], written, as: format)
    case .systemVersion: add(["17.5.1", "14"], written, as: format)
    case .model, .timeZone, .country, .subdivision, .currencySymbol, .decimal,
      .integer, .placement, .url, .host, .path, .pathComponent, .query,
      .fragment, .pathExtension:
      add(format?.sample.map { [$0] } ?? [], written, as: format)
    }
  }

  private mutating func add(
    _ texts: [String], _ written: [String], as format: AttributeSchema.Attribute.Format?
  ) {
    guard let format else { return }
    // Codes such as "419" have one spelling.
    let wanted = written.filter { text in
      format.accepts(text) || format.isCode(text) == true && format.spelling(of: text) == nil
    }
    values = (wanted + texts).map { .string($0) }
  }

  /// Texts that tell conditions with some constants apart, and texts of many forms.
  private static func texts(near written: [String]) -> [String] {
    var texts: [String] = []
    for text in written {
      texts += [text, text + "a", "a" + text, "a" + text + "a", String(text.dropLast())]
    }
    texts += ["a", "", "zz", "Ann Lee", "5", "-1.5", "0x1F", "true", "a@b.example", "a,b;c d/e"]
    texts += ["2026-03-01", "2026-03-01T18:30:00Z", "18:30:00", "1h30m", "1.2.3", "en_US", "é"]
    return texts
  }

  /// Days of every month of some years, and of the years that constants begin with.
  private mutating func addDays(
    _ written: [String], as format: AttributeSchema.Attribute.Format
  ) {
    var years = ["2026", "1999", "2031"]
    for text in written {
      let year = String(text.prefix(4))
      if year.utf8.count == 4, year.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { years.append(year) }
    }
    let endings = [":00:00Z", ":30:00", ":59:59.5Z"]
    var moments: [String] = written.filter { format.accepts($0) }
    for (index, year) in years.enumerated() {
      let days = index == 0 ? Array(1...28) : [1, 15, 28]
      for (month, day) in (1...12).flatMap({ month in days.map { (month, $0) } }) {
        let date = "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))"
        let number = moments.count
        moments.append(
          format == .date
            ? date : "\(date)T\(Self.twoDigits(number % 24))\(endings[number % endings.count])")
      }
    }
    values = moments.map { .string($0) }
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  // MARK: Lists

  private mutating func addLists(of element: AttributeType, _ constants: [Value]) {
    let attribute = AttributeSchema.Attribute("", element)
    guard let elements = SampleValues(attribute, constants: constants)?.values else {
      coverage = .types
      return
    }
    let some = elements.prefix(40)
    var lists: [[Value]] = some.map { [$0] } + [[], Array(some.prefix(2)), Array(some.prefix(5))]
    for case .list(let list) in constants where list.allSatisfy(elements.contains) {
      lists.append(list)
    }
    for number in Self.numbers(constants) where number >= 0 && number < 40 {
      for count in [Int(number), Int(number) + 1] {
        // An index asks for any element at one place.
        for start in 0..<(count <= 8 ? some.count : 1) {
          lists.append((0..<count).map { some[some.startIndex + (start + $0) % some.count] })
        }
      }
    }
    values = lists.map { .list($0) }
  }
}
