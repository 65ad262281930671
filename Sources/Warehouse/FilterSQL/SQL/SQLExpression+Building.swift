// Building expressions, simplified as far as a reader would do it.
//
// Conditions are never `NULL`. Under that rule the laws of two-valued logic hold, and where an operand
// of `AND` may be `NULL` because an operand beside it is false, the whole is false all the same.

extension SQLExpression {
  static let yes = SQLExpression(.bool(true))
  static let no = SQLExpression(.bool(false))

  static func literal(_ value: Bool) -> SQLExpression { value ? yes : no }
  static func int(_ value: Int64) -> SQLExpression { SQLExpression(.int(value)) }
  static func double(_ value: Double) -> SQLExpression {
    SQLExpression(.double(value.bitPattern))
  }
  static func text(_ value: String) -> SQLExpression { SQLExpression(.text(value)) }
  static func call(_ function: SQLFunction, _ operands: SQLExpression...) -> SQLExpression {
    SQLExpression(.call(function, operands))
  }

  var isYes: Bool { self == .yes }
  var isNo: Bool { self == .no }

  /// Whether the expression is several alternatives.
  var isDisjunction: Bool { if case .or = form { true } else { false } }

  /// Whether the expression is a literal.
  var isLiteral: Bool {
    switch form {
    case .bool, .int, .uint, .double, .text, .bytes: true
    default: false
    }
  }

  /// Whether the expression is a literal that equals no other literal of its kind.
  private var isDiscrete: Bool {
    switch form {
    case .bool, .int, .text, .bytes: true
    default: false
    }
  }

  /// Whether the opposite of `AND` and `OR` is written with those of the operands. Looking for opposites
  /// goes through an expression several times at each level, so that it is for small ones.
  private var isSmall: Bool { depth <= 6 && size <= 60 }

  /// The opposite of a condition.
  static prefix func ! (operand: SQLExpression) -> SQLExpression {
    switch operand.form {
    case .bool(let value): literal(!value)
    case .not(let inner): inner
    case .isNull(let inner): SQLExpression(.isNotNull(inner))
    case .isNotNull(let inner): SQLExpression(.isNull(inner))
    case .comparison(let op, let left, let right):
      SQLExpression(.comparison(op.negated, left, right))
    case .and(let operands) where operands.count <= 4 && operand.isSmall:
      any(operands.map { !$0 })
    case .or(let operands) where operands.count <= 4 && operand.isSmall:
      all(operands.map { !$0 })
    default: SQLExpression(.not(operand))
    }
  }

  static func && (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    all([left, right])
  }
  static func || (left: SQLExpression, right: SQLExpression) -> SQLExpression {
    any([left, right])
  }

  /// `left op right`, computed for two literals.
  static func comparison(
    _ op: SQLComparison, _ left: SQLExpression, _ right: SQLExpression
  ) -> SQLExpression {
    if let order = order(left, right) {
      switch op {
      case .equal: return literal(order == 0)
      case .notEqual: return literal(order != 0)
      case .less: return literal(order < 0)
      case .lessEqual: return literal(order <= 0)
      case .greater: return literal(order > 0)
      case .greaterEqual: return literal(order >= 0)
      }
    }
    // Literals stand on the right.
    if left.isLiteral, !right.isLiteral {
      return SQLExpression(.comparison(op.swapped, right, left))
    }
    return SQLExpression(.comparison(op, left, right))
  }

  /// The order of two literals of one kind, as a sign.
  private static func order(_ left: SQLExpression, _ right: SQLExpression) -> Int? {
    func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a > b ? 1 : 0) }
    switch (left.form, right.form) {
    case (.int(let a), .int(let b)): return sign(a, b)
    case (.uint(let a), .uint(let b)): return sign(a, b)
    case (.int(let a), .uint(let b)): return a < 0 ? -1 : sign(UInt64(a), b)
    case (.uint(let a), .int(let b)): return b < 0 ? 1 : sign(a, UInt64(b))
    case (.bool(let a), .bool(let b)): return sign(a ? 1 : 0, b ? 1 : 0)
    case (.double(let a), .double(let b)):
      let x = Double(bitPattern: a)
      let y = Double(bitPattern: b)
      return x.isNaN || y.isNaN ? nil : sign(x, y)
    case (.text(let a), .text(let b)):
      if a.utf8.elementsEqual(b.utf8) { return 0 }
      return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    default: return nil
    }
  }

  static func isNull(_ operand: SQLExpression) -> SQLExpression {
    operand.isLiteral ? no : SQLExpression(.isNull(operand))
  }

  static func isNotNull(_ operand: SQLExpression) -> SQLExpression { !isNull(operand) }

  /// `CASE` with the given branches, the first of which whose condition holds counts.
  static func choice(_ branches: [SQLBranch], otherwise: SQLExpression) -> SQLExpression {
    var kept: [SQLBranch] = []
    var last = otherwise
    for branch in branches where !branch.condition.isNo {
      if branch.condition.isYes {
        last = branch.value
        break
      }
      kept.append(branch)
    }
    while kept.last?.value == last { kept.removeLast() }
    return kept.isEmpty ? last : SQLExpression(.choice(kept, otherwise: last))
  }

  private var isConjunction: Bool { if case .and = form { true } else { false } }

  /// Whether all operands hold.
  static func all(_ operands: [SQLExpression]) -> SQLExpression {
    var parts: [SQLExpression] = []
    var seen: Set<SQLExpression> = []
    for operand in operands {
      let inner = if case .and(let inner) = operand.form { inner } else { [operand] }
      for part in inner where !part.isYes {
        if part.isNo { return no }
        if seen.insert(part).inserted { parts.append(part) }
      }
    }
    guard parts.count > 1 else { return parts.first ?? yes }
    // Negating a disjunction gives a conjunction, and `parts` holds none.
    if parts.contains(where: { !$0.isDisjunction && seen.contains(!$0) }) { return no }
    parts = parts.compactMap { part in
      guard case .or(let choices) = part.form else { return part }
      // `a AND (a OR b)` is `a`; `a AND (NOT a OR b)` is `a AND b`.
      if choices.contains(where: { seen.contains($0) }) { return nil }
      let left = choices.filter { !seen.contains(!$0) }
      return left.count == choices.count ? part : any(left)
    }
    if parts.contains(where: { $0.isNo }) { return no }
    parts = withoutImplied(parts)
    if parts.contains(where: { $0.isNo }) { return no }
    return parts.count > 1 ? SQLExpression(.and(parts)) : parts.first ?? yes
  }

  /// Whether any operand holds.
  static func any(_ operands: [SQLExpression]) -> SQLExpression {
    var parts: [SQLExpression] = []
    var seen: Set<SQLExpression> = []
    for operand in operands {
      let inner = if case .or(let inner) = operand.form { inner } else { [operand] }
      for part in inner where !part.isNo {
        if part.isYes { return yes }
        if seen.insert(part).inserted { parts.append(part) }
      }
    }
    guard parts.count > 1 else { return parts.first ?? no }
    // Negating a conjunction gives a disjunction, and `parts` holds none.
    if parts.contains(where: { !$0.isConjunction && seen.contains(!$0) }) { return yes }
    // `a OR (a AND b)` is `a`; `a OR (NOT a AND b)` is `a OR b`.
    parts = parts.compactMap { part in
      guard case .and(let conditions) = part.form else { return part }
      if conditions.contains(where: { seen.contains($0) }) { return nil }
      let left = conditions.filter { !seen.contains(!$0) }
      return left.count == conditions.count ? part : all(left)
    }
    parts = withoutImplying(joiningComplements(parts))
    if parts.contains(where: { $0.isYes }) { return yes }
    if let factored = factored(parts) { return factored }
    return parts.count > 1 ? SQLExpression(.or(parts)) : parts.first ?? no
  }

  /// `(a AND b) OR (a AND c)` is `a AND (b OR c)`, for the condition that most operands have in common;
  /// `nil` if none have one.
  private static func factored(_ parts: [SQLExpression]) -> SQLExpression? {
    // It is for readers; what nobody reads is left as it is.
    guard (2...8).contains(parts.count), parts.reduce(0, { $0 + $1.size }) <= 120 else {
      return nil
    }
    var counts: [SQLExpression: Int] = [:]
    var order: [SQLExpression] = []
    for part in parts {
      guard case .and(let conditions) = part.form else { continue }
      for condition in conditions {
        if counts[condition] == nil { order.append(condition) }
        counts[condition, default: 0] += 1
      }
    }
    guard let common = order.max(by: { counts[$0, default: 0] < counts[$1, default: 0] }),
      counts[common, default: 0] > 1
    else { return nil }
    var rests: [SQLExpression] = []
    var others: [SQLExpression] = []
    for part in parts {
      if case .and(let conditions) = part.form, conditions.contains(common) {
        rests.append(all(conditions.filter { $0 != common }))
      } else {
        others.append(part)
      }
    }
    let joined = common && any(rests)
    return others.isEmpty ? joined : any([joined] + others)
  }

  /// The parts of a disjunction without those that imply others: beside `x <> 'b'`, `x = 'a'` says
  /// nothing.
  private static func withoutImplying(_ parts: [SQLExpression]) -> [SQLExpression] {
    parts.filter { part in
      guard case .comparison(.equal, let left, let right) = part.form, right.isDiscrete else {
        return true
      }
      return !parts.contains { other in
        if case .comparison(.notEqual, left, let excluded) = other.form {
          return excluded.isDiscrete && excluded != right
        }
        return false
      }
    }
  }

  /// `(a AND b) OR (a AND NOT b)` is `a`.
  private static func joiningComplements(_ parts: [SQLExpression]) -> [SQLExpression] {
    guard parts.count <= 24 else { return parts }
    var parts = parts
    var first = 0
    while first < parts.count {
      var isJoined = false
      for second in parts.indices.dropFirst(first + 1) {
        guard let joined = join(parts[first], parts[second]) else { continue }
        parts[first] = joined
        parts.remove(at: second)
        isJoined = true
        break
      }
      first = isJoined ? 0 : first + 1
    }
    return parts
  }

  private static func join(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression? {
    let a = if case .and(let parts) = left.form { parts } else { [left] }
    let b = if case .and(let parts) = right.form { parts } else { [right] }
    guard a.count == b.count, a.count <= 12 else { return nil }
    let onlyA = a.filter { !b.contains($0) }
    guard onlyA.count == 1 else { return nil }
    let onlyB = b.filter { !a.contains($0) }
    guard onlyB.count == 1, onlyA[0] == !onlyB[0] else { return nil }
    return all(a.filter { $0 != onlyA[0] })
  }

  /// The parts of a conjunction without those that others imply: beside `x = 'a'`, `x <> 'b'` says
  /// nothing; nor does `x <> 'b'` beside a test that `'b'` fails.
  private static func withoutImplied(_ parts: [SQLExpression]) -> [SQLExpression] {
    var equals: [SQLExpression: SQLExpression] = [:]
    for part in parts {
      if case .comparison(.equal, let left, let right) = part.form, right.isDiscrete {
        if let other = equals[left], other != right { return [no] }
        equals[left] = right
      }
    }
    return parts.filter { part in
      switch part.form {
      case .comparison(.notEqual, let left, let right) where right.isDiscrete:
        if let value = equals[left], value != right { return false }
        return !parts.contains { $0 != part && $0.isRefuted(by: left, being: right) }
      default: return true
      }
    }
  }

  /// Whether the condition is certainly false where an expression has a value.
  private func isRefuted(by operand: SQLExpression, being value: SQLExpression) -> Bool {
    switch form {
    case .comparison(let op, let left, let right) where left == operand:
      return Self.comparison(op, value, right).isNo
    case .oneOf(let left, let literals) where left == operand:
      return !literals.contains(value)
    case .call(let function, let operands)
    where operands.count == 2 && operands[0] == operand && operands[1].isLiteral:
      guard case .text(let text) = value.form, case .text(let part) = operands[1].form else {
        return false
      }
      let bytes = Array(text.utf8)
      let other = Array(part.utf8)
      switch function {
      case .hasPrefix: return !bytes.starts(with: other)
      case .hasSuffix: return !bytes.reversed().starts(with: other.reversed())
      case .contains:
        return !bytes.indices.contains { bytes[$0...].starts(with: other) } && !other.isEmpty
      default: return false
      }
    default: return false
    }
  }
}
