extension AttributeSchema {
  /// The vocabulary of the paywall SDKs: every `device.*`, `user.*` and `params.*` attribute that
  /// they set themselves, on iOS and Android.
  ///
  /// It does not close any root: apps add their own attributes under `user` and `params`, and the
  /// server can add some under `device`. Only names that are close to one of these count as
  /// misspelled.
  public static let builtIn: AttributeSchema = {
    var schema = AttributeSchema(deviceAttributes + userAttributes + paramsAttributes)
    for name in [
      "minutesSince", "hoursSince", "daysSince", "monthsSince", "yearsSince", "placementsInHour",
      "placementsInDay", "placementsInWeek", "placementsInMonth", "placementsSinceInstall",
    ] {
      schema.hostFunctions["device.\(name)"] = .int
      schema.hostFunctions["computed.\(name)"] = .int
    }
    return schema
  }()
}

extension [String] {
  /// The platforms of attributes that only Apple's SDK sends.
  static let apple = ["ios", "macos"]
  /// The platforms of attributes that only Android's SDK sends.
  static let android = ["android"]
}
