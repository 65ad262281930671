package import ExpressionEngine

// The context that filters see in a registration is put together here, for the matcher and for
// simulations alike (docs/spec/campaigns.md §6).

extension UserIdentity {
  /// The attributes of `user` that the matcher itself gives (§6.3).
  func userAttributes(_ installation: Installation) -> [String: Value] {
    var user: [String: Value] = [
      "aliasId": .string(aliasID), "seed": .int(seed), "isLoggedIn": .bool(userID != nil),
    ]
    if let userID { user["appUserId"] = .string(userID) }
    if let installedAt = installation.installedAt {
      user["applicationInstalledAt"] = .string(installedAt.description)
    }
    return user
  }
}

extension AttributeSanitizer {
  /// Attributes as filters see them.
  package func contextValues(_ values: [String: Value]) -> [String: Value] {
    values.mapValues { contextValue($0) }
  }

  /// Attributes under those that hold for one request only.
  func merged(_ attributes: [String: Value], under request: [String: Value]) -> [String: Value] {
    request.isEmpty ? attributes : attributes.merging(contextValues(request)) { _, new in new }
  }

  /// The parameters that a filter sees as `params` (§6.6): those of the placement, which win, and the
  /// standard ones.
  ///
  /// - Parameter names: Only these are made; `nil` makes all.
  func parameters(
    of request: MatchRequest, sessionID: String, names: [String]?
  ) -> [String: Value] {
    // All assignments are confirmed without any parameter (§2.9).
    guard request.kind != .confirmAllAssignments else { return [:] }
    let standard = StandardParameters(request, sessionID: sessionID)
    var parameters: [String: Value] = [:]
    if let names {
      parameters.reserveCapacity(names.count)
      for name in names { parameters[name] = value(name, of: request, standard) }
      return parameters
    }
    let copies = StandardParameters.copies(of: request)
    parameters.reserveCapacity(
      request.parameters.count + copies.count + StandardParameters.names.count)
    for name in StandardParameters.names { parameters[name] = standard.value(name) }
    for name in copies { parameters[name] = value(name, of: request, standard) }
    for (name, value) in request.parameters {
      if let value = parameter(name, value) { parameters[name] = value }
    }
    return parameters
  }

  /// Returns the value that a filter sees under one name.
  private func value(
    _ name: String, of request: MatchRequest, _ standard: StandardParameters
  ) -> Value? {
    if let own = request.parameters[name], let value = parameter(name, own) { return value }
    if let value = standard.value(name) { return value }
    return StandardParameters.original(of: name, in: request)
      .flatMap { parameter(String(name.dropFirst()), $0) }
  }

  /// Returns the value that a filter sees of one parameter.
  private func parameter(_ name: String, _ value: Value) -> Value? {
    placementParameter(name, value).map { contextValue($0) }
  }

  /// Whether a number that is not finite would reach the context, so that no filter is true (§6.6). At
  /// the top level of an app's own parameters such a number is dropped before.
  func failsEveryFilter(_ request: MatchRequest) -> Bool {
    guard options.failsOnNonFiniteParameters else { return false }
    return request.parameters.values.contains { value in
      if case .double = value, !request.isStandardEvent { return false }
      return AttributeSanitizer.containsNonFinite(value)
    }
  }
}

extension BuiltInEvent {
  /// Whether a placement has its parameters from the matcher, and not from the app.
  package static func isStandard(_ placement: String) -> Bool {
    BuiltInEvent(named: placement) != nil
  }
}
