import ExpressionSyntax
import Foundation
import TestSupport
import Testing

@testable import ExpressionChecking
@testable import ExpressionEngine

/// The checker against the cel conformance cases that lie beside the project, when they do.
@Suite("Checker: conformance")
struct CheckConformanceTests {
  /// A case as far as the checker is concerned.
  struct Case {
    var id: String
    var expression: String
    var declarations: Declarations
    var isUnchecked: Bool
    var expectedType: String?
    var expectsValue: Bool
    var expectsError: Bool
    var needs: [String]
  }

  @Test(
    "each deduced type is the expected one, and what the checker must reject is rejected",
    .enabled(if: isPresent))
  func deducedTypes() throws {
    let cases = try Self.objects().map(Self.read)
    var checked = 0
    for item in cases where item.needs.contains("checker") || item.expectedType != nil {
      checked += 1
      let tree = try parse(SourceText(item.expression), dialect: .cel)
      let result = Checker.check(tree, declarations: item.declarations)
      if let expected = item.expectedType {
        #expect(result.type.text == expected, "\(item.id): \(item.expression)")
        #expect(result.isAccepted, "\(item.id): \(item.expression): \(result.diagnostics)")
      } else if item.expectsError {
        #expect(!result.isAccepted, "\(item.id): \(item.expression)")
      }
    }
    #expect(checked >= 17)
  }

  @Test("what has a value is accepted", .enabled(if: isPresent))
  func valuesAreAccepted() throws {
    let cases = try Self.objects().map(Self.read)
    var checked = 0
    var rejected: [String] = []
    for item in cases where item.expectsValue && !item.isUnchecked {
      checked += 1
      let tree = try parse(SourceText(item.expression), dialect: .cel)
      let result = Checker.check(tree, declarations: item.declarations)
      if !result.isAccepted {
        let messages = result.diagnostics.map(\.message).joined(separator: "; ")
        rejected.append("\(item.id): \(item.expression): \(messages)")
      }
    }
    #expect(checked > 700)
    #expect(rejected.isEmpty, "\(rejected.count) rejected:\n\(rejected.joined(separator: "\n"))")
  }

  @Test(
    "an accepted expression has a value of the deduced type",
    .enabled(if: isPresent))
  func typesOfValues() throws {
    var compared = 0
    for raw in try Self.objects() {
      let item = try Self.read(raw)
      guard item.expectsValue, !item.isUnchecked, let expect = raw["expect"] as? [String: Any],
        let value = expect["value"] as? [String: Any]
      else { continue }
      let tree = try parse(SourceText(item.expression), dialect: .cel)
      let type = Checker.check(tree, declarations: item.declarations).type
      guard let wanted = Self.head(ofValue: value) else { continue }
      compared += 1
      #expect(
        type.isDynamic || Self.head(of: type) == wanted,
        "\(item.id): \(item.expression) is \(type.text), not \(wanted)")
    }
    #expect(compared > 700)
  }

  /// The outermost word of a type.
  private static func head(of type: Type) -> String {
    String(type.text.prefix { $0 != "(" })
  }

  /// The outermost word of the type of a value in the notation of the cases.
  private static func head(ofValue value: [String: Any]) -> String? {
    guard let key = value.keys.first else { return nil }
    return ["null": "null_type"][key] ?? key
  }

  // MARK: Reading

  private static let path = "conformance/cel-open.jsonl"
  private static let isPresent = TestFiles.sharedPath(path) != nil

  private static func objects() throws -> [[String: Any]] {
    try #require(try TestFiles.sharedObjects(path))
  }

  static func read(_ raw: [String: Any]) throws -> Case {
    var declarations = try CheckLibrary.declarations(container: raw["container"] as? String ?? "")
    if raw["disable_macros"] as? Bool == true { declarations.disableMacros() }
    for name in (raw["bindings"] as? [String: Any] ?? [:]).keys {
      declarations.declare(variable: name, as: .dyn)
    }
    for entry in raw["type_env"] as? [[String: Any]] ?? [] {
      let name = try #require(entry["name"] as? String)
      if let type = entry["type"] as? String {
        declarations.declare(variable: name, as: try Type(text: type))
      }
      for overload in entry["overloads"] as? [[String: Any]] ?? [] {
        var parameters = try (overload["params"] as? [String] ?? []).map { try Type(text: $0) }
        let receiver = overload["member"] as? Bool == true ? parameters.removeFirst() : nil
        let result = try Type(text: try #require(overload["result"] as? String))
        try declarations.declare(
          function: name,
          Overload(name, receiver: receiver, parameters: parameters, result: result))
      }
    }
    let expect = raw["expect"] as? [String: Any] ?? [:]
    return Case(
      id: raw["id"] as? String ?? "", expression: try #require(raw["expr"] as? String),
      declarations: declarations, isUnchecked: raw["disable_check"] as? Bool == true,
      expectedType: expect["type"] as? String, expectsValue: expect["value"] != nil,
      expectsError: expect["error"] != nil, needs: raw["needs"] as? [String] ?? [])
  }
}
