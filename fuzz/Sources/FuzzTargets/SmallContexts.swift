@testable import ExpressionEngine
@testable import ExpressionSyntax
@testable import FilterAnalysis

/// Contexts that differ in the attributes that filters read: each is missing, or has a value of any
/// kind, one that a filter names, or a neighbour of it.
struct SmallContexts {
  /// The contexts, without host state.
  let all: [Context]

  /// Which values there are.
  enum Values {
    /// Those of all kinds.
    case any
    /// Those that the analysis of campaigns knows: of JSON, where no number is NaN.
    case analyzed
  }

  /// The most contexts, so that an input takes milliseconds.
  private static let maximumCount = 300
  /// Attributes beyond these are missing.
  private static let maximumAttributes = 8

  /// - Parameters:
  ///   - texts: The filters; those that do not parse add nothing.
  ///   - environment: Their environment.
  ///   - kept: Which values there are.
  ///   - seed: Chooses among the combinations, where there are too many for all.
  init(
    for texts: [String], in environment: FilterEnvironment, of kept: Values = .any, seed: UInt64
  ) {
    var (paths, values) = Self.reads(of: texts, environment.dialect)
    var seen: Set<String> = []
    values = values.filter { seen.insert($0.map { $0.literal } ?? "missing").inserted }
    if kept == .analyzed { values = values.filter { $0.map(Self.isAnalyzed) ?? true } }
    // Roots are objects, which users always have.
    paths = Array(
      paths.filter { !$0.names.isEmpty || !AttributeRoots.contains($0.root) }
        .prefix(Self.maximumAttributes))
    all = Self.contexts(paths, values, SeededGenerator(seed: seed))
  }

  /// Returns the attributes that filters read, each once, and values of every kind together with
  /// those that the filters name and their neighbours.
  static func reads(
    of texts: [String], _ dialect: Dialect
  ) -> (paths: [AttributePath], values: [Value?]) {
    var paths: [AttributePath] = []
    var values = kinds
    for text in texts {
      guard let tree = try? parse(SourceText(text), dialect: dialect) else { continue }
      for index in tree.nodes.indices {
        let id = NodeID(UInt32(index))
        if let path = tree.attributePath(of: id), !paths.contains(path) { paths.append(path) }
        if let value = tree.constant(of: id) { values += neighbours(of: value) }
      }
    }
    return (paths, values)
  }

  /// Values of every kind; `nil` is missing.
  private static let kinds: [Value?] = [
    nil, .null, true, false, "true", .int(0), .int(1), .int(-1), .double(0.5), .double(-0.0),
    .double(.nan), .double(.infinity), .uint(2), .uint(.max), "", "a", "5", .list([]),
    .list(["a"]), .list([.int(1), .null]), .map([:]), .map(["k": 1]), .bytes([0x61]),
  ]

  private static func isAnalyzed(_ value: Value) -> Bool {
    switch value {
    case .null, .bool, .int: true
    case .double(let number): !number.isNaN
    case .string: true
    case .list(let elements): elements.allSatisfy(isAnalyzed)
    case .map(let entries):
      entries.allSatisfy { key, value in
        if case .string = key { isAnalyzed(value) } else { false }
      }
    default: false
    }
  }

  private static func neighbours(of value: Value) -> [Value?] {
    switch value {
    case .int(let number):
      [value, .int(number &+ 1), .int(number &- 1), .double(Double(number)), .string("\(number)")]
    case .double(let number): [value, .double(number.nextUp), .double(number.nextDown)]
    case .uint(let number): [value, .uint(number &+ 1), .int(Int64(clamping: number))]
    case .string(let text): [value, .string(text + "x"), .string("x" + text), .list([value])]
    case .list(let elements): [value] + elements.map { $0 }
    default: [value]
    }
  }

  private static func contexts(
    _ paths: [AttributePath], _ values: [Value?], _ random: SeededGenerator
  ) -> [Context] {
    var random = random
    let empty = Context(variables: ["user": .map([:]), "device": .map([:]), "params": .map([:])])
    let count = paths.reduce(1) { product, _ in
      min(product * values.count, Self.maximumCount + 1)
    }
    guard count > maximumCount else {
      return paths.reduce([empty]) { contexts, path in
        contexts.flatMap { context in values.map { context.setting(path, to: $0) } }
      }
    }
    return [empty]
      + (0..<maximumCount).map { _ in
        paths.reduce(empty) { context, path in
          context.setting(path, to: values.randomElement(using: &random) ?? nil)
        }
      }
  }
}
