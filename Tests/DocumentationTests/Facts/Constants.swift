import Foundation
import TestSupport

/// Numbers that the sources state: constants of types, and defaults of initializers.
enum Constants {
  private static let sources: [[UInt8]] = {
    let paths = CodeBlock.paths(in: "Sources").filter { $0.hasSuffix(".swift") }
    return paths.sorted().compactMap {
      (try? Data(contentsOf: TestFiles.root.appending(path: $0))).map { [UInt8]($0) }
    }
  }()

  private static let keywords = Set(
    ["struct", "class", "enum", "actor", "extension"].map { Array($0.utf8)[...] })

  /// The numbers of the sources that declare a type or an extension of it, by its name.
  private static let owners: [String: [Int]] = {
    var owners: [String: [Int]] = [:]
    for (number, bytes) in sources.enumerated() {
      var isDeclared = false
      for word in bytes.split(whereSeparator: { !isLetter($0) }) {
        let name = isDeclared ? String(decoding: word, as: UTF8.self) : ""
        if isDeclared, owners[name]?.last != number { owners[name, default: []].append(number) }
        isDeclared = keywords.contains(word)
      }
    }
    return owners
  }()

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
  }

  /// The sources that contain the declaration of a type, or of an extension of it.
  private static func sources(of type: String) -> [String] {
    (owners[type] ?? []).map { String(decoding: sources[$0], as: UTF8.self) }
  }

  /// The numbers of `Type.name`: of `static let name = 10 * 1_024`, or of the default of an
  /// initializer's parameter; empty if there is neither.
  static func numbers(of path: String) throws -> [Int] {
    let parts = path.split(separator: ".").map(String.init)
    guard parts.count == 2 else { return [] }
    let constant = try Regex<(Substring, Substring)>(
      #"(?:let|var) \#(parts[1])(?:: \w+)? = ([^\n]*)"#)
    let parameter = try Regex<(Substring, Substring)>(#"\b\#(parts[1]): Int = ([^,)\n]*)"#)
    let owners = sources(of: parts[0])
    for pattern in [constant, parameter] {
      for text in owners {
        guard let match = text.firstMatch(of: pattern) else { continue }
        let numbers = try values(in: match.output.1)
        if !numbers.isEmpty { return numbers }
      }
    }
    return []
  }

  /// The values of an expression, one for each argument: `2 << 20`, `Limits(steps: 10, memory: 5)`.
  private static func values(in expression: Substring) throws -> [Int] {
    if let match = expression.firstMatch(of: /([A-Z]\w+\.[a-z]\w+)\s*$/) {
      return try numbers(of: String(match.output.1))
    }
    return expression.matches(of: /\d[\d_]*(?:\s*(?:<<|\*)\s*\d[\d_]*)*/).compactMap { match in
      let text = match.output.replacing("_", with: "").replacing(" ", with: "")
      if let shift = text.firstRange(of: "<<") {
        guard let left = Int(text[..<shift.lowerBound]), let right = Int(text[shift.upperBound...])
        else { return nil }
        return left << right
      }
      let factors = text.split(separator: "*").compactMap { Int($0) }
      return factors.isEmpty ? nil : factors.reduce(1, *)
    }
  }

  /// The numbers of a text for people: `2 MiB`, `1,024`, `10,000 steps`.
  static func numbers(in text: some StringProtocol) -> [Int] {
    String(text).matches(of: /(\d[\d,]*)(?: (KiB|MiB|GiB))?/).compactMap { match in
      guard let number = Int(match.output.1.replacing(",", with: "")) else { return nil }
      let units: [Substring: Int] = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
      return number * (match.output.2.flatMap { units[$0] } ?? 1)
    }
  }
}

/// The tables of a Markdown file.
struct DocumentTable {
  /// The number of the line of the heading.
  let line: Int
  let heading: [String]
  let rows: [[String]]

  /// All tables of a file.
  static func all(in file: String) -> [DocumentTable] {
    var found: [DocumentTable] = []
    var open: [(number: Int, cells: [String])] = []
    for (number, text) in Repository.prose(of: file) + [(0, "")] {
      if text.hasPrefix("|") {
        open.append((number, cells(text)))
      } else if let first = open.first {
        found.append(
          DocumentTable(
            line: first.number, heading: first.cells, rows: open.dropFirst(2).map(\.cells)))
        open = []
      }
    }
    return found
  }

  /// The cells of a row, without the bars at its ends.
  private static func cells(_ row: String) -> [String] {
    row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The cells of a column, by its heading; `nil` without such a column.
  func column(_ name: String) -> Int? { heading.firstIndex(of: name) }
}
