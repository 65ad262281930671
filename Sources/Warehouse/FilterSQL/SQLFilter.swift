public import ExpressionEngine
package import ExpressionSyntax
import FilterAnalysis

/// A filter in SQL: for each row of a table the same answer that the engine gives for the row's context.
///
/// There are three results, and each row has one of them: the filter matches, it does not, or it
/// fails.
///
/// ```swift
/// let schema = TableSchema(columnsFor: try AttributeSchema(json: "{\"user.age\": \"int\"}"))
/// let filter = try SQLFilter("user.age >= 18", schema: schema, dialect: .named(.duckdb))
/// filter.condition  // "user.age" >= 18
/// ```
public struct SQLFilter: Sendable {
  /// The results of host functions that are the same for all rows.
  public typealias HostAnswers =
    @Sendable (_ table: String, _ name: String, _ arguments: [Value]) -> Value?

  /// The text of the filter.
  package let source: SourceText
  /// The dialect that the filter is written in.
  public let dialect: SQLDialect
  /// The parts that were left out because they are refused; empty unless the filter is partial.
  public let refusals: [Refusal]
  /// Whether a row for which ``condition`` holds need not match: then the engine has to evaluate the
  /// filter for the rows that are left.
  public var isPartial: Bool { !refusals.isEmpty }
  /// What translates parts of the filter.
  private let translator: FilterTranslator
  let matching: SQLExpression
  let failing: SQLExpression

  /// Translates a filter.
  ///
  /// - Parameters:
  ///   - text: The filter.
  ///   - environment: The dialect of the filter and the functions of the host.
  ///   - schema: The table.
  ///   - dialect: The engine.
  ///   - hostAnswers: Returns the result of a host function, if that is the same for all rows;
  ///     `nil` for a function that is not known, which is refused.
  ///   - isPartial: Whether operands of the outermost `&&` may be left out when they are refused. The
  ///     condition is then one that every row meets for which the filter matches.
  /// - Throws: ``SQLFilterError`` if the text is no filter, or has no form in SQL that is certain
  ///   to give the same results.
  /// - Complexity: O(n) in the length of the text for attributes of one type; what an attribute of any
  ///   type may be multiplies. Bounded, because filters that become too large are refused.
  public init(
    _ text: String, environment: FilterEnvironment = .standard, schema: TableSchema,
    dialect: SQLDialect, hostAnswers: @escaping HostAnswers = { _, _, _ in nil },
    isPartial: Bool = false
  ) throws(SQLFilterError) {
    try self.init(
      SourceText(text), environment: environment, schema: schema, dialect: dialect,
      hostAnswers: hostAnswers, isPartial: isPartial)
  }

  /// Translates a filter that comes from a file.
  package init(
    _ source: SourceText, environment: FilterEnvironment = .standard, schema: TableSchema,
    dialect: SQLDialect, hostAnswers: @escaping HostAnswers = { _, _, _ in nil },
    isPartial: Bool = false
  ) throws(SQLFilterError) {
    self.source = source
    self.dialect = dialect
    let lowered: LoweredExpression
    do throws(FilterError) {
      lowered = try LoweredExpression(source, environment: environment)
    } catch {
      throw .invalid(error)
    }
    do throws(Refusal) {
      var translator = FilterTranslator(
        lowered, schema: schema, dialect: dialect, hostAnswers: hostAnswers)
      self.translator = translator
      // In a debug build, a level takes ten times the stack of one of the parser.
      let room = lowered.nodes.count * 10
      if isPartial, let implied = NestingLimit.withRoom(for: room, { translator.implied() }) {
        (matching, refusals) = implied
        failing = .no
        return
      }
      let value = try NestingLimit.withRoom(for: room) { () throws(Refusal) in
        try translator.translateRoot()
      }
      refusals = []
      matching = value.isTrue
      failing = value.fails
      let span = lowered.nodes[lowered.nodes.count - 1].span
      try dialect.check(matching, at: span)
      try dialect.check(failing, at: span)
    } catch {
      throw .refused(error)
    }
  }

  /// The condition that the filter matches: true or false in every row, never `NULL`.
  public var condition: String { SQLWriter(dialect).whole(matching) }

  /// ``condition`` with a comment before each operand of the outermost `&&`: the part of the filter that
  /// it stands for.
  public var commentedCondition: String {
    let writer = SQLWriter(dialect)
    let conditions = isPartial ? [] : translator.conditions
    guard conditions.count > 1, SQLExpression.all(conditions.map(\.condition)) == matching else {
      return comment(source.text) + condition
    }
    var text = ""
    for (index, part) in conditions.enumerated() {
      let bytes = source.bytes[Int(part.span.start)..<Int(part.span.end)]
      text += comment(String(decoding: bytes, as: UTF8.self))
      let own = writer.whole(part.condition, indent: 4)
      let isWhole = conditions.count == 1 || !part.condition.isDisjunction
      text += (index == 0 ? "    " : "AND ") + (isWhole ? own : "(\(own))") + "\n"
    }
    return text
  }

  private func comment(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { "-- \($0)\n" }.joined()
  }

  /// The condition that the filter fails: true or false in every row, never `NULL`.
  public var failure: String { SQLWriter(dialect).whole(failing) }

  /// The answer as one expression: true where the filter matches, false where it does not, `NULL` where
  /// it fails.
  public var answer: String {
    SQLWriter(dialect).whole(
      .choice(
        [SQLBranch(condition: failing, value: SQLExpression(.null))], otherwise: matching))
  }

  /// Whether the answer is the same in every row.
  public var isConstant: Bool { matching.isLiteral && failing.isLiteral }
}

/// Thrown when a filter cannot be written in SQL.
public enum SQLFilterError: Error, Sendable {
  /// The text is no filter.
  case invalid(FilterError)
  /// A part of the filter has no form in SQL that is certain to give the same results.
  case refused(Refusal)
}

extension Choice {
  /// Whether the value is exactly true.
  var isTrue: SQLExpression {
    .any(alternatives.map(\.isTrue))
  }
}
