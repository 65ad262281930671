@testable import ExpressionEngine
@testable import ExpressionSyntax

/// Changes a filter so that it mostly stays one: operands are exchanged, wrapped and dropped, by
/// the places that the parser gives them.
///
/// Without it, nearly all mutations of a filter are mistakes in its syntax.
struct FilterMutator {
  private var random: SeededGenerator

  init(seed: UInt32) { random = SeededGenerator(seed: UInt64(seed)) }

  /// Returns another filter; `nil` for a text that does not parse.
  mutating func mutated(_ text: String) -> String? {
    let dialect = Dialect.named(next(2) == 0 ? .superscript : .cel)
    guard let tree = try? parse(SourceText(text), dialect: dialect) else { return nil }
    let node = element(of: tree.nodes)
    let bytes = Array(text.utf8)
    let place = Int(node.span.start)..<(Int(node.span.start) + Int(node.span.length))
    guard place.upperBound <= bytes.count else { return nil }
    let old = String(decoding: bytes[place], as: UTF8.self)
    Self.remember(old, at: next(Self.poolCount))
    let new = replacement(of: old, by: operand(in: tree, bytes))
    return String(decoding: bytes[..<place.lowerBound], as: UTF8.self) + new
      + String(decoding: bytes[place.upperBound...], as: UTF8.self)
  }

  /// Returns the text that takes the place of an operand.
  private mutating func replacement(of old: String, by other: String) -> String {
    switch next(8) {
    case 0, 1: other
    case 2, 3:
      next(2) == 0
        ? "(\(old)) \(element(of: Self.operators)) (\(other))"
        : "(\(other)) \(element(of: Self.operators)) (\(old))"
    case 4: call(of: element(of: Self.functions), old, other)
    case 5:
      (next(2) == 0 ? "[\(old), \(other)]" : "(\(other))") + ".\(element(of: Self.loops))(v, "
        + (next(2) == 0 ? "v == (\(other)))" : "\(old))")
    case 6: "(\(old)) ? (\(other)) : (\(old))"
    default:
      switch next(6) {
      case 0: "!(\(old))"
      case 1: "-(\(old))"
      case 2: "(\(old))[\(other)]"
      case 3: "{\"k\": \(old), \(other): 1}"
      case 4: "[\(old), \(other)]"
      default: "has(\(old))"
      }
    }
  }

  private mutating func call(of name: String, _ first: String, _ second: String) -> String {
    switch next(4) {
    case 0: "\(name)(\(first))"
    case 1: "\(name)(\(first), \(second))"
    case 2: "(\(first)).\(name)()"
    default: "(\(first)).\(name)(\(second))"
    }
  }

  /// Returns the text of an operand: of this filter, of an earlier one, or a small one.
  private mutating func operand(in tree: SyntaxTree, _ bytes: [UInt8]) -> String {
    switch next(3) {
    case 0:
      let span = element(of: tree.nodes).span
      let end = min(Int(span.start) + Int(span.length), bytes.count)
      return String(decoding: bytes[min(Int(span.start), end)..<end], as: UTF8.self)
    case 1: return Self.remembered(next(Self.poolCount)) ?? element(of: Self.atoms)
    default: return element(of: Self.atoms)
    }
  }

  // MARK: Random choices

  /// A number below a bound of at least 1.
  mutating func next(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &random)
  }

  private mutating func element<Element>(of elements: [Element]) -> Element {
    elements[next(elements.count)]
  }

  // MARK: Words

  private static let operators = OperatorTable.rows.filter { $0.fixity == .infix }.map {
    $0.spelling
  }
  private static let functions =
    FunctionLibrary.superscript.definitions.map { $0.name }
    + FunctionLibrary.cel(ExtensionLibrary.all).definitions.map { $0.name }
  private static let loops = ["all", "exists", "exists_one", "filter", "map"]
  private static let atoms = [
    "true", "false", "null", "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "2u",
    "18446744073709551615u", "0.5", "1e308", "0.0 / 0.0", "\"\"", "\"a\"", "\"5\"", "\"é😀\"",
    "b\"a\"", "[]", "{}", "user.age", "user.name", "user.tags", "user.missing", "user.nul",
    "user.deep.a.b", "device.platform", "params.score", "deep.a", "x", "s", "l", "m",
    "timestamp(\"2024-02-29T12:00:00Z\")", "duration(\"90s\")", "v", "type(1)",
    "device.echo(1)", "device.fails()", "computed.onlyC()", "\"^a+$\"", "\"yyyy-MM-dd\"",
  ]

  // MARK: The operands of earlier filters

  private static let poolCount = 512
  // libFuzzer runs everything on one thread.
  private nonisolated(unsafe) static var pool = [String?](repeating: nil, count: poolCount)

  private static func remember(_ text: String, at index: Int) {
    if text.utf8.count <= 80 { pool[index] = text }
  }

  private static func remembered(_ index: Int) -> String? { pool[index] }
}
