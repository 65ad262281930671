extension AttributeSchema {
  /// The vocabulary of the paywall SDKs: every `device.*`, `user.*` and `params.*` attribute that
  /// they set themselves, on iOS and Android.
  ///
  /// It closes `device`, so that any other name there is unknown: only the SDKs write it. Apps add
  /// their own attributes under `user` and `params`; there only names that are close to one of
  /// these count as misspelled. Remove `device` from ``closedRoots`` if your server adds
  /// attributes.
  public static let builtIn: AttributeSchema = {
    var schema = AttributeSchema(deviceAttributes + userAttributes + paramsAttributes)
    for function in HistoryFunctionInfo.all {
      let name = function.name
      schema.hostFunctions["device.\(name)"] = .int
      schema.hostFunctions["computed.\(name)"] = .int
    }
    schema.closedRoots = ["device"]
    return schema
  }()
}

extension [String] {
  /// The platforms of attributes that only Apple's SDK sends.
  static let apple = ["ios", "macos"]
  /// The platforms of attributes that only Android's SDK sends.
  static let android = ["android"]
}
