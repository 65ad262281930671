import CampaignCore
import ExpressionCoding
import ExpressionEngine
import Foundation
import TestSupport
import Testing

/// A fact of the reference SDK's own tests: a question, what is given, and the expected values.
struct ReferenceRow: Sendable, CustomTestStringConvertible {
  /// The file of `corpus/paywall/reference`, without its ending.
  var file: String
  /// The name, unique within the file and the reference.
  var name: String
  /// The reference's test file, or its source.
  var reference: String
  /// The section of docs/spec/campaigns.md.
  var rule: String
  /// What is asked; a key of ``ReferenceQuestions/all``.
  var question: String
  /// What is given.
  var given: Value
  /// The expected values, by their paths in the answer.
  var expected: [String: Value]
  /// Whether the library gives another answer today.
  var isKnownDifference: Bool

  var testDescription: String { "\(file): \(reference): \(name)" }

  /// The paths at which the answer is another one, in order.
  func differences(in answer: Value) -> [String] {
    expected.keys.sorted().filter { answer.at($0) != expected[$0] }
  }
}

/// Tests of the reference that are not in the corpus, and why.
struct LeftOut: Sendable {
  /// The reference's test file.
  var reference: String
  /// `elsewhere`, `declined`, `host` or `not here`.
  var verdict: String
  /// How many of the tests.
  var tests: Int64
  /// The reason.
  var why: String
}

/// `corpus/paywall/reference`.
enum ReferenceCorpus {
  static let folder = Corpus.folder.appending(path: "reference")

  /// The names of the files, without the one that says what is left out.
  static let files: [String] = {
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (all ?? []).filter { $0.hasSuffix(".jsonl") && $0 != "left-out.jsonl" }.sorted()
  }()

  /// All rows. A line that cannot be read fails the test that counts them.
  static let rows: [ReferenceRow] = files.flatMap { (try? read($0)) ?? [] }

  /// Reads a file.
  static func read(_ name: String) throws -> [ReferenceRow] {
    try lines(name).map { line in
      let row = Given(line)
      return ReferenceRow(
        file: String(name.dropLast(6)), name: try row.text("name"),
        reference: try row.text("reference"), rule: try row.text("rule"),
        question: try row.text("question"), given: try row["given"],
        expected: try row.members("expected"),
        isKnownDifference: try row.optionalText("today") == "differs")
    }
  }

  /// Reads what is left out.
  static func leftOut() throws -> [LeftOut] {
    try lines("left-out.jsonl").map { line in
      let row = Given(line)
      return LeftOut(
        reference: try row.text("reference"), verdict: try row.text("verdict"),
        tests: try row.number("tests"), why: try row.text("why"))
    }
  }

  private static func lines(_ name: String) throws -> [Value] {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return try text.split(separator: "\n").map { try Value(json: String($0)) }
  }
}

/// What a row gives, read by names.
struct Given {
  /// The row does not have what its question needs.
  struct Missing: Error { let name: String }

  let value: Value
  init(_ value: Value) { self.value = value }

  subscript(name: String) -> Value {
    get throws {
      guard let member = value.objectValue?[name] else { throw Missing(name: name) }
      return member
    }
  }

  func optional(_ name: String) -> Value? {
    guard let member = value.objectValue?[name], member != .null else { return nil }
    return member
  }

  func text(_ name: String) throws -> String {
    guard case .string(let text) = try self[name] else { throw Missing(name: name) }
    return text
  }

  func optionalText(_ name: String) throws -> String? {
    try optional(name).map { _ in try text(name) }
  }

  func number(_ name: String) throws -> Int64 {
    guard case .int(let number) = try self[name] else { throw Missing(name: name) }
    return number
  }

  func optionalNumber(_ name: String) throws -> Int64? {
    try optional(name).map { _ in try number(name) }
  }

  func double(_ name: String) throws -> Double {
    switch try self[name] {
    case .double(let number): number
    case .int(let number): Double(number)
    default: throw Missing(name: name)
    }
  }

  func flag(_ name: String) throws -> Bool {
    guard case .bool(let flag) = try self[name] else { throw Missing(name: name) }
    return flag
  }

  /// A flag that is off where it is left out.
  func isSet(_ name: String) throws -> Bool {
    try optional(name).map { _ in try flag(name) } ?? false
  }

  func time(_ name: String) throws -> WallTime { WallTime(milliseconds: try number(name)) }

  func optionalTime(_ name: String) throws -> WallTime? {
    try optionalNumber(name).map(WallTime.init(milliseconds:))
  }

  func list(_ name: String) throws -> [Value] {
    guard case .list(let elements) = try self[name] else { throw Missing(name: name) }
    return elements
  }

  func optionalList(_ name: String) throws -> [Value]? {
    try optional(name).map { _ in try list(name) }
  }

  func texts(_ name: String) throws -> [String] { try list(name).map { try $0.string } }

  func objects(_ name: String) throws -> [Given] { try list(name).map(Given.init) }

  func members(_ name: String) throws -> [String: Value] {
    guard let members = try self[name].objectValue else { throw Missing(name: name) }
    return members
  }
}

extension Value {
  /// The text, if the value is one.
  var string: String {
    get throws {
      guard case .string(let text) = self else { throw Given.Missing(name: "a text") }
      return text
    }
  }

  /// The value at a path such as `entitlements.0.store`; null where there is none. `count` is the
  /// number of elements.
  func at(_ path: String) -> Value {
    var value = self
    for name in path.split(separator: ".", omittingEmptySubsequences: false) {
      switch value {
      case .list(let elements):
        if name == "count" { return .int(Int64(elements.count)) }
        guard let index = Int(name), elements.indices.contains(index) else { return .null }
        value = elements[index]
      case .map(let entries):
        if let member = entries[.string(String(name))] {
          value = member
        } else if name == "count" {
          return .int(Int64(entries.count))
        } else {
          return .null
        }
      default: return .null
      }
    }
    return value
  }

  /// An object without the members that are `nil`.
  init(members: [String: Value?]) {
    self.init(object: members.compactMapValues(\.self))
  }

  init(_ texts: some Sequence<String>) { self = .list(texts.map(Value.string)) }
}
