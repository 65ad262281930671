import FilterCorpus

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The shared documents beside the repository, which tests use when they are there.
enum SharedData {
  /// The folder: `SWEXPR_SHARED`, or `../shared` seen from the root of the repository.
  static let folder: String = {
    if let path = getenv("SWEXPR_SHARED") { return String(cString: path) }
    return "\(repository)/../shared"
  }()

  /// The root of the repository.
  static let repository: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()

  static let conformanceNames = [
    "superscript-open.jsonl", "superscript-crashes.jsonl", "superscript-definitions-open.jsonl",
    "cel-open.jsonl",
  ]

  /// The text of a conformance file; `nil` if it is not there.
  static func conformance(_ name: String) -> String? {
    try? TextFile.read("\(folder)/conformance/\(name)")
  }

  static var isPresent: Bool { conformance(conformanceNames[0]) != nil }
}
