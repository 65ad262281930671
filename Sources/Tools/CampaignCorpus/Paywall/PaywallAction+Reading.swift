import CampaignCore
import ExpressionEngine
import PaywallLogic

extension PaywallAction {
  /// The maximum depth of actions within actions.
  private static let maximumDepth = 16

  /// Reads a list of actions, such as
  /// `[{"callback": "validate_email", "onSuccess": [{"close": true}]}]`.
  static func list(_ value: Value, depth: Int = 0) throws(CaseProblem) -> [PaywallAction] {
    guard case .list(let elements) = value, depth < maximumDepth else {
      throw .input("actions are a list, within one another at most \(maximumDepth) times")
    }
    var actions: [PaywallAction] = []
    for element in elements {
      guard let members = element.objectValue else { throw .input("an action is an object") }
      actions.append(try PaywallAction(members, depth: depth))
    }
    return actions
  }

  private init(_ members: [String: Value], depth: Int) throws(CaseProblem) {
    func branch(_ name: String) throws(CaseProblem) -> [PaywallAction] {
      try members[name].map { value throws(CaseProblem) in
        try PaywallAction.list(value, depth: depth + 1)
      } ?? []
    }
    if let name = members["callback"]?.text {
      let behavior = members["behavior"]?.text ?? PaywallCallback.Behavior.blocking.rawValue
      self = .callback(
        name: name, try word(PaywallCallback.Behavior(rawValue: behavior), behavior),
        variables: members["variables"]?.objectValue, onSuccess: try branch("onSuccess"),
        onFailure: try branch("onFailure"))
    } else if let name = members["permission"]?.text {
      self = .requestPermission(
        try word(Permission(rawValue: name), name), onGranted: try branch("onGranted"),
        onDenied: try branch("onDenied"))
    } else if let name = members["custom"]?.text {
      self = .custom(name)
    } else if let attributes = members["setUserAttributes"]?.objectValue {
      self = .setUserAttributes(attributes.mapValues { $0 == .null ? nil : $0 })
    } else if let name = members["placement"]?.text {
      self = .customPlacement(name, parameters: members["params"]?.objectValue ?? [:])
    } else if let name = members["purchase"]?.text {
      self = .purchase(productName: name)
    } else if let url = members["openURL"]?.text {
      self = .openURL(url)
    } else if let url = members["openDeepLink"]?.text {
      self = .openDeepLink(url)
    } else if members["restore"] == true {
      self = .restore
    } else if members["requestReview"] == true {
      self = .requestReview
    } else if members["close"] == true {
      self = .close
    } else {
      throw .input("there is no action with \(members.keys.sorted().joined(separator: ", "))")
    }
  }
}
