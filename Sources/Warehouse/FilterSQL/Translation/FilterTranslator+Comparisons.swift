import ExpressionEngine
import ExpressionSyntax

// Equality, order and membership.

extension FilterTranslator {
  /// `left op right`.
  func compare(
    _ mask: ComparisonMask, _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    if case .constant(let left) = left, case .constant(let right) = right {
      try refuseIdentity(of: left, right, span)
      return choice(filter.compare(mask, left, right))
    }
    if mask.isEquality {
      let equal = try areEqual(left, right, span)
      return .bool(mask == .equal ? equal : !equal)
    }
    return try order(SQLComparison(mask), left, right, span)
  }

  // MARK: Equality

  /// Refuses to compare two collections with NaN: in the superscript dialect each equals itself, and
  /// nothing says whether the two are the same one.
  func refuseIdentity(
    of left: Value, _ right: Value, _ span: SourceSpan
  ) throws(Refusal) {
    guard left.count != nil, right.count != nil, left.holdsNaN, right.holdsNaN else { return }
    throw Refusal(
      .comparison, "whether a list with NaN is the same list has no form in SQL", at: span)
  }

  /// Whether two values are equal.
  func areEqual(_ left: Term, _ right: Term, _ span: SourceSpan) throws(Refusal) -> SQLExpression {
    if case .constant(let left) = left, case .constant(let right) = right {
      try refuseIdentity(of: left, right, span)
      if case .value(.bool(let isEqual)) = filter.compare(.equal, left, right) {
        return .literal(isEqual)
      }
      return .no
    }
    let leftKind = kind(of: left)
    let rightKind = kind(of: right)
    if leftKind.isNumeric, rightKind.isNumeric { return compareNumbers(.equal, left, right) }
    guard leftKind == rightKind else { return .no }
    switch leftKind {
    case .null: return .yes
    case .bool:
      guard let a = left.scalar, let b = right.scalar else { return .no }
      if a.isLiteral { return a.isYes ? b : !b }
      if b.isLiteral { return b.isYes ? a : !a }
      return .comparison(.equal, a, b)
    case .string, .bytes, .timestamp:
      guard let a = left.scalar, let b = right.scalar else {
        throw Refusal(.time, "nanoseconds have no form in SQL", at: span)
      }
      return .comparison(.equal, a, b)
    case .list: return try areEqualLists(left, right, span)
    case .map: return try areEqualMaps(left, right, span)
    case .optional: return try areEqualOptionals(left, right, span)
    default: throw Refusal(.kind, "a comparison of such values has no form in SQL", at: span)
    }
  }

  /// Whether two values are equal, each of which may be one of several terms, none of them a failure.
  func areEqual(
    _ left: Choice, _ right: Choice, _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    var parts: [SQLExpression] = []
    for a in left.alternatives where !a.term.isFailure {
      for b in right.alternatives where !b.term.isFailure {
        let both = a.condition && b.condition
        if both.isNo { continue }
        parts.append(both && (try areEqual(a.term, b.term, span)))
      }
    }
    return .any(parts)
  }

  private func areEqualLists(
    _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    if let a = elements(of: left), let b = elements(of: right) {
      guard a.count == b.count else { return .no }
      return .all(
        try zip(a, b).map { pair throws(Refusal) in try areEqual(pair.0, pair.1, span) })
    }
    guard let (spelled, other) = spelledOut(left, right) else {
      throw Refusal(
        .comparison, "a comparison of two lists of the row has no form in SQL", at: span)
    }
    var parts: [SQLExpression] = [
      .comparison(.equal, try length(of: other, span), .int(Int64(spelled.count)))
    ]
    for (index, element) in spelled.enumerated() {
      let own = try self.element(of: other, at: .constant(.int(Int64(index))), span)
      parts.append(try areEqual(own, element, span))
    }
    return .all(parts)
  }

  /// The list whose elements are spelled out, and the other one.
  private func spelledOut(_ left: Term, _ right: Term) -> ([Choice], Term)? {
    if let elements = elements(of: left) { return (elements, right) }
    return elements(of: right).map { ($0, left) }
  }

  private func areEqualMaps(
    _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    // A map with keys that are no texts is never a map of the row, unless both are empty.
    for term in [left, right] {
      if case .constant(.map(let entries)) = term, self.entries(of: term) == nil, !entries.isEmpty {
        return .no
      }
    }
    switch (entries(of: left), entries(of: right)) {
    case (let a?, let b?): return try areEqual(a, b, span)
    case (let a?, nil): return try areEqual(right, a, span)
    case (nil, let b?): return try areEqual(left, b, span)
    default:
      throw Refusal(
        .comparison, "a comparison of two JSON objects of the row has no form in SQL", at: span)
    }
  }

  private func areEqual(
    _ left: [RecordEntry], _ right: [RecordEntry], _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    var parts: [SQLExpression] = []
    for entry in left {
      if let other = right.first(where: { $0.name == entry.name }) {
        let equal = try areEqual(entry.value, other.value, span)
        let both = entry.presence && other.presence && equal
        parts.append(both || (!entry.presence && !other.presence))
      } else {
        parts.append(!entry.presence)
      }
    }
    for entry in right where !left.contains(where: { $0.name == entry.name }) {
      parts.append(!entry.presence)
    }
    return .all(parts)
  }

  /// Whether a JSON object has exactly these entries.
  private func areEqual(
    _ object: Term, _ entries: [RecordEntry], _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    guard entries.allSatisfy({ $0.presence.isYes }) else {
      throw Refusal(
        .comparison, "a comparison of two maps of the row has no form in SQL", at: span)
    }
    var parts: [SQLExpression] = [
      .comparison(.equal, try length(of: object, span), .int(Int64(entries.count)))
    ]
    for entry in entries {
      let own = try member(object, entry.name, whenMissing: .failure(.missingKey), span)
      parts.append(try areEqual(own, entry.value, span))
    }
    return .all(parts)
  }

  private func areEqualOptionals(
    _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    guard let a = content(of: left), let b = content(of: right) else { return .no }
    return try areEqual(a, b, span)
  }

  /// The content of an optional; `nil` when it is empty.
  func content(of term: Term) -> Choice? {
    switch term {
    case .optional(let content): content
    case .constant(.optional(let content?)): .constant(content)
    default: nil
    }
  }

  // MARK: Order

  /// `left op right` for an operator of order.
  private func order(
    _ op: SQLComparison, _ left: Term, _ right: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    let leftKind = kind(of: left)
    let rightKind = kind(of: right)
    if leftKind.isNumeric, rightKind.isNumeric {
      let isNaN = self.isNaN(left) || self.isNaN(right)
      let ordered = Choice.bool(compareNumbers(op, left, right))
      if isNaN.isNo { return ordered }
      let unordered = isSuperscript ? try notComparable(left, right, span) : .constant(.bool(false))
      return .either(isNaN, unordered, ordered)
    }
    guard leftKind == rightKind, let a = left.scalar, let b = right.scalar else {
      return try notComparable(left, right, span)
    }
    switch leftKind {
    case .string:
      return .bool(.comparison(op, Self.byCodePoint(a), Self.byCodePoint(b)))
    case .bool, .timestamp: return .bool(.comparison(op, a, b))
    case .bytes where !isSuperscript: return .bool(.comparison(op, a, b))
    default: return try notComparable(left, right, span)
    }
  }

  /// A text as an operand of an order by code points.
  private static func byCodePoint(_ text: SQLExpression) -> SQLExpression {
    text.isLiteral ? text : .call(.byCodePoint, text)
  }

  /// Whether a number is NaN.
  func isNaN(_ term: Term) -> SQLExpression {
    switch term {
    case .constant(.double(let number)): .literal(number.isNaN)
    case .double(let number, mayBeNaN: true): .call(.isNaN, number)
    default: .no
    }
  }

  /// Whether two numbers are in an order, or equal; false where one is NaN and the operator is `=`.
  func compareNumbers(_ op: SQLComparison, _ left: Term, _ right: Term) -> SQLExpression {
    if kind(of: left) == .double || kind(of: right) == .double {
      guard let a = asDouble(left), let b = asDouble(right) else { return .no }
      let result = SQLExpression.comparison(op, a, b)
      if op != .equal { return result }
      // Databases hold that NaN equals itself.
      return result && !isNaN(left) && !isNaN(right)
    }
    guard let a = left.scalar, let b = right.scalar else { return .no }
    let leftKind = kind(of: left)
    guard leftKind != kind(of: right) else { return .comparison(op, a, b) }
    // An int meets a uint as a wider integer; a literal is as wide as it has to be.
    return .comparison(op, a.isLiteral ? a : .call(.wide, a), b.isLiteral ? b : .call(.wide, b))
  }

  /// A number as a double.
  func asDouble(_ term: Term) -> SQLExpression? {
    switch term {
    case .constant(.int(let number)): .double(Double(number))
    case .constant(.uint(let number)): .double(Double(number))
    case .int(let number), .uint(let number): .call(.doubleOfInt, number)
    default: term.scalar
    }
  }

  // MARK: Membership

  /// `element in collection`.
  mutating func membership(
    _ element: Term, in collection: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    if case .constant(let element) = element, case .constant(let collection) = collection {
      try refuseIdentity(of: element, element, span)
      return choice(filter.membership(element, in: collection))
    }
    switch kind(of: collection) {
    case .list: return .bool(try isElement(element, of: collection, span))
    case .map: return .bool(try isKey(element, of: collection, span))
    case .string where isSuperscript && kind(of: element) == .string:
      guard let text = collection.scalar, let part = element.scalar else { return .failure(.other) }
      return .bool(.call(.contains, text, part))
    default: return try notComparable(element, collection, span)
    }
  }

  /// Whether a list has an element that equals a value.
  mutating func isElement(
    _ element: Term, of list: Term, _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    if case .constant(let value) = element { try refuseIdentity(of: value, value, span) }
    if let elements = elements(of: list) { return try isOne(element, of: elements, span) }
    if case .list(let expression, let type) = list, let text = element.scalar,
      (kind(of: element) == .string && type == .string)
        || (kind(of: element) == .int && type == .int)
    {
      return .call(.listContains, expression, text)
    }
    return try any(in: list, span) { translator, own throws(Refusal) in
      try translator.areEqual(own, Choice(element), span)
    }
  }

  /// Whether a value equals one of several.
  func isOne(
    _ element: Term, of elements: [Choice], _ span: SourceSpan
  ) throws(Refusal) -> SQLExpression {
    var literals: [SQLExpression] = []
    var parts: [SQLExpression] = []
    for own in elements {
      // A value that equals one literal or another of its own kind is one of them.
      if case .constant(let value)? = own.only, TermKind(value) == kind(of: element),
        [.string, .int].contains(kind(of: element)), let literal = own.only?.scalar
      {
        literals.append(literal)
      } else {
        parts.append(try areEqual(Choice(element), own, span))
      }
    }
    if let value = element.scalar {
      let isOne: SQLExpression =
        literals.count > 1 && !value.isLiteral
        ? SQLExpression(.oneOf(value, literals))
        : .any(literals.map { .comparison(.equal, value, $0) })
      parts.insert(isOne, at: 0)
    }
    return .any(parts)
  }

  /// Whether a map has a key.
  mutating func isKey(_ key: Term, of map: Term, _ span: SourceSpan) throws(Refusal)
    -> SQLExpression
  {
    guard case .string = kind(of: key) else {
      if case .constant(.map(let entries)) = map, self.entries(of: map) == nil {
        // Numeric keys of other kinds match in the cel dialect only.
        let keys = entries.keys.map(\.value).filter {
          !isSuperscript || TermKind($0) == kind(of: key)
        }
        return try isOne(key, of: keys.map { .constant($0) }, span)
      }
      return .no
    }
    if case .constant(.string(let name)) = key {
      let found = try member(map, name, whenMissing: .failure(.missingKey), span)
      return !found.failing(.missingKey)
    }
    guard let text = key.scalar, let entries = entries(of: map) else {
      throw Refusal(.collection, "a key that is computed has no form in SQL here", at: span)
    }
    return .any(
      entries.map { $0.presence && .comparison(.equal, text, .text($0.name)) })
  }
}

extension SQLComparison {
  /// The operator of a mask.
  init(_ mask: ComparisonMask) {
    switch mask {
    case .less: self = .less
    case .lessEqual: self = .lessEqual
    case .greater: self = .greater
    case .greaterEqual: self = .greaterEqual
    case .equal: self = .equal
    default: self = .notEqual
    }
  }
}

extension Value {
  /// Whether a NaN is among the values inside of a list or map. Constants nest as deep as filters do.
  fileprivate var holdsNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .list(let elements): elements.contains { $0.holdsNaN }
    case .map(let entries): entries.values.contains { $0.holdsNaN }
    default: false
    }
  }
}
