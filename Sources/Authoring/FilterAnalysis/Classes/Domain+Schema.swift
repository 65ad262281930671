import ExpressionEngine

extension Domain {
  /// Creates the domain of a source from the schema and the platform.
  ///
  /// - Parameter trustsSchema: Whether attributes that are not optional are always there, and a
  ///   text is one by its name.
  package init(
    _ source: Source, schema: AttributeSchema?, rules: HistoryRules, trustsSchema: Bool
  ) {
    self = .any
    if source.hasParent { kinds.insert(.parentMissing) }
    switch source.kind {
    case .history(let function, _):
      // Counts are there always; the time since an event that never happened is null, or zero.
      let isTime = HistoryFunctionInfo.named(function)?.isTime ?? false
      let mayBeNull = isTime && !rules.neverIsZero
      kinds = mayBeNull ? [.number, .null] : [.number]
      isWhole = true
      minimum = 0
      if !rules.countsWholeUnits {
        // The clock's fields, and not the time that has passed.
        maximum = ["minutesSince": 59, "hoursSince": 23][function]
      }
    case .legacyKey:
      kinds = [.number, .missing]
      isWhole = true
      minimum = 0
    case .attribute:
      if let attribute = schema?.attribute(at: source.path) {
        narrow(to: attribute, trustsSchema)
      } else if trustsSchema, schema?.typeByName(source.path) == .string {
        // `contains` finds a part of a text, and an element of a list.
        kinds.subtract([.list, .map])
      }
    }
  }

  private mutating func narrow(
    to attribute: AttributeSchema.Attribute, _ trustsSchema: Bool
  ) {
    var typed: Set<ValueClass.Kind>
    switch attribute.type {
    case .any: return
    case .bool: typed = [.bool]
    case .int, .number: typed = [.number]
    case .string: typed = [.text]
    case .list: typed = [.list]
    case .map: typed = [.map]
    }
    // Only the SDK sees to it that its attributes are there.
    let isSet =
      attribute.since != nil
      && (attribute.path.hasPrefix("device.") || attribute.path.hasPrefix("user."))
    if attribute.isOptional || !(isSet || trustsSchema) { typed.insert(.missing) }
    if kinds.contains(.parentMissing), typed.contains(.missing) { typed.insert(.parentMissing) }
    kinds = typed
    isWhole = attribute.type == .int
    minimum = attribute.minimum.map { Double($0) }
    maximum = attribute.maximum.map { Double($0) }
    if attribute.type == .string, !attribute.values.isEmpty {
      texts = attribute.values.map { $0.codePoints }
    }
    // Days, minutes and counts of the SDK are never negative.
    let name = attribute.path.split(separator: ".").last ?? ""
    let isCount = ["daysSince", "minutesSince", "total"].contains { name.hasPrefix($0) }
    if attribute.path.hasPrefix("device."), isCount, minimum == nil { minimum = 0 }
  }
}
