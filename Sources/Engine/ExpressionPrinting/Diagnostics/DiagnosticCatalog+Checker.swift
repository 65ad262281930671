import ExpressionSyntax

extension DiagnosticCatalog {
  /// The texts about types, which the checker reports.
  ///
  /// - Returns: The entry; `nil` for an id that another part of the catalogue has.
  static func checkerEntry(for id: DiagnosticID) -> Entry? {
    switch id {
    case .operandTypes:
      Entry(
        "operator does not take these types",
        """
        No overload of the operator takes operands of these types. In the cel dialect both sides \
        of an operator have one type and nothing is converted silently: write `double(a) + b`, or \
        `dyn(a) == b` to compare whatever comes.
        """, example: "1 + 1.5", dialect: .cel)
    case .noMembers:
      Entry(
        "value has no members",
        """
        Only maps, and optionals of maps, have members that `.` can read.
        """, example: "1.size", dialect: .cel)
    case .notIterable:
      Entry(
        "macro does not take this type",
        """
        Macros such as `all`, `exists`, `filter` and `map` run over the elements of a list or the \
        keys of a map, `transformMapEntry` makes maps, and `sortBy` needs a key that has an order.
        """, example: #""abc".all(c, c != "")"#, dialect: .cel)
    case .differentBranches:
      Entry(
        "branches have different types",
        """
        Both branches of `? :` need one type, because what follows works with either. `dyn(…)` \
        around a branch leaves the decision to the evaluation.
        """, example: #"true ? 1 : "a""#, dialect: .cel)
    case .notOptional:
      Entry(
        "expected an optional",
        """
        A `?` before an element, a key or a field adds the content of an optional, and `optMap` \
        and `optFlatMap` work on one. Wrap the value: `optional.of(a)`.
        """, example: "[?1]", dialect: .cel)
    case .conditionType:
      Entry(
        "condition has the wrong type",
        """
        The condition of `? :`, `all`, `exists`, `exists_one` and `filter` must be a bool. \
        Compare the value: `n != 0`.
        """, example: "1 ? 2 : 3", dialect: .cel)
    case .unusableKeyType:
      Entry(
        "type cannot be a key",
        """
        The keys of a map are strings, ints, uints or bools.
        """, example: "{1.5: true}", dialect: .cel)
    case .noMatchingOverload:
      Entry(
        "function does not take these types",
        """
        The function exists, but not for a call with these types, this number of arguments, or in \
        this style (`f(a)` and `a.f()` are different functions). The notes list the ways in which \
        it can be called.
        """, example: #"size(1)"#, dialect: .cel)
    case .malformedMacro:
      Entry(
        "macro is written wrongly",
        """
        Macros take names and forms rather than values: `list.all(x, x > 0)` introduces the \
        variable `x`, and `has(a.b)` takes the member to look for.
        """, example: "[1].all(1, true)", dialect: .cel)
    default: nil
    }
  }
}
