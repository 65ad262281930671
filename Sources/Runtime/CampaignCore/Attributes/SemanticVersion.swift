public import ExpressionEngine

/// A version of Semantic Versioning 2.0.0, ordered by its precedence rules.
///
/// Beside the strict form, common variations are read: a leading `v`, and missing components, which
/// count as zero. Components may have any number of digits.
public struct SemanticVersion: Sendable, Comparable {
  /// One dot-separated piece of a pre-release.
  private enum Identifier: Hashable {
    /// A number, as digits without leading zeros.
    case number(String)
    case text(String)
  }

  private let core: [String]
  private let prerelease: [Identifier]

  /// Reads a version.
  /// - Parameters:
  ///   - text: The version, such as `1.4.0-rc.2+build.7`.
  ///   - strict: Whether only the exact form of the standard is read: three components, no `v`, no
  ///     leading zeros.
  /// - Returns: `nil` when the text is no version.
  public init?(_ text: String, strict: Bool = false) {
    var rest = text[...]
    if !strict, let first = rest.first, first == "v" || first == "V" { rest.removeFirst() }
    if let plus = rest.firstIndex(of: "+") {
      guard SemanticVersion.identifiers(rest[rest.index(after: plus)...]) != nil else { return nil }
      rest = rest[..<plus]
    }
    var prerelease: [Identifier] = []
    if let dash = rest.firstIndex(of: "-") {
      guard let pieces = SemanticVersion.identifiers(rest[rest.index(after: dash)...]) else {
        return nil
      }
      for piece in pieces {
        if piece.utf8.allSatisfy({ (48...57).contains($0) }) {
          guard !strict || piece == "0" || !piece.hasPrefix("0") else { return nil }
          prerelease.append(.number(SemanticVersion.normalized(piece)))
        } else {
          prerelease.append(.text(String(piece)))
        }
      }
      rest = rest[..<dash]
    }
    var core = rest.split(separator: ".", omittingEmptySubsequences: false)
    guard core.count == 3 || (!strict && core.count < 3) else { return nil }
    for piece in core {
      guard !piece.isEmpty, piece.utf8.allSatisfy({ (48...57).contains($0) }),
        !strict || piece == "0" || !piece.hasPrefix("0")
      else { return nil }
    }
    while core.count < 3 { core.append("0") }
    self.core = core.map(SemanticVersion.normalized)
    self.prerelease = prerelease
  }

  private static func identifiers(_ text: Substring) -> [Substring]? {
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
    let isValid = pieces.allSatisfy { piece in
      !piece.isEmpty
        && piece.utf8.allSatisfy { byte in
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || byte == 45
        }
    }
    return isValid ? pieces : nil
  }

  private static func normalized(_ digits: Substring) -> String {
    let trimmed = digits.drop { $0 == "0" }
    return trimmed.isEmpty ? "0" : String(trimmed)
  }

  /// Whether two versions have the same precedence; build metadata does not count.
  public static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
    left.core == right.core && left.prerelease == right.prerelease
  }

  /// Whether a version precedes another: by its components, then a pre-release before its release,
  /// then identifier by identifier.
  public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    for (first, second) in zip(left.core, right.core) where first != second {
      return isSmaller(first, second)
    }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return !left.prerelease.isEmpty && right.prerelease.isEmpty
    }
    for (first, second) in zip(left.prerelease, right.prerelease) where first != second {
      switch (first, second) {
      case (.number(let first), .number(let second)): return isSmaller(first, second)
      case (.number, .text): return true
      case (.text, .number): return false
      case (.text(let first), .text(let second)):
        return first.utf8.lexicographicallyPrecedes(second.utf8)
      }
    }
    return left.prerelease.count < right.prerelease.count
  }

  private static func isSmaller(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count
      ? left.utf8.lexicographicallyPrecedes(right.utf8) : left.utf8.count < right.utf8.count
  }
}

/// The version functions for filters, to be merged into an environment's host functions:
/// `versionCompare(a, b)` → -1, 0 or 1; `versionAtLeast(a, b)` → bool; `isVersion(a)` → bool.
/// Text that is no version yields null (`isVersion`: false).
public enum VersionFunction: String, Sendable, Hashable, CaseIterable {
  /// The order of two versions as -1, 0 or 1.
  case versionCompare
  /// Whether the first version is the second one or later.
  case versionAtLeast
  /// Whether a text is a version.
  case isVersion

  /// The value of a call.
  public func call(_ arguments: [Value]) -> Value {
    let versions = arguments.prefix(2).map { argument -> SemanticVersion? in
      guard case .string(let text) = argument else { return nil }
      return SemanticVersion(text)
    }
    if self == .isVersion { return .bool((versions.first ?? nil) != nil) }
    guard versions.count == 2, let left = versions[0], let right = versions[1] else { return .null }
    switch self {
    case .versionCompare: return .int(left < right ? -1 : left == right ? 0 : 1)
    case .versionAtLeast, .isVersion: return .bool(left >= right)
    }
  }
}
