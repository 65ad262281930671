/// Pads version numbers so that they compare as text (docs/spec/campaigns.md §7).
///
/// The platforms differ on unusual input; both columns of the table in the specification are
/// reproduced. Text that ends the reference process (`1.0-.` on iOS) yields the number part alone.
public enum VersionPadding: String, Sendable, Hashable, CaseIterable {
  /// Empty pieces are dropped; numbers are ASCII and printed from their low 32 bits.
  case iOS
  /// Empty pieces are kept; numbers are 32-bit and in any decimal digits.
  case android

  /// The padded form of a version, such as `003.010.001-rc.030` for `3.10.1-rc.30`.
  public func padded(_ version: String) -> String {
    let pieces = split(version, at: "-")
    guard let numbers = pieces.first else { return "" }
    let number = split(numbers, at: ".").prefix(3).map(padded(number:)).joined(separator: ".")
    guard pieces.count > 1 else { return number }
    let suffix = split(pieces[1], at: ".")
    guard let name = suffix.first else { return number }
    let counter = suffix.count > 1 ? "." + padded(number: suffix[1]) : ""
    return number + "-" + name + counter
  }

  private func split(_ text: String, at separator: Character) -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: self == .iOS).map(String.init)
  }

  private func padded(number text: String) -> String {
    switch self {
    case .iOS:
      decimal(Int64(Int32(truncatingIfNeeded: Int64(text) ?? 0)), digits: 3)
    case .android:
      decimal(Int64(parsed(text) ?? 0), digits: 3)
    }
  }

  /// Reads an optional sign and decimal digits of any script; `nil` beyond 32 bits. Digits that
  /// UTF-16 writes with two units do not count, because the reference looks at single units.
  private func parsed(_ text: String) -> Int32? {
    var scalars = text.unicodeScalars[...]
    var sign: Int64 = 1
    if let first = scalars.first, first == "+" || first == "-" {
      sign = first == "-" ? -1 : 1
      scalars.removeFirst()
    }
    guard !scalars.isEmpty else { return nil }
    var value: Int64 = 0
    for scalar in scalars {
      guard scalar.value <= 0xFFFF, scalar.properties.numericType == .decimal,
        let digit = scalar.properties.numericValue
      else { return nil }
      value = value * 10 + Int64(digit)
      if value > Int64(Int32.max) + 1 { return nil }
    }
    return Int32(exactly: sign * value)
  }

  /// Prints as `%03d` does: the sign is part of the width.
  private func decimal(_ number: Int64, digits: Int) -> String {
    let text = String(number.magnitude)
    let sign = number < 0 ? "-" : ""
    let zeros = max(0, digits - sign.utf8.count - text.utf8.count)
    return sign + String(repeating: "0", count: zeros) + text
  }
}
