/// The attributes and host functions that a filter uses, so that a caller can fetch them in
/// advance.
public struct Requirements: Sendable, Hashable {
  /// An attribute that the filter reads.
  public struct Attribute: Sendable, Hashable {
    /// `user`, `device` or `params`, or `nil` for another variable.
    public let root: String?
    /// The name under the root, or of the variable.
    public let name: String

    /// Creates an attribute path.
    package init(root: String?, name: String) {
      self.root = root
      self.name = name
    }

    /// The attribute as written in a filter.
    public var path: String { root.map { "\($0).\(name)" } ?? name }
  }

  /// A call of a host function.
  public struct HostCall: Sendable, Hashable {
    /// The table of the function: `device` or `computed`; empty for a function that was added to
    /// the environment.
    public let table: String
    /// The function's name.
    public let name: String
    /// The arguments, if all of them are literals; otherwise `nil`.
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
