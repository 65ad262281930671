// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

// A package of its own, so that only who uses the macro builds swift-syntax.
let package = Package(
  name: "swexpr-macros",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FilterMacros", targets: ["FilterMacros"])
  ],
  dependencies: [
    .package(name: "swexpr", path: ".."),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    // Checks the literals; the compiler runs it.
    .macro(
      name: "FilterMacroPlugin",
      dependencies: [
        .product(name: "AudienceFilters", package: "swexpr"),
        .product(name: "FilterAuthoring", package: "swexpr"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ]),
    .target(
      name: "FilterMacros",
      dependencies: [
        "FilterMacroPlugin", .product(name: "AudienceFilters", package: "swexpr"),
        // With the module that the names of dialects are in.
        .product(name: "ExpressionEngine", package: "swexpr"),
      ]),
    .testTarget(
      name: "FilterMacroTests",
      dependencies: [
        "FilterMacros", "FilterMacroPlugin",
        .product(name: "AudienceFilters", package: "swexpr"),
        .product(name: "FilterAuthoring", package: "swexpr"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
      ],
      exclude: ["schema.json"]),
  ]
)

// The rules of the library, but that `AudienceFilters` is imported for its modules, as by an app.
for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .treatAllWarnings(as: .error),
    ]
}
