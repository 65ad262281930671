// swift-tools-version: 6.3

import PackageDescription

// A package of its own, because only this server needs a server framework.
let package = Package(
  name: "swexpr-openfeature",
  platforms: [.macOS(.v15)],
  products: [.library(name: "CampaignFlags", targets: ["CampaignFlags"])],
  dependencies: [
    .package(name: "swexpr", path: "..", traits: []),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // Flags of a campaign config in the terms of OpenFeature, from JSON to JSON, without a server.
    .target(
      name: "CampaignFlags",
      dependencies: [
        .product(name: "AudienceFilters", package: "swexpr"),
        .product(name: "CampaignCore", package: "swexpr"),
      ]),
    .executableTarget(
      name: "openfeature-server",
      dependencies: [
        "CampaignFlags",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    .testTarget(name: "CampaignFlagsTests", dependencies: ["CampaignFlags"]),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
  ]
}
