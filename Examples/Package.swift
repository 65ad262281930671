// swift-tools-version: 6.3

import PackageDescription

// A package of its own, as an app that embeds the library has one.
let package = Package(
  name: "swexpr-examples",
  platforms: [.macOS(.v15)],
  dependencies: [
    // An app writes `.package(url: …)` here.
    .package(name: "swexpr", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "forecast-app",
      dependencies: [
        .product(name: "AudienceFilters", package: "swexpr"),
        .product(name: "CampaignMatcher", package: "swexpr"),
        .product(name: "FilterAuthoring", package: "swexpr"),
        .product(name: "CampaignAnalysis", package: "swexpr"),
      ]),
    .executableTarget(
      name: "paywall-app",
      dependencies: [
        .product(name: "CampaignHost", package: "swexpr"),
        .product(name: "CampaignStore", package: "swexpr"),
        .product(name: "ExpressionEngine", package: "swexpr"),
      ]),
    .executableTarget(
      name: "match-server",
      dependencies: [
        .product(name: "AudienceFilters", package: "swexpr"),
        .product(name: "CampaignCore", package: "swexpr"),
        .product(name: "CampaignAnalysis", package: "swexpr"),
      ]),
  ]
)
