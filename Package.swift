// swift-tools-version: 6.3

import CompilerPluginSupport
import PackageDescription

// What the macro `#filter` needs, if the trait asks for it.
let syntaxProducts: [Target.Dependency] = [
  "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftSyntaxMacroExpansion",
  "SwiftParser", "SwiftDiagnostics", "SwiftCompilerPlugin",
].map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }

let package = Package(
  name: "swexpr",
  platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v7), .visionOS(.v1)],
  products: [
    .library(name: "AudienceFilters", targets: ["AudienceFilters"]),
    // Checking and explaining filters, for those who write them.
    .library(name: "FilterAuthoring", targets: ["FilterAnalysis", "FilterAuthoring"]),
    .library(name: "Superscript", targets: ["Superscript"]),
    // The macro `#filter`; needs the trait `Macros`.
    .library(name: "FilterMacros", targets: ["FilterMacros"]),
    // Compiling and evaluating only, for executables whose size matters.
    .library(name: "ExpressionEngine", targets: ["ExpressionSyntax", "ExpressionEngine"]),
    .library(name: "CampaignCore", targets: ["CampaignCore"]),
    .library(name: "CampaignMatcher", targets: ["CampaignCore", "CampaignMatcher"]),
    .library(name: "CampaignStore", targets: ["CampaignCore", "CampaignMatcher", "CampaignStore"]),
    .library(name: "CampaignSource", targets: ["CampaignSource"]),
    .library(name: "PaywallLogic", targets: ["CampaignCore", "PaywallLogic"]),
    .library(
      name: "CampaignHost",
      targets: ["CampaignCore", "CampaignMatcher", "PaywallLogic", "CampaignHost"]),
    .library(name: "CampaignAnalysis", targets: ["CampaignAnalysis"]),
    .library(name: "FilterSQL", targets: ["FilterSQL"]),
    .library(name: "ArrowColumns", targets: ["ArrowColumns"]),
    // The C interface: a shared library, and one to link statically.
    .library(name: "CSwexpr", type: .dynamic, targets: ["CInterface", "CSwexpr"]),
    .library(name: "CSwexprStatic", type: .static, targets: ["CInterface", "CSwexpr"]),
    .executable(name: "swexpr", targets: ["swexpr"]),
    // For the nested packages of this repository; their interfaces are no promise.
    .library(name: "_Internals", targets: ["FilterCorpus", "CampaignCorpus", "LanguageServer"]),
  ],
  traits: [
    .trait(name: "PCRE2", description: "Speeds up regular expressions on Linux."),
    .trait(name: "Store", description: "The product CampaignStore, which needs GRDB and SQLite."),
    .trait(name: "Tool", description: "The tool swexpr, which needs ArgumentParser."),
    .trait(name: "Macros", description: "The macro #filter, which needs swift-syntax."),
    .default(enabledTraits: ["PCRE2", "Store", "Tool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    .systemLibrary(
      name: "CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"])]),

    .target(name: "ExpressionSyntax"),
    .target(name: "LinearRegex"),
    .target(name: "CAtomicWords"),
    .target(
      name: "ExpressionEngine",
      dependencies: [
        "ExpressionSyntax", "LinearRegex", "CAtomicWords",
        .target(
          name: "CPCRE2", condition: .when(platforms: [.linux], traits: ["PCRE2"])),
      ]),
    .target(
      name: "ExpressionCoding", dependencies: ["ExpressionSyntax", "ExpressionEngine"]),
    .target(
      name: "ExpressionPrinting",
      dependencies: ["ExpressionSyntax", "ExpressionEngine", "ExpressionCoding"]),
    .target(name: "ExpressionChecking", dependencies: ["ExpressionSyntax", "ExpressionEngine"]),
    .target(
      name: "AudienceFilters",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
      ]),
    // The one reading of a filter: schema, conditions, classes of values, sets of users, proofs.
    .target(
      name: "FilterAnalysis",
      dependencies: ["LinearRegex", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding"]),
    // What a person who writes filters needs: all findings about a filter, and explanations.
    .target(
      name: "FilterAuthoring",
      dependencies: [
        "LinearRegex", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding",
        "ExpressionPrinting",
        "ExpressionChecking", "FilterAnalysis",
      ]),
    // The JSON interface of the reference evaluator.
    .target(
      name: "Superscript",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
      ]),
    // Decides what a placement leads to, without side effects.
    .target(
      name: "CampaignCore",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "AudienceFilters",
      ]),
    // Remembers a user and carries the decisions out.
    .target(
      name: "CampaignMatcher",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "AudienceFilters",
        "CampaignCore",
      ]),
    // Gets configs from a file and from the app's server.
    .target(
      name: "CampaignSource",
      dependencies: [
        "ExpressionEngine", "ExpressionCoding", "AudienceFilters", "CampaignCore",
        "CampaignMatcher",
      ]),
    .target(
      name: "CampaignStore",
      dependencies: [
        "ExpressionEngine", "ExpressionCoding", "CampaignCore", "CampaignMatcher",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Store"])),
      ]),
    // Runs the cases of corpus/campaigns and corpus/paywall; for the tool and for tests.
    .target(
      name: "CampaignCorpus",
      dependencies: [
        "ExpressionEngine", "ExpressionCoding", "CampaignCore",
        "CampaignMatcher", "CampaignAnalysis", "PaywallLogic", "CampaignHost",
      ]),
    // What an author sees in an editor: completion, hover, tokens, fixes; one filter at a time.
    .target(
      name: "LanguageService",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "ExpressionChecking", "FilterAnalysis", "FilterAuthoring",
      ]),
    // The Language Server Protocol over documents of filters and campaign configs, without I/O.
    .target(
      name: "LanguageServer",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "ExpressionChecking", "AudienceFilters", "FilterAnalysis", "FilterAuthoring",
        "CampaignCore", "CampaignAnalysis", "LanguageService",
      ]),
    // Tables of the Arrow C data interface as columns of attributes.
    .target(name: "CArrow"),
    .target(
      name: "ArrowColumns", dependencies: ["CArrow", "ExpressionEngine", "ExpressionCoding"]),
    // The header `swexpr.h`, and the functions that it declares.
    .target(name: "CSwexpr"),
    .target(
      name: "CInterface",
      dependencies: [
        "CSwexpr", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "AudienceFilters", "FilterAnalysis", "FilterAuthoring", "Superscript", "CArrow",
        "ArrowColumns", "CampaignCore", "CampaignMatcher", "CampaignAnalysis",
      ]),
    // Decides what follows a decision, without side effects.
    .target(
      name: "PaywallLogic", dependencies: ["ExpressionEngine", "ExpressionCoding", "CampaignCore"]),
    // Joins matcher and paywall logic for an SDK, which presents and sells.
    .target(
      name: "CampaignHost",
      dependencies: [
        "ExpressionEngine", "CampaignCore", "CampaignMatcher", "PaywallLogic",
      ]),
    .target(
      name: "CampaignAnalysis",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "AudienceFilters",
        "FilterAnalysis", "FilterAuthoring", "CampaignCore", "CampaignMatcher",
      ]),
    .target(
      name: "FilterCorpus",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "ExpressionChecking", "AudienceFilters", "FilterAnalysis", "FilterAuthoring",
        "Superscript",
      ]),
    .target(
      name: "FilterSQL",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "FilterAnalysis",
      ]),
    // Counts allocations by standing in front of malloc; only the tool and tests link it. The
    // sources are the benchmarks', whose package depends on this one, so that the name must be
    // another.
    .target(
      name: "CAllocationCount", path: "benchmarks/Sources/AllocationCount",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // The cost of evaluations, and of workloads of many filters.
    .target(
      name: "Measuring", dependencies: ["ExpressionEngine", "AudienceFilters", "CAllocationCount"]),
    // The results of all audiences for some users, as a table.
    .target(
      name: "AudienceTable",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "CampaignCore", "CampaignMatcher",
      ]),
    // `make demo`: that table with little else, so that it is built in two minutes.
    .executableTarget(
      name: "demo",
      dependencies: [
        "ExpressionEngine", "ExpressionCoding", "CampaignCore", "CampaignMatcher", "AudienceTable",
      ]),
    // Editing of a line in a terminal: keys in, output out, without I/O.
    .target(name: "LineEditing", dependencies: ["ExpressionEngine", "ExpressionPrinting"]),
    .executableTarget(
      name: "swexpr",
      dependencies: [
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "AudienceFilters", "CampaignCore", "CampaignMatcher", "CampaignStore", "CampaignCorpus",
        "CampaignAnalysis", "FilterSQL",
        "FilterAnalysis", "FilterAuthoring", "Superscript", "FilterCorpus", "LanguageService",
        "LanguageServer", "Measuring", "LineEditing", "AudienceTable",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tool"])),
      ]),

    // Checks the literals of `#filter`; the compiler runs it. Without the trait it is empty.
    .macro(
      name: "FilterMacroPlugin",
      dependencies: [
        .target(name: "ExpressionSyntax", condition: .when(traits: ["Macros"])),
        .target(name: "ExpressionEngine", condition: .when(traits: ["Macros"])),
        .target(name: "ExpressionPrinting", condition: .when(traits: ["Macros"])),
        .target(name: "FilterAnalysis", condition: .when(traits: ["Macros"])),
        .target(name: "FilterAuthoring", condition: .when(traits: ["Macros"])),
      ] + syntaxProducts),
    .target(
      name: "FilterMacros",
      dependencies: [
        "FilterMacroPlugin", "ExpressionSyntax", "AudienceFilters",
      ]),

    // What several suites share: files, random numbers, the round trip through print and layout.
    .target(
      name: "TestSupport",
      dependencies: ["ExpressionSyntax", "ExpressionEngine", "ExpressionPrinting"],
      path: "Tests/TestSupport"),
    .testTarget(
      name: "ExpressionCodingTests",
      dependencies: ["TestSupport", "ExpressionEngine", "ExpressionCoding"]),
    .testTarget(
      name: "ExpressionPrintingTests",
      dependencies: ["TestSupport", "ExpressionSyntax", "ExpressionPrinting"]),
    .testTarget(
      name: "ExpressionCheckingTests",
      dependencies: [
        "TestSupport", "ExpressionSyntax", "ExpressionEngine", "ExpressionPrinting",
        "ExpressionChecking",
      ]),
    .testTarget(
      name: "CampaignCoreTests",
      dependencies: [
        "TestSupport", "ExpressionEngine", "AudienceFilters", "CampaignCore",
      ]),
    .testTarget(
      name: "ExpressionSyntaxTests",
      dependencies: [
        "TestSupport", "ExpressionSyntax", "ExpressionEngine", "ExpressionPrinting",
      ]),
    .testTarget(
      name: "LinearRegexTests",
      dependencies: [
        "TestSupport",
        "LinearRegex",
        .target(
          name: "CPCRE2", condition: .when(platforms: [.linux], traits: ["PCRE2"])),
      ]),
    .testTarget(
      name: "ExpressionEngineTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring", "Superscript",
        "TestSupport",
        "LinearRegex", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding",
        "ExpressionPrinting",
        "ExpressionChecking",
        "AudienceFilters", "FilterCorpus",
      ]),
    .testTarget(
      name: "AudienceFiltersTests",
      dependencies: [
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "AudienceFilters", "FilterAnalysis", "FilterAuthoring", "FilterCorpus", "CAllocationCount",
      ]),
    .testTarget(
      name: "FilterAnalysisTests",
      dependencies: [
        "TestSupport", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding",
        "AudienceFilters", "FilterAnalysis", "FilterAuthoring",
      ]),
    .testTarget(
      name: "FilterAuthoringTests",
      dependencies: [
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "AudienceFilters", "FilterAnalysis", "FilterAuthoring", "FilterCorpus",
      ]),
    .testTarget(
      name: "SuperscriptTests",
      dependencies: [
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "AudienceFilters",
        "Superscript", "FilterCorpus",
      ]),
    .testTarget(
      name: "FilterCorpusTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring", "Superscript",
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "AudienceFilters",
        "FilterCorpus",
      ]),
    .testTarget(
      name: "CampaignMatcherTests",
      dependencies: [
        "CampaignAnalysis",
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "AudienceFilters",
        "CampaignCore", "CampaignMatcher",
      ]),
    .testTarget(
      name: "CampaignSourceTests",
      dependencies: ["TestSupport", "ExpressionEngine", "CampaignSource"]),
    .testTarget(
      name: "CampaignStoreTests",
      dependencies: [
        "TestSupport",
        "ExpressionEngine", "ExpressionCoding", "AudienceFilters", "CampaignCore",
        "CampaignMatcher", "CampaignStore",
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Store"])),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["Store"])),
      ]),
    .testTarget(name: "LineEditingTests", dependencies: ["TestSupport", "LineEditing"]),
    .testTarget(
      name: "CampaignCorpusTests",
      dependencies: [
        "TestSupport", "CampaignCore", "CampaignMatcher", "CampaignStore", "CampaignCorpus",
      ]),
    .testTarget(
      name: "CInterfaceTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring", "Superscript",
        "TestSupport",
        "CSwexpr", "CInterface", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding",
        "ExpressionPrinting", "CArrow", "ArrowColumns",
        "AudienceFilters", "FilterCorpus",
      ]),
    .testTarget(
      name: "PaywallLogicTests",
      dependencies: [
        "TestSupport",
        "ExpressionEngine", "ExpressionCoding", "AudienceFilters", "CampaignCore", "PaywallLogic",
        "CampaignCorpus",
      ]),
    .testTarget(
      name: "CampaignHostTests",
      dependencies: [
        "TestSupport",
        "ExpressionEngine", "ExpressionCoding", "AudienceFilters", "CampaignCore",
        "CampaignMatcher", "CampaignStore", "PaywallLogic", "CampaignHost", "CampaignCorpus",
      ]),
    .testTarget(
      name: "CampaignAnalysisTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring",
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "AudienceFilters",
        "CampaignCore", "CampaignMatcher", "CampaignAnalysis", "FilterCorpus",
      ],
      exclude: ["Reports"]),
    .testTarget(
      name: "FilterSQLTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring",
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "AudienceFilters",
        "CampaignCore", "FilterCorpus", "FilterSQL",
      ]),
    .testTarget(
      name: "LanguageServiceTests",
      dependencies: [
        "TestSupport", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "FilterAnalysis",
        "FilterCorpus", "LanguageService",
      ]),
    .testTarget(
      name: "LanguageServerTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring",
        "TestSupport",
        "CInterface", "CSwexpr", "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding",
        "ExpressionPrinting",
        "ExpressionChecking", "AudienceFilters", "CampaignAnalysis", "FilterCorpus",
        "LanguageService", "LanguageServer", "swexpr",
      ]),
    .testTarget(
      name: "SwexprTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring", "Superscript",
        "TestSupport",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "FilterCorpus", "swexpr",
      ]),
    // Without the trait no test depends on a macro: SwiftPM would build all tests, and what they
    // use, a second time, for the compiler.
    .testTarget(
      name: "FilterMacroTests",
      dependencies: [
        .target(name: "FilterMacros", condition: .when(traits: ["Macros"])),
        .target(name: "FilterMacroPlugin", condition: .when(traits: ["Macros"])),
        "AudienceFilters",
      ] + syntaxProducts,
      exclude: ["schema.json"]),
    // The Swift of the documentation, compiled as by an app: one import for each product, no access
    // to the package. The suites are on the main actor, since the macros of Swift Testing do not
    // compile with it as the default isolation.
    .testTarget(
      name: "SnippetTests",
      dependencies: [
        "AudienceFilters", "FilterAuthoring", "Superscript", "ExpressionEngine", "CampaignCore",
        "CampaignMatcher", "CampaignSource", "CampaignStore", "PaywallLogic", "CampaignHost",
        "CampaignAnalysis", "FilterSQL",
        .target(name: "FilterMacros", condition: .when(traits: ["Macros"])),
      ],
      path: "Tests/DocumentationTests/Snippets", packageAccess: false),
    // Every block of code in the documentation, compiled or run.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "FilterAnalysis", "FilterAuthoring", "Superscript",
        "ExpressionSyntax", "ExpressionEngine", "ExpressionCoding", "ExpressionPrinting",
        "TestSupport",
        "AudienceFilters", "CampaignCore", "CampaignMatcher", "CampaignSource", "CampaignStore",
        "PaywallLogic", "CampaignHost", "CampaignCorpus", "swexpr",
      ],
      exclude: ["Snippets"]),
  ]
)

// The house: the wings of `Sources`, and the modules in each. Everything stands on the engine. What
// an app links and what a person who writes filters needs never import each other;
// `scripts/check-arrows` holds every import to this table and to the dependencies above.
let wings = [
  "Engine": [
    "ExpressionSyntax", "LinearRegex", "CPCRE2", "CAtomicWords", "ExpressionEngine",
    "ExpressionCoding", "ExpressionPrinting",
  ],
  "Runtime": [
    "AudienceFilters", "CampaignCore", "CampaignMatcher", "CampaignSource", "CampaignStore",
    "PaywallLogic", "CampaignHost",
  ],
  "Authoring": ["ExpressionChecking", "FilterAnalysis", "FilterAuthoring", "LanguageService"],
  "Campaigns": ["CampaignAnalysis"],
  "Warehouse": ["FilterSQL", "CArrow", "ArrowColumns"],
  "Interfaces": [
    "Superscript", "CSwexpr", "CInterface", "LanguageServer", "FilterMacroPlugin", "FilterMacros",
  ],
  "Tools": [
    "LineEditing", "Measuring", "AudienceTable", "FilterCorpus", "CampaignCorpus", "demo", "swexpr",
  ],
]
for (wing, modules) in wings {
  for target in package.targets where modules.contains(target.name) {
    target.path = "Sources/\(wing)/\(target.name)"
  }
}

// Modules whose speed is seldom noticed are compiled for size.
let small = [
  "ExpressionCoding", "ExpressionPrinting", "AudienceFilters", "PaywallLogic",
]
for target in package.targets where small.contains(target.name) {
  target.swiftSettings = [.unsafeFlags(["-Osize"], .when(configuration: .release))]
}

// Tests evaluate millions of filters: `make` runs them on optimised code, whose assertions stay.
if Context.environment["SWEXPR_OPTIMIZE_TESTS"] != nil {
  let evaluating = [
    "ExpressionSyntax", "LinearRegex", "ExpressionEngine", "ExpressionCoding",
    "ExpressionPrinting", "ExpressionChecking", "FilterAnalysis", "FilterSQL", "FilterCorpus",
  ]
  for target in package.targets where evaluating.contains(target.name) {
    target.swiftSettings =
      (target.swiftSettings ?? []) + [
        .unsafeFlags(
          ["-O", "-disable-batch-mode", "-wmo", "-num-threads", "2", "-assert-config", "Debug"],
          .when(configuration: .debug))
      ]
  }
}

// Lets the linker leave out what a program does not use; otherwise Swift keeps everything public.
// The linkers of Apple's platforms need no flags for that.
let removable = SwiftSetting.unsafeFlags(
  ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
  .when(platforms: [.linux, .android], configuration: .release))

// One set of rules for every Swift target: language mode 6, spelled-out imports, no warnings.
for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .swiftLanguageMode(.v6),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .treatAllWarnings(as: .error),
      removable,
    ]
}

// The documentation plugin is fetched only where documentation is hosted, SWEXPR_DOCC=1 or the
// Swift Package Index; `make docs` does without it.
if ["SWEXPR_DOCC", "SPI_BUILDER"].contains(where: { Context.environment[$0] != nil }) {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
