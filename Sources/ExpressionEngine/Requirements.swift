/// What a filter asks of its surroundings, so that a caller can fetch it beforehand.
public struct Requirements: Sendable, Hashable {
  /// An attribute that the filter reads.
  public struct Attribute: Sendable, Hashable {
    /// `user`, `device` or `params`; `nil` for a variable of its own.
    public let root: String?
    /// The name under the root, or of the variable.
    public let name: String

    /// Creates an attribute path.
    package init(root: String?, name: String) {
      self.root = root
      self.name = name
    }

    /// The attribute as it is written in a filter.
    public var path: String { root.map { "\($0).\(name)" } ?? name }
  }

  /// A call of a host function.
  public struct HostCall: Sendable, Hashable {
    /// The table of the function: `device` or `computed`.
    public let table: String
    /// The function's name.
    public let name: String
    /// The arguments, when all of them are literals; `nil` when one has to be computed.
    public let arguments: [Value]?

    /// Creates the description of a call.
    package init(table: String, name: String, arguments: [Value]?) {
      self.table = table
      self.name = name
      self.arguments = arguments
    }
  }

  /// The attributes, each once, in source order.
  public let attributes: [Attribute]
  /// The host calls, in source order.
  public let hostCalls: [HostCall]

  /// Creates requirements.
  package init(attributes: [Attribute], hostCalls: [HostCall]) {
    self.attributes = attributes
    self.hostCalls = hostCalls
  }
}
