public import ExpressionEngine
package import ExpressionSyntax
import FilterAnalysis

/// The number of rows in each audience of a campaign, and with each variant, as one query over one pass
/// of the table.
///
/// The audiences of a placement are tried in order, and the first that matches counts, as in the
/// matcher. Variants are chosen by the hash of the user's id, as with `variantChoice = .deterministic`.
/// The query has one row, with a number for each column.
public struct CampaignQuery: Sendable {
  /// An audience: its experiment, and its filter; without one everybody is in it.
  public struct Audience: Sendable {
    /// The id of the experiment.
    public var name: String
    /// The filter.
    package var filter: SourceText?
    /// The variants of the experiment.
    public var variants: [Variant]

    /// Creates an audience.
    package init(name: String, filter: SourceText?, variants: [Variant] = []) {
      self.name = name
      self.filter = filter
      self.variants = variants
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

  /// The rows that a column of the query counts.
  public struct Column: Sendable, Hashable {
    /// The placement.
    public var placement: String
    /// The position of the audience, from 0; `nil` for those who match none.
    public var audience: Int?
    /// The part of the audience; `nil` for all of it.
    public var share: Share?
    /// The name of the column in the query.
    fileprivate let name: String
    /// The condition of the rows, over the columns of the subquery.
    fileprivate let condition: String

    fileprivate init(
      _ placement: String, _ number: Int, _ audience: Int?, _ share: Share? = nil,
      in variant: String = "", named part: String = ""
    ) {
      self.placement = placement
      self.audience = audience
      self.share = share
      name =
        "\(placement)/\(audience.map { "\($0 + 1)" } ?? "none")" + (part.isEmpty ? "" : "/\(part)")
      let inAudience = "p\(number) = \(audience ?? -1)"
      condition = share.map { "\(inAudience) AND \(variant) = \($0.code)" } ?? inAudience
    }
  }

  /// An audience that has no form in SQL.
  public struct Gap: Sendable {
    /// The placement.
    public var placement: String
    /// The position of the audience, from 0.
    public var audience: Int
    /// The reason.
    public var error: SQLFilterError
  }

  /// The columns, in order, after the number of all rows.
  public private(set) var columns: [Column] = []
  /// The audiences without a form in SQL. Those after them in their placements are not counted, because
  /// it is not known who is left.
  public private(set) var gaps: [Gap] = []
  /// Whether the query counts variants. It does if the engine can fold lists, and the table has a column
  /// of texts for `user.appUserId`, `user.id` or `user.aliasId`.
  public var countsVariants: Bool { layers != nil }
  private var cases: [(name: String, text: String)] = []
  private var layers: VariantLayers?
  private let dialect: SQLDialect
  private let table: String

  /// Creates the query.
  ///
  /// - Parameters:
  ///   - placements: The campaign.
  ///   - environment: The dialect and the limits of the filters.
  ///   - schema: The table.
  ///   - table: The table in the query: a name, quoted if need be, or a subquery.
  ///   - dialect: The engine.
  ///   - hostAnswers: The results of host functions, where they are the same for all rows.
  public init(
    _ placements: [Placement], environment: FilterEnvironment = .standard, schema: TableSchema,
    table: String, dialect: SQLDialect,
    hostAnswers: @escaping SQLFilter.HostAnswers = { _, _, _ in nil }
  ) {
    self.dialect = dialect
    self.table = table
    let writer = SQLWriter(dialect)
    if let hashing = dialect.hashing, let unit = Self.unit(in: schema, writer) {
      layers = VariantLayers(hashing: hashing, unit: unit)
    }
    for (number, placement) in placements.enumerated() {
      var text = "CASE\n"
      var isOpen = true
      for (index, audience) in placement.audiences.enumerated() {
        guard isOpen else { break }
        guard let source = audience.filter else {
          text += "      -- \(audience.name): everybody\n"
          text += "      WHEN \(writer.text(.yes)) THEN \(index)\n"
          addColumns(placement.name, number, index, audience)
          isOpen = false
          continue
        }
        do throws(SQLFilterError) {
          let filter = try SQLFilter(
            source, environment: environment, schema: schema, dialect: dialect,
            hostAnswers: hostAnswers)
          let lines = source.text.split(whereSeparator: \.isNewline).joined(separator: " ")
          text += "      -- \(audience.name): \(lines)\n      WHEN "
          text += writer.whole(filter.matching, indent: 11) + "\n      THEN \(index)\n"
          addColumns(placement.name, number, index, audience)
        } catch {
          gaps.append(Gap(placement: placement.name, audience: index, error: error))
          isOpen = false
        }
      }
      let isComplete = !gaps.contains { $0.placement == placement.name }
      if isComplete { columns.append(Column(placement.name, number, nil)) }
      if text == "CASE\n" { text += "      WHEN \(writer.text(.no)) THEN 0\n" }
      cases.append(("p\(number)", text + "      ELSE -1\n    END"))
    }
  }

  private mutating func addColumns(
    _ placement: String, _ number: Int, _ index: Int, _ audience: Audience
  ) {
    columns.append(Column(placement, number, index))
    guard !audience.variants.isEmpty,
      let variant = layers?.column(
        audience.name, audience.variants, member: "p\(number) = \(index)")
    else { return }
    for (position, each) in audience.variants.enumerated() {
      columns.append(
        Column(placement, number, index, .variant(position), in: variant, named: each.id))
    }
    guard audience.variants.count > 1 else { return }
    columns.append(
      Column(placement, number, index, .byChance, in: variant, named: "(by chance)"))
    columns.append(
      Column(placement, number, index, .undecided, in: variant, named: "(not decided)"))
  }

  /// The query.
  public var text: String {
    let writer = SQLWriter(dialect)
    var selected = ["count(*) AS \(writer.identifier("rows"))"]
    for column in columns {
      selected.append(
        "count(CASE WHEN \(column.condition) THEN 1 END) AS \(writer.identifier(column.name))")
    }
    var inner = cases.map { "  \($0.text) AS \($0.name)" }
    if let layers, !layers.experiments.isEmpty { inner.append("  " + layers.unitColumn) }
    var source = """
      SELECT
      \(inner.isEmpty ? "  1 AS p" : inner.joined(separator: ",\n"))
      FROM \(table)
      """
    if let layers, !layers.experiments.isEmpty {
      source = layers.around(source, keeping: cases.map(\.name))
    }
    return """
      SELECT
        \(selected.joined(separator: ",\n  "))
      FROM (
      \(source)
      ) AS audiences

      """
  }
}
