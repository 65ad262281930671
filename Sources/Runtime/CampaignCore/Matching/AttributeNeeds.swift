import AudienceFilters
import ExpressionEngine

/// The attributes that the filters of a placement read, so that only these are made for them.
struct AttributeNeeds {
  /// The derived attributes; all of them when a filter reads `device` as a whole.
  private(set) var derived: Set<DerivedAttribute> = []
  /// Whether a filter asks the event history.
  private(set) var asksHistory = false
  private var parameters: Set<String>? = []
  private var device: Set<String>? = []
  private var user: Set<String>? = []

  /// The parameters in order; `nil` when a filter reads `params` as a whole.
  var parameterNames: [String]? { parameters?.sorted() }
  /// The device attributes in order; `nil` when a filter reads `device` as a whole.
  var deviceNames: [String]? { device?.sorted() }

  /// The user attributes in order; `nil` when a filter reads `user` as a whole.
  var userNames: [String]? { user?.sorted() }

  /// Adds what a filter reads.
  mutating func add(_ requirements: Requirements) {
    if !requirements.hostCalls.isEmpty { asksHistory = true }
    for attribute in requirements.attributes {
      switch (attribute.root, attribute.name) {
      case ("params", let name): parameters?.insert(name)
      case (nil, "params"): parameters = nil
      case (nil, "device"):
        device = nil
        derived = Set(DerivedAttribute.allCases)
      case ("device", let name):
        device?.insert(name)
        if let attribute = DerivedAttribute(name: name) { derived.insert(attribute) }
      case ("user", let name): user?.insert(name)
      case (nil, "user"): user = nil
      default: break
      }
    }
  }
}
