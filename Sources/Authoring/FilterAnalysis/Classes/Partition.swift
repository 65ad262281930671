import ExpressionEngine
package import ExpressionSyntax

/// The values of one source, cut into classes by what the conditions compare it with.
///
/// Values of one class give the same outcome in every condition that reads the source. The classes
/// of numbers and of texts are in order, so that a condition's outcomes form few runs.
package struct Partition {
  package private(set) var classes: [ValueClass] = []
  /// Where the classes of numbers are, and between which numbers each lies.
  package private(set) var numbers: Range<Int> = 0..<0
  package private(set) var numberCells: [Cell<Double>] = []
  /// Where the classes of texts are, when they are told apart by their order alone.
  package private(set) var texts: Range<Int> = 0..<0
  package private(set) var textCells: [Cell<Text>] = []
  /// Where the classes of texts are, when searches tell them apart, too.
  package private(set) var searchedTexts: Range<Int> = 0..<0

  /// A point, or what lies between two of them.
  package struct Cell<Bound> {
    /// The point, or the one below; `nil` for none.
    package let lower: Bound?
    package let isPoint: Bool
  }

  /// The most classes of one source.
  package static let limit = 20_000
  /// The most elements that lists are told apart by.
  package static let elementLimit = 8

  private let needs: Needs
  private let domain: Domain
  private let dialect: Dialect.Name
  private let searchLimit: Int
  private var budget: ClassBudget

  /// The most steps for the classes of one source, and the steps that a class costs by itself.
  package static func steps(searchLimit: Int) -> Int { TextClasses.steps(limit: searchLimit) }
  private static let stepsPerClass = 64
  private static let stepsPerElement = 8

  /// Cuts the values of a source.
  ///
  /// - Parameters:
  ///   - searchLimit: The most classes of texts that are searched, and of lists.
  ///   - total: The steps that are left for the classes of all sources.
  /// - Throws: ``TooManyClasses`` when there are more than the limit.
  package init(
    _ needs: Needs, _ domain: Domain, dialect: Dialect.Name, searchLimit: Int,
    _ total: inout ClassBudget
  ) throws(TooManyClasses) {
    budget = total.part(Self.steps(searchLimit: searchLimit))
    let granted = budget.steps
    defer { total.reduce(by: granted - budget.steps) }
    self.searchLimit = searchLimit
    self.needs = needs
    self.domain = domain
    self.dialect = dialect
    let kinds = domain.kinds
    if kinds.contains(.missing) { add(.missing, nil, cost: 2) }
    if kinds.contains(.parentMissing) { add(.parentMissing, nil, cost: 4) }
    if kinds.contains(.null) { add(.null, .null, cost: expects(.null) ? 3 : 30) }
    if kinds.contains(.bool) {
      add(.bool, true)
      add(.bool, false)
    }
    if kinds.contains(.number) { try addNumbers() }
    if kinds.contains(.text) { try addTexts() }
    if kinds.contains(.list) { try addCollections(.list) }
    if kinds.contains(.map) { try addCollections(.map) }
    guard classes.count <= Self.limit else { throw TooManyClasses() }
    try budget.spend(classes.count * Self.stepsPerClass)
  }

  /// The partition of a source that no condition reads.
  package static var empty: Partition { Partition() }

  private init() {
    needs = Needs()
    domain = .any
    dialect = .superscript
    searchLimit = 0
    budget = ClassBudget(steps: 0)
    classes = [ValueClass(kind: .missing, value: nil, cost: 0, isSingle: false)]
  }

  /// There are too many classes.
  package struct TooManyClasses: Error {}

  /// Whether values of a kind are what the filters or the schema expect.
  private func expects(_ kind: ValueClass.Kind) -> Bool {
    let declared = domain.kinds.subtracting([.missing, .parentMissing])
    if declared.count <= 2 { return declared.contains(kind) }
    if needs.expected.isEmpty { return kind == .text || kind == .bool }
    return needs.expected.contains(kind)
  }

  private mutating func add(
    _ kind: ValueClass.Kind, _ value: Value?, cost: Int? = nil, isSingle: Bool = true
  ) {
    let usual = expects(kind) ? ValueClass.likely : ValueClass.unlikely
    classes.append(
      ValueClass(kind: kind, value: value, cost: cost ?? usual, isSingle: isSingle))
  }

  // MARK: Numbers

  private mutating func addNumbers() throws(TooManyClasses) {
    let start = classes.count
    var points = needs.numbers
    if domain.isSmallRange, let minimum = domain.minimum, let maximum = domain.maximum {
      for number in stride(from: minimum, through: maximum, by: 1) { points.insert(number) }
    }
    guard points.count * 2 < Self.limit else { throw TooManyClasses() }
    let sorted = points.sorted()
    addNumberGap(above: nil, below: sorted.first)
    for (index, point) in sorted.enumerated() {
      if isInDomain(point) { addNumber(point, lower: point, isPoint: true) }
      addNumberGap(above: point, below: index + 1 < sorted.count ? sorted[index + 1] : nil)
    }
    numbers = start..<classes.count
  }

  private mutating func addNumber(_ number: Double, lower: Double?, isPoint: Bool) {
    add(.number, .number(number), isSingle: isPoint)
    numberCells.append(Cell(lower: lower, isPoint: isPoint))
  }

  private func isInDomain(_ number: Double) -> Bool {
    if domain.isWhole, number.rounded() != number { return false }
    return number >= domain.minimum ?? -.infinity && number <= domain.maximum ?? .infinity
  }

  /// Adds what lies between two numbers, if anything does.
  private mutating func addNumberGap(above low: Double?, below high: Double?) {
    let least = max(low ?? -.infinity, (domain.minimum ?? -.infinity).nextDown)
    let most = min(high ?? .infinity, (domain.maximum ?? .infinity).nextUp)
    guard least < most, let number = Self.number(between: least, most, isWhole: domain.isWhole)
    else { return }
    addNumber(number, lower: low, isPoint: false)
  }

  /// A number between two others, a natural one if there is one.
  private static func number(between low: Double, _ high: Double, isWhole: Bool) -> Double? {
    let candidates: [Double]
    switch (low.isFinite, high.isFinite) {
    case (false, false): candidates = [1]
    case (true, false): candidates = [low.rounded(.down) + 1]
    case (false, true):
      candidates = high > 0 ? [max(0, high.rounded(.up) - 1)] : [high.rounded(.up) - 1]
    case (true, true): candidates = [low.rounded(.down) + 1, (low + high) / 2]
    }
    return candidates.first { $0 > low && $0 < high && (!isWhole || $0.rounded() == $0) }
  }

  /// The least and the greatest number of a class; whole ones if the source has no others.
  package func bounds(ofNumber index: Int) -> ClosedRange<Double>? {
    guard numbers.contains(index) else { return nil }
    let cell = numberCells[index - numbers.lowerBound]
    if cell.isPoint, let point = cell.lower { return point...point }
    let next = index + 1 < numbers.upperBound ? numberCells[index + 1 - numbers.lowerBound] : nil
    // The next class may begin at a point that the domain leaves out; then this one is cut too
    // short by no more than that point.
    var low = max(cell.lower ?? -.infinity, (domain.minimum ?? -.infinity) - 1)
    var high = min(next?.lower ?? .infinity, (domain.maximum ?? .infinity) + 1)
    if domain.isWhole {
      low = low.rounded(.down) + 1
      high = high.rounded(.up) - 1
    }
    return low <= high ? low...high : nil
  }

  /// The class of a text, if texts are told apart by their order alone.
  package func index(ofText text: Text) -> Int? {
    guard !texts.isEmpty else { return nil }
    var found: Int?
    for (offset, cell) in textCells.enumerated() {
      guard let lower = cell.lower else { continue }
      if cell.isPoint ? lower == text : lower.lexicographicallyPrecedes(text) {
        found = texts.lowerBound + offset
        if cell.isPoint { return found }
      }
    }
    return found
  }

  // MARK: Texts

  private mutating func addTexts() throws(TooManyClasses) {
    let start = classes.count
    if let texts = domain.texts {
      // All texts are known: each is a class of its own.
      for text in Set(texts).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        add(.text, .string(text.string))
      }
      return
    }
    if needs.searchesTexts || !needs.sizes.subtracting([0]).isEmpty {
      var search = try TextClasses(needs, dialect: dialect, limit: searchLimit, &budget)
      for (text, isSingle) in try search.representatives(&budget) {
        add(.text, .string(text.string), isSingle: isSingle)
      }
      searchedTexts = start..<classes.count
      return
    }
    // The empty text is a point of its own: it is what a missing text counts as.
    let sorted = needs.texts.union([[]]).sorted { $0.lexicographicallyPrecedes($1) }
    guard sorted.count * 2 < Self.limit else { throw TooManyClasses() }
    for (index, point) in sorted.enumerated() {
      // The engine reads these two as bools.
      if !isBoolWord(point) {
        add(.text, .string(point.string))
        textCells.append(Cell(lower: point, isPoint: true))
      }
      let next = index + 1 < sorted.count ? sorted[index + 1] : nil
      if let text = TextBetween.text(above: point, below: next) {
        add(.text, .string(text.string), isSingle: false)
        textCells.append(Cell(lower: point, isPoint: false))
      }
    }
    texts = start..<classes.count
  }

  private func isBoolWord(_ text: Text) -> Bool {
    dialect == .superscript && ["true", "false"].contains(text.string)
  }

  // MARK: Lists and objects

  private mutating func addCollections(_ kind: ValueClass.Kind) throws(TooManyClasses) {
    // Keys of objects are texts.
    let elements = needs.elements.filter { element in
      if case .text = element { true } else { kind == .list }
    }.map { (element: $0, key: "\($0)") }.sorted { $0.key < $1.key }.map { $0.element }
    guard elements.count <= Self.elementLimit else { throw TooManyClasses() }
    let start = classes.count
    let sizes = needs.sizes.union([0]).filter { $0 >= 0 }.sorted()
    for bits in 0..<(1 << elements.count) {
      let chosen = elements.indices.filter { bits & 1 << $0 != 0 }.map { elements[$0].value }
      for (index, size) in sizes.enumerated() {
        if size >= chosen.count { try addCollection(kind, chosen, size: size, isSize: true) }
        // The sizes between this one and the next, or beyond the last.
        let next = index + 1 < sizes.count ? sizes[index + 1] : .max
        let between = max(size + 1, chosen.count)
        if between < next { try addCollection(kind, chosen, size: between, isSize: false) }
        guard classes.count - start <= searchLimit else { throw TooManyClasses() }
      }
    }
  }

  private mutating func addCollection(
    _ kind: ValueClass.Kind, _ elements: [Value], size: Int, isSize: Bool
  ) throws(TooManyClasses) {
    try budget.spend(max(size, elements.count) * Self.stepsPerElement)
    var values = elements
    var number = 0
    while values.count < size {
      number += 1
      let filler = Value.string("other\(number)")
      if !needs.elements.contains(.text("other\(number)".codePoints)) { values.append(filler) }
    }
    let isSingle = isSize && size == 0
    if kind == .list {
      add(.list, .list(values), isSingle: isSingle)
    } else {
      var entries: [Value.Key: Value] = [:]
      for case .string(let name) in values { entries[.string(name)] = 1 }
      add(.map, .map(entries), isSingle: isSingle)
    }
    // Long lists are as likely as short ones, and tell less.
    classes[classes.count - 1].cost += min(values.count, 8)
  }
}
