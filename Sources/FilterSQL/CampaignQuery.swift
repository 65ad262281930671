public import ExpressionEngine
package import ExpressionSyntax

/// How many rows fall into each audience of a campaign, as one query over one pass of the table.
///
/// The audiences of a placement are tried in order, and the first that matches counts, as the matcher
/// does it. The query has one row, with a column of numbers for each audience.
public struct CampaignQuery: Sendable {
  /// An audience: its name, and its filter; without one everybody is in it.
  public struct Audience: Sendable {
    /// The name, unique in its placement.
    public var name: String
    /// The filter.
    package var filter: SourceText?

    /// Creates an audience.
    package init(name: String, filter: SourceText?) {
      self.name = name
      self.filter = filter
    }
  }

  /// A placement and its audiences, in the order in which they are tried.
  public struct Placement: Sendable {
    /// The name.
    public var name: String
    /// The audiences.
    public var audiences: [Audience]

    /// Creates a placement.
    public init(name: String, audiences: [Audience]) {
      self.name = name
      self.audiences = audiences
    }
  }

  /// What a column of the query counts.
  public struct Column: Sendable, Hashable {
    /// The placement.
    public var placement: String
    /// The position of the audience, from 0; `nil` for those who match none.
    public var audience: Int?
    /// The name of the subquery's column that tells the audience.
    fileprivate var answer: String
  }

  /// An audience that has no form in SQL.
  public struct Gap: Sendable {
    /// The placement.
    public var placement: String
    /// The position of the audience, from 0.
    public var audience: Int
    /// Why.
    public var error: SQLFilterError
  }

  /// The columns, in order, behind the number of all rows.
  public private(set) var columns: [Column] = []
  /// The audiences without a form in SQL. Those behind them in their placements are not counted, because
  /// it is not known who is left.
  public private(set) var gaps: [Gap] = []
  private var cases: [(name: String, text: String)] = []
  private let dialect: SQLDialect
  private let table: String

  /// Creates the query.
  ///
  /// - Parameters:
  ///   - placements: The campaign.
  ///   - environment: What the filters are compiled against.
  ///   - schema: The table.
  ///   - table: The table in the query: a name, quoted if need be, or a subquery.
  ///   - dialect: The engine.
  ///   - hostAnswers: What host functions answer, where that is the same for all rows.
  public init(
    _ placements: [Placement], environment: FilterEnvironment = .standard, schema: TableSchema,
    table: String, dialect: SQLDialect,
    hostAnswers: @escaping SQLFilter.HostAnswers = { _, _, _ in nil }
  ) {
    self.dialect = dialect
    self.table = table
    let writer = SQLWriter(dialect)
    for (number, placement) in placements.enumerated() {
      var text = "CASE\n"
      var isOpen = true
      for (index, audience) in placement.audiences.enumerated() {
        guard isOpen else { break }
        guard let source = audience.filter else {
          text += "      -- \(audience.name): everybody\n      WHEN TRUE THEN \(index)\n"
          columns.append(
            Column(placement: placement.name, audience: index, answer: "p\(number)"))
          isOpen = false
          continue
        }
        do throws(SQLFilterError) {
          let filter = try SQLFilter(
            source, environment: environment, schema: schema, dialect: dialect,
            hostAnswers: hostAnswers)
          let lines = source.text.split(whereSeparator: \.isNewline).joined(separator: " ")
          text += "      -- \(audience.name): \(lines)\n      WHEN "
          text += writer.text(filter.matching, indent: 11) + "\n      THEN \(index)\n"
          columns.append(
            Column(placement: placement.name, audience: index, answer: "p\(number)"))
        } catch {
          gaps.append(Gap(placement: placement.name, audience: index, error: error))
          isOpen = false
        }
      }
      let isComplete = !gaps.contains { $0.placement == placement.name }
      if isComplete {
        columns.append(
          Column(placement: placement.name, audience: nil, answer: "p\(number)"))
      }
      if text == "CASE\n" { text += "      WHEN FALSE THEN 0\n" }
      cases.append(("p\(number)", text + "      ELSE -1\n    END"))
    }
  }

  /// The query.
  public var text: String {
    let writer = SQLWriter(dialect)
    var selected = ["count(*) AS \(writer.identifier("rows"))"]
    for column in columns {
      let name = "\(column.placement)/\(column.audience.map { "\($0 + 1)" } ?? "none")"
      selected.append(
        "count(CASE WHEN \(column.answer) = \(column.audience ?? -1) THEN 1 END)"
          + " AS \(writer.identifier(name))")
    }
    let inner = cases.map { "    \($0.text) AS \($0.name)" }.joined(separator: ",\n")
    return """
      SELECT
        \(selected.joined(separator: ",\n  "))
      FROM (
        SELECT
      \(inner.isEmpty ? "    1 AS p" : inner)
        FROM \(table)
      ) AS audiences

      """
  }
}
