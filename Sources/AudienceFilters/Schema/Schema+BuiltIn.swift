extension Schema {
  /// The vocabulary of the paywall SDKs: every `device.*`, `user.*` and `params.*` attribute that they
  /// send by themselves, on iOS and Android.
  ///
  /// `device` is complete: an attribute that is not listed does not exist. Under `user` and `params`
  /// apps add their own.
  public static let builtIn: Schema = {
    var schema = Schema(deviceAttributes + userAttributes + paramsAttributes)
    schema.closedRoots = ["device"]
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
  /// What Apple's SDK alone sends.
  static let apple = ["ios", "macos"]
  /// What Android's SDK alone sends.
  static let android = ["android"]
}
