package import ExpressionSyntax

/// The typing rules of a dialect: the signatures of its operators, and its leniency.
package struct CheckingRules: Sendable {
  /// The overloads of operators, by `OperatorInfo/celName`.
  let operators: [String: [Overload]]

  /// The treatment of a name that is not declared.
  package enum Undeclared: Sendable, Hashable {
    /// It is a mistake.
    case error
    /// It is a variable of unknown type.
    case dyn
  }

  /// The treatment of a variable that is not declared.
  package var undeclaredNames: Undeclared
  /// The treatment of a function that is not declared.
  package var undeclaredFunctions: Undeclared
  /// Whether `a.f(b)` and `f(a, b)` are the same call.
  package var receiverIsFirstArgument: Bool
  /// Whether conditions must be bools; otherwise any value is one.
  package var conditionsAreBools: Bool
  /// Whether a missing member is null, so that a member of any value may be read, and the root of
  /// dotted variables is a map.
  package var missingMembersAreNull: Bool
  /// The severity of the diagnostics; `nil` leaves that to their ids.
  package var severity: Diagnostic.Severity?

  /// The Common Expression Language (docs/spec/cel.md §6, §13).
  package static let cel = CheckingRules(
    operators: OperatorSignatures.cel, undeclaredNames: .error, undeclaredFunctions: .error,
    receiverIsFirstArgument: false, conditionsAreBools: true, missingMembersAreNull: false,
    severity: nil)

  /// The superscript dialect (docs/spec/superscript.md §6–§9, §13): numbers mix, every value is a
  /// condition, and what is not declared may exist all the same.
  package static let superscript = CheckingRules(
    operators: OperatorSignatures.superscript, undeclaredNames: .dyn, undeclaredFunctions: .dyn,
    receiverIsFirstArgument: true, conditionsAreBools: false, missingMembersAreNull: true,
    severity: nil)

  /// The rules of a dialect.
  package static func rules(of dialect: Dialect.Name) -> CheckingRules {
    switch dialect {
    case .cel: .cel
    case .superscript: .superscript
    }
  }
}
