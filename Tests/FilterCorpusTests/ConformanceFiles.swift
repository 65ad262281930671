import TestSupport

/// The shared conformance data, which tests use when it is there.
enum ConformanceFiles {
  static let names = [
    "superscript-open.jsonl", "superscript-crashes.jsonl", "superscript-definitions-open.jsonl",
    "cel-open.jsonl",
  ]

  /// The text of a file; `nil` if it is not there.
  static func text(_ name: String) -> String? { TestFiles.sharedText("conformance/\(name)") }

  static var arePresent: Bool { TestFiles.sharedPath("conformance/\(names[0])") != nil }
}
