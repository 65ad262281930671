// swift-tools-version: 6.3

import PackageDescription

// A package of its own: libFuzzer needs instrumented builds of everything that it watches.
let package = Package(
  name: "swexpr-fuzz",
  platforms: [.macOS(.v15)],
  products: [
    // Not an executable, since the entry point is in libFuzzer; `fuzz/run` links the two.
    .library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"])
  ],
  dependencies: [
    .package(name: "swexpr", path: "..")
  ],
  targets: [
    .target(
      name: "FuzzTargets",
      dependencies: [
        .product(name: "AudienceFilters", package: "swexpr"),
        .product(name: "FilterAuthoring", package: "swexpr"),
        .product(name: "Superscript", package: "swexpr"),
        .product(name: "ExpressionEngine", package: "swexpr"),
        .product(name: "CampaignCore", package: "swexpr"),
        .product(name: "CampaignAnalysis", package: "swexpr"),
        .product(name: "CampaignHost", package: "swexpr"),
        .product(name: "PaywallLogic", package: "swexpr"),
        .product(name: "CSwexprStatic", package: "swexpr"),
        .product(name: "FilterSQL", package: "swexpr"),
        .product(name: "CampaignStore", package: "swexpr"),
        .product(name: "_Internals", package: "swexpr"),
        "CFuzzer", "CSQLite",
      ]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // Declares what libFuzzer has for targets.
    .target(name: "CFuzzer"),
  ]
)

// The rules of the library.
for target in package.targets where target.name == "FuzzTargets" {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .treatAllWarnings(as: .error),
    ]
}
