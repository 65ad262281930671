public import ExpressionEngine

/// The variant that a user got in an experiment (docs/spec/campaigns.md §4.5).
public struct VariantAssignment: Sendable, Hashable {
  /// The experiment; a user has at most one assignment per experiment.
  public var experimentID: String
  /// The variant as it was when it was chosen. Its weight is not part of the snapshot and is 0.
  public var variant: Variant
  /// Whether the server knows.
  public var isSent: Bool

  /// Creates an assignment.
  public init(experimentID: String, variant: Variant, isSent: Bool) {
    self.experimentID = experimentID
    self.variant = variant
    self.variant.percentage = 0
    self.isSent = isSent
  }

  /// The assignment as the reference stores it: `experimentId`, `variant`, `isSentToServer`.
  public var value: Value {
    var variant: [Value.Key: Value] = [
      .string("id"): .string(self.variant.id), .string("type"): .string(self.variant.kind.rawValue),
    ]
    if let paywall = self.variant.paywallIdentifier {
      variant[.string("paywallId")] = .string(paywall)
    }
    return .map([
      .string("experimentId"): .string(experimentID), .string("variant"): .map(variant),
      .string("isSentToServer"): .bool(isSent),
    ])
  }
}

/// The variants that a user got.
public protocol AssignmentLookup {
  /// The assignment of an experiment; `nil` when there is none.
  func assignment(of experimentID: String) throws(StoreError) -> VariantAssignment?
}

/// Assignments in memory, by experiment.
public struct AssignmentTable: AssignmentLookup, Sendable {
  private var assignments: [ExactName: VariantAssignment] = [:]

  /// Creates a table; of two assignments of one experiment the later one counts.
  public init(_ assignments: some Sequence<VariantAssignment> = []) {
    for assignment in assignments { save(assignment) }
  }

  /// Adds an assignment, replacing that of the same experiment.
  public mutating func save(_ assignment: VariantAssignment) {
    assignments[ExactName(assignment.experimentID)] = assignment
  }

  /// The assignment of an experiment; `nil` when there is none.
  public func assignment(of experimentID: String) -> VariantAssignment? {
    assignments[ExactName(experimentID)]
  }
}

/// Assignments chosen by hash when they are asked for, so that nothing has to be stored: the same unit
/// gets the same variant on every device (``DeterministicBucketing``).
public struct BucketedAssignments: AssignmentLookup, Sendable {
  private let campaigns: CompiledCampaigns
  private let unitID: String

  /// Creates the assignments of a unit.
  ///
  /// - Parameters:
  ///   - campaigns: The campaigns with the experiments.
  ///   - unitID: The unit to bucket, such as a user id.
  public init(_ campaigns: CompiledCampaigns, unitID: String) {
    self.campaigns = campaigns
    self.unitID = unitID
  }

  /// The assignment of an experiment; `nil` when there is no such experiment or it has no variants.
  public func assignment(of experimentID: String) -> VariantAssignment? {
    guard let audience = campaigns.experiments[ExactName(experimentID)]?.audience,
      let variant = DeterministicBucketing.choose(
        from: audience.variants, unitID: unitID, experimentID: experimentID)
    else { return nil }
    return VariantAssignment(experimentID: experimentID, variant: variant, isSent: false)
  }
}

/// An assignment as the server sends it, and as it is posted to the server (§4.6).
public struct ServerAssignment: Sendable, Hashable {
  /// The experiment.
  public var experimentID: String
  /// The variant.
  public var variantID: String

  /// Creates a pair.
  public init(experimentID: String, variantID: String) {
    self.experimentID = experimentID
    self.variantID = variantID
  }

  /// The body that confirms assignments: `{"assignments": [{"experiment_id", "variant_id"}]}`.
  public static func body(of assignments: [ServerAssignment]) -> Value {
    let pairs = assignments.map { pair in
      Value.map([
        .string("experiment_id"): .string(pair.experimentID),
        .string("variant_id"): .string(pair.variantID),
      ])
    }
    return .map([.string("assignments"): .list(pairs)])
  }

  /// Reads the answer of the assignments request, in either spelling.
  /// - Throws: ``ConfigError``, which says which member does not decode.
  public static func decode(_ value: Value) throws(ConfigError) -> [ServerAssignment] {
    let log = ConfigLog(ConfigDocument(value), rules: ConfigRules())
    return try ConfigValue(log).object()["assignments"].array { element throws(ConfigError) in
      let pair = try element.object()
      return ServerAssignment(
        experimentID: try pair["experiment_id"].string(),
        variantID: try pair["variant_id"].string())
    }
  }
}
