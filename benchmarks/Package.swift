// swift-tools-version: 6.3

import PackageDescription

// A package of its own, so that nobody who uses the library builds the benchmarks.
let package = Package(
  name: "swexpr-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swexpr", path: "..")
  ],
  targets: [
    // The thirteen filters written by hand in C: what an evaluation costs when nothing is general.
    .target(name: "Floors"),
    // The same thirteen over Swift structs.
    .target(name: "SwiftFloor"),
    // Counts this thread's allocations by standing in front of malloc.
    .target(
      name: "AllocationCount",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // Marks in the instruction stream that valgrind's callgrind turns into separate counts.
    .target(name: "CallgrindMarks"),
    // Timing, statistics, tables and JSON. Knows neither the floors nor the engine.
    .target(name: "Harness", dependencies: ["AllocationCount", "CallgrindMarks"]),
    .target(
      name: "FloorSubjects", dependencies: ["Floors", "SwiftFloor", "Harness"]),
    .executableTarget(
      name: "swexpr-benchmarks",
      dependencies: [
        "AllocationCount", "FloorSubjects", "Harness",
        .product(name: "AudienceFilters", package: "swexpr"),
        .product(name: "CampaignMatcher", package: "swexpr"),
        .product(name: "CampaignStore", package: "swexpr"),
      ],
      path: "Sources/Benchmarks"),
    .testTarget(
      name: "HarnessTests",
      dependencies: ["FloorSubjects", "Harness", "AllocationCount"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .treatAllWarnings(as: .error),
    ]
}
