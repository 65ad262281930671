public import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis

/// The rows that an audience of a placement may match, as one query, for an engine that evaluates the
/// placement row by row: every other row matches no audience.
///
/// It is for placements of which an audience has no form in SQL (``CampaignQuery/gaps``). The engine may
/// add attributes that no column holds; filters that read such attributes do not restrict the rows.
public struct CandidateQuery: Sendable {
  /// The query. It selects the columns that the filters read, and those that identify a user.
  public let text: String
  /// The columns that it selects.
  public let columns: [TableSchema.Column]
  /// Whether every row is a candidate.
  public let selectsAll: Bool

  /// Creates the query.
  ///
  /// - Parameters:
  ///   - placement: The placement.
  ///   - environment: The dialect and the limits of the filters.
  ///   - schema: The table.
  ///   - table: The table in the query: a name, quoted if need be, or a subquery.
  ///   - dialect: The engine.
  /// - Throws: ``SQLFilterError`` if a text is no filter.
  public init(
    _ placement: CampaignQuery.Placement, environment: FilterEnvironment = .standard,
    schema: TableSchema, table: String, dialect: SQLDialect
  ) throws(SQLFilterError) {
    var conditions: [SQLExpression] = []
    var paths: Set<[String]> = [["user", "appUserId"], ["user", "id"], ["user", "aliasId"]]
    for audience in placement.audiences {
      guard let source = audience.filter else {
        conditions.append(.yes)
        continue
      }
      let read: [[String]]
      do throws(FilterError) {
        read = try Filter(source, environment: environment).requirements.attributes
          .map { $0.path.split(separator: ".").map(String.init) }
      } catch {
        throw .invalid(error)
      }
      paths.formUnion(read)
      let hasColumns = read.allSatisfy { path in
        schema.columns.contains { $0.holds(path) }
      }
      conditions.append(
        hasColumns ? Self.implied(source, environment, schema: schema, dialect: dialect) : .yes)
    }
    let condition = SQLExpression.any(conditions)
    selectsAll = condition.isYes
    columns = schema.columns.filter { column in paths.contains { column.holds($0) } }
    let writer = SQLWriter(dialect)
    let selected = columns.map { writer.identifier($0.name) }.joined(separator: ", ")
    text = """
      SELECT \(columns.isEmpty ? "1" : selected)
      FROM \(table)
      WHERE \(writer.whole(condition, indent: 6))
      """
  }

  /// Returns a condition that every row meets for which a filter matches.
  private static func implied(
    _ source: SourceText, _ environment: FilterEnvironment, schema: TableSchema,
    dialect: SQLDialect
  ) -> SQLExpression {
    for isPartial in [false, true] {
      if let filter = try? SQLFilter(
        source, environment: environment, schema: schema, dialect: dialect, isPartial: isPartial)
      {
        return filter.matching
      }
    }
    return .yes
  }
}
