/// Why a config does not decode: which member, where, and why.
public struct ConfigError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The member, such as `trigger_options[0].rules[2].preload`.
  public var path: String
  /// The mistake, as words that follow the path in a sentence.
  public var problem: String

  /// Creates an error.
  public init(path: String, problem: String) {
    self.path = path
    self.problem = problem
  }

  /// The error as one line.
  public var description: String { "`\(path)` \(problem)" }
}

/// Something in a config that decodes but probably is not meant.
public struct ConfigDiagnostic: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a diagnostic.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Two triggers have the same placement; the last one counts.
    case duplicateTrigger = "duplicate-trigger"
    /// A member that the format does not know.
    case unknownMember = "unknown-member"
    /// A member is present in both spellings.
    case ambiguousMember = "ambiguous-member"
    /// A value that the format does not know was replaced.
    case unknownValue = "unknown-value"
    /// An element was dropped because it does not decode.
    case droppedElement = "dropped-element"
    /// A weight that cannot be meant.
    case impossiblePercentage = "impossible-percentage"
    /// An audience has no variants, so a match is an error.
    case noVariants = "no-variants"
    /// The same experiment has different variants in two places.
    case conflictingExperiment = "conflicting-experiment"
    /// A limit that no audience can meet.
    case impossibleLimit = "impossible-limit"
    /// A filter does not compile; its audience cannot match.
    case invalidFilter = "invalid-filter"
    /// An audience after one that matches everyone without limit is never reached.
    case unreachableAudience = "unreachable-audience"
    /// A treatment names no paywall, or one that the config does not contain.
    case unknownPaywall = "unknown-paywall"
    /// A member that the reference requires is missing.
    case missingMember = "missing-member"
    /// A placement has the name of a built-in event and can never be registered.
    case reservedPlacement = "reserved-placement"
  }

  /// The kind.
  public var kind: Kind
  /// Where it is.
  public var path: String
  /// The message for a person.
  public var message: String

  /// Creates a diagnostic.
  public init(kind: Kind, path: String, message: String) {
    self.kind = kind
    self.path = path
    self.message = message
  }

  /// The diagnostic as one line.
  public var description: String { "warning[\(kind.rawValue)]: \(message) (at `\(path)`)" }
}
