import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

// Reports conditions on the remainder of a number that exclude each other, or hold for all numbers.

extension FilterLinter {
  /// The most numbers that are tried.
  private static let mostNumbers = 5_000
  /// The most conditions on a number that are evaluated.
  private static let mostConditions = 12

  /// Reports `device.daysSinceInstall % 7 == 0 && device.daysSinceInstall > 0 &&
  /// device.daysSinceInstall < 7`, which no number passes, and `user.seed % 2 == 0 ||
  /// user.seed % 2 == 1`, which each one does.
  ///
  /// From the greatest constant on, the results repeat with the least common multiple of the
  /// divisors, so that the engine has to try few numbers.
  mutating func checkRemainders(_ operands: [NodeID], isAnd: Bool) {
    guard isSuperscript, hasRemainder else { return }
    var groups: [AttributePath: [NodeID]] = [:]
    for operand in operands {
      guard let read = attributesRead(by: operand), let path = read.first,
        read.allSatisfy({ $0 == path })
      else { continue }
      groups[path, default: []].append(operand)
    }
    for (path, own) in groups.sorted(by: { $0.value[0].index < $1.value[0].index })
    where (2...Self.mostConditions).contains(own.count) {
      guard isAnd || own.count == operands.count, let last = own.last,
        !own.contains(where: { wasReported(tree[$0].span) }),
        let numbers = numbersToTry(path, own), areDecided(own, isAnd: isAnd, path, numbers)
      else { continue }
      report(
        .always(
          !isAnd,
          isAnd ? "no number passes all of these" : "every number passes one of these",
          at: tree[last].span, label: isAnd ? "excludes the others" : "and so all are covered",
          secondary: own.dropLast().map { Diagnostic.Label(tree[$0].span, "this one") },
          notes: ["the conditions were tried with the numbers of `\(path)`"],
          helps: [
            isAnd ? "correct one of the numbers" : "remove one of them, or correct its number"
          ]))
    }
  }

  /// Returns the numbers of an attribute that tell conditions apart; `nil` unless one of them is
  /// about a remainder.
  private func numbersToTry(_ path: AttributePath, _ operands: [NodeID]) -> ClosedRange<Int>? {
    guard let attribute = schema.attribute(at: path), attribute.type == .int,
      let minimum = attribute.minimum, !attribute.isOptional
    else { return nil }
    var period = 1
    var greatest = 0
    var hasRemainder = false
    var work = operands
    while let next = work.popLast() {
      let node = tree[next]
      if node.isBinary(.remainder) {
        guard freePath(node.left) != nil, case .int(let divisor)? = tree.constant(of: node.right),
          (1...Int64(Self.mostNumbers)).contains(divisor)
        else { return nil }
        hasRemainder = true
        period = period / Self.commonDivisor(period, Int(divisor)) * Int(divisor)
        guard period <= Self.mostNumbers else { return nil }
        continue
      }
      if case .int(let number)? = tree.constant(of: next) {
        guard (0...Int64(Self.mostNumbers)).contains(number) else { return nil }
        greatest = max(greatest, Int(number))
      }
      work += tree.parts(of: node)
    }
    let end = attribute.maximum.map { Int($0) } ?? greatest + period + 1
    let start = Int(minimum)
    guard hasRemainder, start <= end, start >= -Self.mostNumbers, end <= Self.mostNumbers
    else { return nil }
    return start...end
  }

  private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return max(first, 1)
  }

  /// Returns whether no number passes all conditions, or each number passes one of them.
  private func areDecided(
    _ operands: [NodeID], isAnd: Bool, _ path: AttributePath, _ numbers: ClosedRange<Int>
  ) -> Bool {
    let fragments = operands.compactMap {
      try? CompiledFragment(tree, $0, environment: environment)
    }
    return fragments.count == operands.count
      && numbers.allSatisfy { number in
        var draft = UserDraft()
        draft.set(path, to: .int(Int64(number)))
        let user = draft.context
        return isAnd
          ? !fragments.allSatisfy { Outcome($0, user).holds == true }
          : fragments.contains { Outcome($0, user).holds == true }
      }
  }
}
