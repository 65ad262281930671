import ExpressionEngine

// Runs of `&&` and `||`, by the rules of each dialect.

extension FilterSimplifier {
  /// Returns what is left of a run of `&&` or `||`.
  func logic(_ operands: [Residue], isAnd: Bool) -> Residue {
    switch (isSuperscript, isAnd) {
    case (true, true): conjunction(operands)
    case (true, false): disjunction(operands)
    case (false, _): absorbing(operands, isAnd: isAnd)
    }
  }

  /// All operands are evaluated, and the first one that fails makes the whole fail. Otherwise the
  /// value is a bool.
  private func conjunction(_ operands: [Residue]) -> Residue {
    var rest: [Residue] = []
    var isFalse = false
    var fails = false
    for operand in operands where !fails {
      switch operand.kind {
      case .value(let value): isFalse = isFalse || !value.isTruthy
      case .open: rest.append(operand)
      case .failure:
        rest.append(operand)
        fails = true
      }
    }
    // An operand that cannot fail does not matter beside one that is false, or that fails.
    if isFalse || fails { rest.removeAll { !$0.mayFail } }
    if fails, rest.count == 1 { return rest[0] }
    if rest.isEmpty { return Self.bool(!isFalse) }
    if rest.count == 1, rest[0].isBool, !isFalse { return rest[0] }
    if isFalse, !fails { rest.insert(Self.bool(false), at: 0) }
    // The conjunction makes a bool of any value.
    if rest.count == 1 { rest.insert(Self.bool(true), at: 0) }
    return joined(rest, "&&", isBool: true)
  }

  /// Operands are evaluated up to the first one that counts as true, which is the value; without
  /// one, the last operand is.
  private func disjunction(_ operands: [Residue]) -> Residue {
    var rest: [Residue] = []
    for (index, operand) in operands.enumerated() {
      guard let value = operand.value else {
        rest.append(operand)
        if operand.isFailure { break }
        continue
      }
      if value.isTruthy {
        rest.append(operand)
        break
      }
      // A false one at the end matters only if it differs from the value before it.
      let isNeeded = rest.isEmpty || value != .bool(false) || !rest.allSatisfy { $0.isBool }
      if index == operands.count - 1, isNeeded { rest.append(operand) }
    }
    if rest.count == 1 { return rest[0] }
    return joined(rest, "||", isBool: rest.allSatisfy { $0.isBool })
  }

  /// One operand can decide whatever happens to the others: `false` for `&&`, `true` for `||`.
  private func absorbing(_ operands: [Residue], isAnd: Bool) -> Residue {
    var rest: [Residue] = []
    for operand in operands {
      if operand.value == .bool(!isAnd) { return Self.bool(!isAnd) }
      if operand.value != .bool(isAnd) { rest.append(operand) }
    }
    if rest.isEmpty { return Self.bool(isAnd) }
    if rest.count == 1 {
      if rest[0].isBool || rest[0].isFailure { return rest[0] }
      // A value that is not a bool is a failure here.
      rest.append(Self.bool(isAnd))
    }
    var result = joined(rest, isAnd ? "&&" : "||", isBool: true)
    // Only the first failure counts if no operand can decide.
    if rest.allSatisfy({ $0.isFailure || $0.value != nil }) { result.kind = .failure }
    return result
  }

  private func joined(_ operands: [Residue], _ op: String, isBool: Bool) -> Residue {
    Residue(
      kind: .open, text: operands.map { "(\($0.text))" }.joined(separator: " \(op) "),
      isBool: isBool, mayFail: operands.contains { $0.mayFail })
  }
}
