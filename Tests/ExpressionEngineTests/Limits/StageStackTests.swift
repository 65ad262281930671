import AudienceFilters
import ExpressionChecking
import ExpressionCoding
import ExpressionPrinting
import ExpressionSyntax
import FilterAuthoring
import Superscript
import Testing

@_spi(Tools) @testable import ExpressionEngine

/// What the stages make of one filter, each from what the stages before it left.
private final class Passage {
  let text: String
  let environment: FilterEnvironment
  let context: Context
  var tree: SyntaxTree?
  var filter: Filter?
  var value: Value?
  var error: FilterError?
  var explanation: Explanation?
  /// Keeps results alive, so that nothing is optimized away.
  var size = 0

  init(_ text: String, _ environment: FilterEnvironment, _ context: Context) {
    self.text = text
    self.environment = environment
    self.context = context
  }
}

/// One thing that is done with a filter.
private struct Stage: Sendable {
  let name: String
  let run: @Sendable (Passage) -> Void

  static let all: [Stage] = [
    Stage(name: "parse") {
      $0.tree = try? parse(
        SourceText($0.text), dialect: $0.environment.dialect, limits: $0.environment.parserLimits)
    },
    Stage(name: "print") { passage in
      guard let tree = passage.tree else { return }
      passage.size += SyntaxPrinter.print(tree).utf8.count
      passage.size += SyntaxPrinter.format(tree, width: 40).utf8.count
      passage.size += SyntaxDump.dump(tree).utf8.count
      passage.size += tree.isStructurallyEqual(to: tree) ? 1 : 0
    },
    Stage(name: "lower") { passage in
      guard let tree = passage.tree else { return }
      do throws(FilterError) {
        passage.size += try Lowering.lower(tree, environment: passage.environment).ir.nodes.count
      } catch {
        passage.error = error
      }
    },
    Stage(name: "compile") { passage in
      do throws(FilterError) {
        passage.filter = try Filter(passage.text, environment: passage.environment)
      } catch {
        passage.error = error
      }
    },
    Stage(name: "list") { passage in
      let source = SourceText(passage.text)
      let filter = try? Filter(source, environment: passage.environment)
      passage.size += filter?.disassembly.utf8.count ?? 0
      passage.size += filter?.decisionListing?.utf8.count ?? 0
      let text = try? Filter.intermediateText(
        of: source, environment: passage.environment)
      passage.size += text?.utf8.count ?? 0
    },
    Stage(name: "evaluate") { passage in
      guard let filter = passage.filter else { return }
      passage.size += filter.matches(passage.context) ? 1 : 0
      passage.value = try? evaluate(filter, passage.context)
    },
    Stage(name: "values") { passage in
      guard let value = passage.value else { return }
      passage.size += value.literal.utf8.count + value.jsonText().utf8.count
      passage.size += ((try? value.celJSONText()) ?? "").utf8.count
      let tagged = PassableValue.text(value)
      passage.size += tagged.utf8.count
      if let copy = try? PassableValue.read(tagged) { passage.size += copy == value ? 1 : 0 }
      if let copy = try? Value(json: value.jsonText(), reading: .init(maximumDepth: 1024)) {
        passage.size += copy == value ? 1 : 0
      }
      passage.size += value.hashValue & 1
      let frozen = Context(variables: ["user": ["value": value], "other": value])
      passage.size += frozen.description.utf8.count
    },
    Stage(name: "release") { $0.value = nil },
    Stage(name: "check") { passage in
      guard let tree = passage.tree,
        let declarations = try? passage.environment.checkingDeclarations()
      else { return }
      passage.size += Checker.check(tree, declarations: declarations).diagnostics.count
    },
    Stage(name: "lint") { passage in
      passage.size += passage.filter?.check().count ?? 0
    },
    Stage(name: "explain") { passage in
      passage.explanation = passage.filter?.explain(passage.context)
    },
    Stage(name: "show") { passage in
      guard let explanation = passage.explanation else { return }
      passage.size += explanation.text.utf8.count + explanation.jsonText().utf8.count
      passage.size += explanation.hashValue & 1
      passage.explanation = nil
    },
    Stage(name: "filter set") { passage in
      guard let filter = passage.filter else { return }
      let set = FilterSet([filter, filter])
      passage.size += set.matches(passage.context).count
      passage.size += set.evaluate(passage.context).count
    },
    Stage(name: "drop-in") { passage in
      guard passage.environment.dialect.name == .superscript else { return }
      let tree = ReferenceInterface.parseToAst(expression: passage.text)
      passage.size += ReferenceInterface.evaluateAst(ast: tree).utf8.count
    },
  ]
}

/// Ways in which values get deep.
private let deepValues: [NestedShape] = [
  NestedShape(
    name: "maps of lists in lists",
    text: { "[1]" + String(repeating: ".map(v, [[[[v]]]])", count: $0) }, isChain: true),
  NestedShape(
    name: "maps of maps in maps",
    text: { "[1]" + String(repeating: ".map(v, {\"a\": {\"a\": [v]}})", count: $0) }, isChain: true),
]

/// Filters that are long rather than deep, whose conditions lead from one to the next.
private let longShapes: [NestedShape] = [
  NestedShape(
    name: "conjunctions of comparisons",
    text: { "user.age != 1" + String(repeating: " && user.age != 2", count: $0) }, isChain: true),
  NestedShape(
    name: "disjunctions of comparisons",
    text: { "user.age == 1" + String(repeating: " || user.age == 2", count: $0) }, isChain: true),
  NestedShape(
    name: "disjunctions of loops",
    text: { "n == 2" + String(repeating: " || l.exists(v, v > 2 && v != 4)", count: $0) },
    isChain: true),
  NestedShape(
    name: "disjunctions of sums",
    text: { "n == 2" + String(repeating: " || n * 2 + n < 2", count: $0) }, isChain: true),
]

/// Filters of every kind of which graphs of decisions are built, as deep as that goes and deeper.
private let decisionShapes: [NestedShape] = [
  ("negated comparisons", "!(", "user.age == 1", ")"),
  ("comparisons on the right", "user.age == 25 && (user.age == 1 || ", "user.age == 1", ")"),
  ("comparisons between", "(user.age == 1 ? user.age == 2 : (", "user.age == 1", "))"),
  ("compared alternatives", "(user.age == 1 ? 1 : ", "2", ")"),
  ("loops over constants", "[1].exists(v, user.age == 1 || ", "user.age == 1", ")"),
  ("loops over attributes", "user.l.exists(v, v == 1 || ", "user.age == 1", ")"),
].map { (name, open, core, close) in
  NestedShape(
    name: "decisions: " + name,
    text: { count in
      let text =
        String(repeating: open, count: count) + core + String(repeating: close, count: count)
      return name == "compared alternatives" ? text + " == 3" : text
    }, isChain: false)
}

private let celShapes: [NestedShape] =
  NestedShape.nests.filter {
    !["maybe", "host calls", "fields", "has", "all of it"].contains($0.name)
  }
  + [
    ("optionals", "optional.of(", "1", ")"), ("bindings", "cel.bind(x, [", "1", "], x)"),
    ("bodies of bindings", "cel.bind(x, 1, [", "x", "])"),
    ("two variables", "l.transformList(i, v, ", "true", ")"),
    ("sorting", "l.sortBy(v, ", "1", ")"),
    ("optional maps", "optional.of(1).optMap(v, ", "1", ")"),
    ("optional alternatives", "optional.none().orValue(", "1", ")"),
    ("greatest", "math.greatest(0, ", "1", ")"), ("texts", "string(", "1", ")"),
    ("deep equality", "[", "1 == 1", "] == [[[]]]"),
    ("optional entries", "[?optional.of(", "1", ")]"),
    ("dyn", "dyn(", "1", ")"),
  ].map { (name, open, core, close) in
    NestedShape(
      name: "cel " + name,
      text: { count in
        String(repeating: open, count: count) + core + String(repeating: close, count: count)
      }, isChain: false)
  } + [
    // Verifying more of them takes a debug build long.
    NestedShape(
      name: "cel seventy blocks",
      text: { count in
        String(repeating: "cel.block([", count: min(count, 70)) + "1"
          + String(repeating: "], cel.index(0))", count: min(count, 70))
      }, isChain: true)
  ]

/// In a debug build; `make stack` measures a release build, which parses and compiles on the stack
/// of its caller.
@Suite("No stage overflows the stack of a small thread", .serialized)
struct StageStackTests {
  /// What secondary threads have on Apple platforms, less what their callers may have taken.
  static let budget = 448 << 10

  private static let context = Context(variables: [
    "user": ["age": 25], "l": [0], "s": "a", "n": 1, "ring": ["next": 1],
  ])

  /// Runs all stages, each on a thread of its own, and returns how much stack each of them took.
  private static func passage(
    _ shape: NestedShape, _ depth: Int, _ environment: FilterEnvironment
  ) throws -> (used: [(stage: String, bytes: Int)], isAccepted: Bool) {
    let passage = Passage(shape.text(depth), environment, context)
    let used = try Stage.all.map { stage in
      (stage.name, try stackUse(capacity: 1 << 20) { stage.run(passage) })
    }
    return (used, passage.filter != nil)
  }

  private static let superscript = FilterEnvironment(
    deviceFunctions: ["echo": { arguments, _ in arguments.first ?? .null }])

  /// The depths at which some kind of nesting meets a limit, and some on the way there.
  private static let depths = [
    6, 11, 24, 42, 47, 71, 107, 142, 143, 172, 213, 214, 215, 427, 428, 429, 430,
  ]
  /// The longest chains worth running: they do not nest.
  private static let longestChain = 200

  /// The depths worth running: the deepest filter that compiles, which takes the most stack of all
  /// that do, and the shallowest that is refused.
  private static func decisiveDepths(
    _ shape: NestedShape, _ environment: FilterEnvironment
  ) throws -> [Int] {
    let isAccepted = { (depth: Int) in
      let passage = Passage(shape.text(depth), environment, context)
      try onThread(stack: 8 << 20) {
        passage.filter = try? Filter(passage.text, environment: passage.environment)
      }
      return passage.filter != nil
    }
    if shape.isChain, try isAccepted(longestChain) { return [longestChain] }
    let deepest = try depths.lastIndex(where: isAccepted)
    let refused = depths[((deepest ?? -1) + 1)...].first ?? 1_000
    return (deepest.map { [depths[$0]] } ?? []) + [refused]
  }

  private static func expectSmallStacks(
    _ shape: NestedShape, _ environment: FilterEnvironment
  ) throws {
    var deepest = 0
    for depth in try decisiveDepths(shape, environment) {
      let stages = try passage(shape, depth, environment)
      for (stage, used) in stages.used {
        #expect(used < budget, "\(stage) of \(depth) levels")
      }
      if stages.isAccepted { deepest = depth }
    }
    #expect(deepest >= 6)
  }

  @Test(
    "in the superscript dialect",
    arguments: NestedShape.nests + deepValues + longShapes + decisionShapes)
  func superscript(shape: NestedShape) throws {
    try Self.expectSmallStacks(shape, Self.superscript)
  }

  @Test("in the cel dialect", arguments: celShapes + deepValues + longShapes + decisionShapes)
  func cel(shape: NestedShape) throws {
    try Self.expectSmallStacks(shape, .cel)
  }

  /// The stack of every shape is measured above; that these run shows that the measure is right.
  @Test("everything is done with filters of all kinds on a thread with 512 KiB")
  func smallThread() throws {
    for (environment, shapes) in [
      (Self.superscript, NestedShape.nests + deepValues + longShapes + decisionShapes),
      (.cel, celShapes + deepValues + longShapes + decisionShapes),
    ] {
      for shape in stride(from: 0, to: shapes.count, by: 5).map({ shapes[$0] }) {
        for depth in try Self.decisiveDepths(shape, environment) {
          let passage = Passage(shape.text(depth), environment, Self.context)
          try onThread(stack: 512 << 10) { for stage in Stage.all { stage.run(passage) } }
          #expect(passage.filter != nil || passage.error != nil)
        }
      }
    }
  }

  @Test("values that a filter piles up deeper than 128 levels are no results")
  func piledUp() throws {
    func evaluate(_ text: String) throws -> DiagnosticID? {
      let filter = try Filter(SourceText(text), environment: .standard)
      do throws(EvaluationError) {
        _ = try filter.evaluate(Self.context)
        return nil
      } catch {
        return error.diagnostic.id
      }
    }
    let levels = { (count: Int) in "[1]" + String(repeating: ".map(v, [[[v]]])", count: count) }
    #expect(try evaluate(levels(42)) == nil)
    #expect(try evaluate(levels(43)) == .memoryLimit)
    #expect(try evaluate("\(levels(43)) == \(levels(43))") == .stepLimit)
    #expect(try evaluate("\(levels(43))[0][0][0][0] == 1") == nil)
  }
}
