// The vocabulary of the paywall SDKs, one attribute per row.

extension AttributeSchema {
  /// The SDK's attributes of the user; all others under `user` are the app's own.
  static let userAttributes: [Attribute] = [
    .init("user.aliasId", .string, summary: "the anonymous id", since: "3.0.0"),
    .init(
      "user.appUserId", .string, summary: "the identified user", isOptional: true, since: "3.0.0"),
    .init(
      "user.seed", .int, unit: .points,
      summary: "a random number from 0 to 99 that stays with the user",
      since: "3.2.0", example: "42", minimum: 0, maximum: 99),
    .init(
      "user.applicationInstalledAt", .string, format: .dateTime,
      summary: "when the app was installed"),
    .init("user.isLoggedIn", .bool, summary: "whether the user is identified", since: "3.0.0"),
    .init(
      "user.acquisition_*", .string, summary: "where the install came from", isOptional: true,
      since: "3.12.0"),
    .init("user.adjustId", .string, summary: "an id of another service", isOptional: true),
    .init("user.amplitudeDeviceId", .string, summary: "an id of another service", isOptional: true),
    .init("user.amplitudeUserId", .string, summary: "an id of another service", isOptional: true),
    .init("user.appsflyerId", .string, summary: "an id of another service", isOptional: true),
    .init("user.brazeAliasName", .string, summary: "an id of another service", isOptional: true),
    .init("user.brazeAliasLabel", .string, summary: "an id of another service", isOptional: true),
    .init("user.onesignalId", .string, summary: "an id of another service", isOptional: true),
    .init("user.fbAnonId", .string, summary: "an id of another service", isOptional: true),
    .init(
      "user.firebaseAppInstanceId", .string, summary: "an id of another service", isOptional: true),
    .init(
      "user.firebaseInstallationId", .string, summary: "an id of another service", isOptional: true),
    .init("user.iterableUserId", .string, summary: "an id of another service", isOptional: true),
    .init(
      "user.iterableCampaignId", .string, summary: "an id of another service", isOptional: true),
    .init(
      "user.iterableTemplateId", .string, summary: "an id of another service", isOptional: true),
    .init(
      "user.mixpanelDistinctId", .string, summary: "an id of another service", isOptional: true),
    .init("user.mparticleId", .string, summary: "an id of another service", isOptional: true),
    .init("user.clevertapId", .string, summary: "an id of another service", isOptional: true),
    .init("user.airshipChannelId", .string, summary: "an id of another service", isOptional: true),
    .init("user.kochavaDeviceId", .string, summary: "an id of another service", isOptional: true),
    .init("user.tenjinId", .string, summary: "an id of another service", isOptional: true),
    .init("user.posthogUserId", .string, summary: "an id of another service", isOptional: true),
    .init("user.customerioId", .string, summary: "an id of another service", isOptional: true),
    .init("user.appstackId", .string, summary: "an id of another service", isOptional: true),
    .init("user.singularDeviceId", .string, summary: "an id of another service", isOptional: true),
  ]
}
