// Lists as sets (docs/spec/cel.md §21). Elements are compared with the equality of the language.

enum CELSets {
  static let definitions: [FunctionDefinition] = [
    .cel(
      "sets.contains", "whether all elements of the second list are in the first",
      [
        .init("sets.contains(list(A), list(A)) -> bool", "sets.contains([1, 2, 3], [2, 2])", "true")
        {
          $0.celContains($1[0], allOf: $1[1])
        }
      ]),
    .cel(
      "sets.equivalent", "whether two lists have the same elements, in any order and number",
      [
        .init(
          "sets.equivalent(list(A), list(A)) -> bool", "sets.equivalent([1, 2], [2, 1, 1])", "true"
        ) {
          machine, arguments in
          let result = machine.celContains(arguments[0], allOf: arguments[1])
          return result.isTrue ? machine.celContains(arguments[1], allOf: arguments[0]) : result
        }
      ]),
    .cel(
      "sets.intersects", "whether two lists have an element in common",
      [
        .init("sets.intersects(list(A), list(A)) -> bool", "sets.intersects([1, 2], [3])", "false")
        {
          $0.celIntersects($1[0], $1[1])
        }
      ]),
  ]
}

/// The elements of a list, found by hash where equality allows that, and otherwise by comparing.
struct ElementIndex {
  /// Elements that equal only elements with the same hash, as keys.
  private var table: Set<Value.Key> = []
  private var others: [Slot] = []
  private let rules: ValueRules

  init(rules: ValueRules) { self.rules = rules }

  /// Adds an element, and returns whether it was new. Two elements that are not equal to themselves
  /// (NaN) are both new.
  ///
  /// - Parameter budget: The number of comparisons that are left; see
  ///   ``Slot/equal(_:_:rules:budget:depth:)``.
  mutating func insert(_ element: Slot, budget: inout Int) -> Bool {
    if let key = Self.key(element, budget: &budget) {
      let isThere = others.contains {
        budget &-= 1
        return budget < 0
          || $0.isNumber
            && Slot.equal($0, element, rules: rules, budget: &budget)
      }
      return !isThere && table.insert(key).inserted
    }
    if contains(element, budget: &budget) { return false }
    others.append(element)
    return true
  }

  /// Returns whether an element equals one that was added, or whether the budget is exhausted.
  func contains(_ element: Slot, budget: inout Int) -> Bool {
    if let key = Self.key(element, budget: &budget), table.contains(key) { return true }
    // Numbers beyond the exact range of doubles may equal a double that is not an integer here.
    return others.contains {
      budget &-= 1
      return budget < 0 || Slot.equal($0, element, rules: rules, budget: &budget)
    }
  }

  /// Returns the key of an element that equals another one exactly when their keys are the same.
  private static func key(_ element: Slot, budget: inout Int) -> Value.Key? {
    switch element.tag {
    case .string:
      budget &-= Int(element.aux) / Slot.bytesPerComparison
      return budget < 0 ? nil : .string(element.text)
    case .bool: return .bool(element.boolValue)
    case .int, .uint, .double:
      // Integers are compared with doubles as doubles, which are exact up to 2^53 only.
      guard element.asDouble.magnitude < 0x1p53, let int = Int64(exactly: element.asDouble)
      else { return nil }
      return .int(int)
    default: return nil
    }
  }
}

extension Machine {
  private func index(of list: Slot, budget: inout Int) -> ElementIndex {
    var index = ElementIndex(rules: rules)
    for element in list.elements where budget >= 0 { _ = index.insert(element, budget: &budget) }
    return index
  }

  /// Returns whether all elements of one list are in another.
  mutating func celContains(_ list: Slot, allOf wanted: Slot) -> Slot {
    let total = comparisonBudget
    var budget = total
    let index = index(of: list, budget: &budget)
    let result = wanted.elements.allSatisfy { budget >= 0 && index.contains($0, budget: &budget) }
    return pay(budget, of: total) ? .bool(result) : failed
  }

  /// Returns whether two lists have an element in common.
  mutating func celIntersects(_ list: Slot, _ other: Slot) -> Slot {
    let total = comparisonBudget
    var budget = total
    let index = index(of: list, budget: &budget)
    let result = other.elements.contains { budget < 0 || index.contains($0, budget: &budget) }
    return pay(budget, of: total) ? .bool(result) : failed
  }
}
