// swift-tools-version: 6.3

import PackageDescription

// The smallest apps, as others write them: `benchmarks/size` measures what each product adds.
let package = Package(
  name: "swexpr-apps",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Without PCRE2, so that all code that is measured is Swift's.
    .package(name: "swexpr", path: "../..", traits: [])
  ],
  targets: [
    .executableTarget(name: "empty"),
    .executableTarget(
      name: "engine", dependencies: [.product(name: "ExpressionEngine", package: "swexpr")]),
    .executableTarget(
      name: "filters", dependencies: [.product(name: "AudienceFilters", package: "swexpr")]),
    .executableTarget(
      name: "paywall", dependencies: [.product(name: "PaywallLogic", package: "swexpr")]),
  ]
)
