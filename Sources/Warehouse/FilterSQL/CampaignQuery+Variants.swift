// The deterministic choice of variants in SQL. A user's unit is hashed once; then each variant has a
// cost, and the one with the largest weight for its cost wins (`DeterministicBucketing`).

extension CampaignQuery {
  /// A variant of an audience's experiment.
  public struct Variant: Sendable, Hashable {
    /// The id.
    public var id: String
    /// The relative weight.
    public var weight: Int64

    /// Creates a variant.
    public init(id: String, weight: Int64) {
      self.id = id
      self.weight = weight
    }
  }

  /// The users of an audience that a column counts.
  public enum Share: Sendable, Hashable {
    /// Those with the variant at a position, from 0.
    case variant(Int)
    /// Those without an id, who get a variant by chance.
    case byChance
    /// Those whose two best variants are too close for doubles. There is one in hundreds of millions.
    case undecided

    /// The value of the chosen variant in the query.
    var code: Int {
      switch self {
      case .variant(let index): index
      case .byChance: -1
      case .undecided: -2
      }
    }
  }

  /// Returns the column that identifies a user, as SQL: the first of `appUserId`, `id` and `aliasId`
  /// that is a text and not empty.
  ///
  /// - Returns: `nil` if the table has no such column of texts.
  static func unit(in schema: TableSchema, _ writer: SQLWriter) -> String? {
    let operands = ["appUserId", "id", "aliasId"].compactMap { name -> String? in
      for column in schema.columns {
        if column.path == ["user", name], column.type == .string {
          return writer.identifier(column.name)
        }
        if column.path == ["user"], case .record(let members) = column.type,
          members.contains(where: { $0.name == name && $0.type == .string })
        {
          return writer.identifier(column.name) + "." + writer.identifier(name)
        }
      }
      return nil
    }
    guard !operands.isEmpty else { return nil }
    return "COALESCE(" + operands.map { "NULLIF(\($0), '')" }.joined(separator: ", ") + ")"
  }
}

/// The layers of subqueries in which variants are chosen: each names what the next one uses several
/// times.
struct VariantLayers {
  /// An experiment of which users get one of several variants.
  struct Experiment {
    let id: String
    let variants: [CampaignQuery.Variant]
    /// Who is in an audience of the experiment: conditions over the kept columns, any of which holds.
    var members: [String]

    /// The weights that count, by position: none is negative, and if all are zero, each is 1.
    var weights: [(index: Int, weight: Int64)] {
      let positive = variants.enumerated().filter { $0.element.weight > 0 }
      return positive.isEmpty
        ? variants.indices.map { ($0, 1) } : positive.map { ($0.offset, $0.element.weight) }
    }
  }

  let hashing: SQLHashing
  /// The unit of bucketing, as SQL over the table.
  let unit: String
  private(set) var experiments: [Experiment] = []

  /// The unit, in the form in which it is hashed, as a column named `unit`.
  var unitColumn: String { "\(hashing.digits(unit)) AS unit" }

  init(hashing: SQLHashing, unit: String) {
    self.hashing = hashing
    self.unit = unit
  }

  /// Returns the name of the column with a user's variant. An experiment at several placements is the
  /// same experiment, with the variants of the first.
  ///
  /// - Parameter member: The condition of the users in the audience, over the kept columns. The column
  ///   counts for them only.
  mutating func column(
    _ id: String, _ variants: [CampaignQuery.Variant], member: String
  ) -> String {
    if let known = experiments.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
      experiments[known].members.append(member)
      return "v\(known)"
    }
    experiments.append(Experiment(id: id, variants: variants, members: [member]))
    return "v\(experiments.count - 1)"
  }

  /// Returns the query with a column `v0`, `v1` and so on for each experiment.
  ///
  /// - Parameters:
  ///   - query: A query with the columns `kept` and ``unitColumn``.
  ///   - kept: The columns that are passed on.
  func around(_ query: String, keeping kept: [String]) -> String {
    let several = experiments.enumerated().filter { $0.element.variants.count > 1 }
    // Hashing is what takes time, so that only those are hashed whose variant counts.
    func amongMembers(_ members: [String], _ hash: String) -> String {
      members.isEmpty ? "NULL" : "CASE WHEN \(members.joined(separator: " OR ")) THEN \(hash) END"
    }
    let layers: [(CampaignQuery.Variant, Experiment, String) -> String] = [
      { variant, experiment, _ in
        let bytes = Array(experiment.id.utf8) + [0xFF] + Array(variant.id.utf8)
        return amongMembers(experiment.members, hashing.hashing(bytes, from: "unit"))
      },
      { _, _, column in hashing.mixedOnce(column) },
      { _, _, column in hashing.mixedTwice(column) },
      { _, _, column in hashing.cost(column) },
    ]
    let unit = amongMembers(several.flatMap(\.element.members), hashing.unitHash("unit"))
    var result = """
      SELECT \((kept + ["\(unit) AS unit"]).joined(separator: ", "))
      FROM (
      \(query)
      ) AS units
      """
    for (number, layer) in layers.enumerated() {
      var columns = kept + ["unit"]
      for (index, experiment) in several {
        for (position, _) in experiment.weights {
          let name = "c\(index)_\(position)"
          columns.append("\(layer(experiment.variants[position], experiment, name)) AS \(name)")
        }
      }
      result = """
        SELECT \(columns.joined(separator: ",\n  "))
        FROM (
        \(result)
        ) AS hashes\(number)
        """
    }
    var columns = kept
    for (index, experiment) in experiments.enumerated() {
      columns.append("\(choice(index, experiment)) AS v\(index)")
    }
    return """
      SELECT \(columns.joined(separator: ",\n  "))
      FROM (
      \(result)
      ) AS costs
      """
  }

  /// Returns the position of the winner as SQL. A variant wins if its weight for its cost is larger than
  /// that of any other, by more than the costs may be wrong.
  private func choice(_ index: Int, _ experiment: Experiment) -> String {
    guard experiment.variants.count > 1 else { return "\(CampaignQuery.Share.variant(0).code)" }
    var text = "CASE WHEN unit IS NULL THEN \(CampaignQuery.Share.byChance.code)"
    let weights = experiment.weights
    for (position, weight) in weights {
      let conditions = weights.filter { $0.index != position }.map { other in
        let margin = SQLHashing.costError * (Double(weight) + Double(other.weight))
        return "\(weight) * c\(index)_\(other.index) - \(other.weight) * c\(index)_\(position)"
          + " > \(margin)"
      }
      let condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
      text += " WHEN \(condition) THEN \(position)"
    }
    return text + " ELSE \(CampaignQuery.Share.undecided.code) END"
  }
}
