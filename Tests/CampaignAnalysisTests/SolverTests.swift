import AudienceFilters
import CampaignAnalysis
import FilterAnalysis
import Foundation
import Testing

/// The prover against z3, a solver that shares nothing with it.
@Suite("Proofs, against z3")
struct SolverTests {
  /// As many as `SWEXPR_SOLVER_CONFIGS` says; `make prove-all` sets 10,000.
  static let count =
    ProcessInfo.processInfo.environment["SWEXPR_SOLVER_CONFIGS"].flatMap { Int($0) } ?? 100

  static let solver = ["/usr/bin/z3", "/usr/local/bin/z3", "/opt/homebrew/bin/z3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A filter in both languages.
  struct Twin {
    let filter: String
    let formula: String
  }

  /// Attributes of the types int, text and bool, each of which may be missing: then comparisons
  /// take it as zero, empty or false.
  static func condition(_ random: inout TestRandom) -> Twin {
    let number = random.below(2)
    switch random.below(5) {
    case 0, 1:
      let name = "i\(number)"
      let value = "(ite p_\(name) \(name) 0)"
      let constant = random.below(7) - 1
      let literal = constant < 0 ? "(- \(-constant))" : "\(constant)"
      if random.isLucky(percent: 15) {
        let other = random.below(7)
        return Twin(
          filter: "user.\(name) in [\(constant), \(other)]",
          formula: "(and p_\(name) (or (= \(name) \(literal)) (= \(name) \(other))))")
      }
      let (op, relation) = random.pick([
        ("<", "<"), ("<=", "<="), (">", ">"), (">=", ">="), ("==", "="), ("!=", "distinct"),
      ])
      return Twin(
        filter: "user.\(name) \(op) \(constant)", formula: "(\(relation) \(value) \(literal))")
    case 2, 3:
      let name = "s\(number)"
      let value = "(ite p_\(name) \(name) \"\")"
      let constant = random.pick(["", "a", "b", "ab"])
      switch random.below(4) {
      case 0:
        return Twin(
          filter: "user.\(name) != \"\(constant)\"", formula: "(distinct \(value) \"\(constant)\")")
      case 1:
        return Twin(
          filter: "user.\(name) < \"\(constant)\"", formula: "(str.< \(value) \"\(constant)\")")
      case 2:
        return Twin(
          filter: "user.\(name) in [\"\(constant)\", \"c\"]",
          formula: "(and p_\(name) (or (= \(name) \"\(constant)\") (= \(name) \"c\")))")
      default:
        return Twin(
          filter: "user.\(name) == \"\(constant)\"", formula: "(= \(value) \"\(constant)\")")
      }
    default:
      let name = "b\(number)"
      if random.isLucky(percent: 50) {
        return Twin(filter: "user.\(name) == false", formula: "(not (and p_\(name) \(name)))")
      }
      return Twin(filter: "user.\(name) == true", formula: "(and p_\(name) \(name))")
    }
  }

  static func filter(_ random: inout TestRandom, depth: Int = 0) -> Twin {
    let choice = random.below(depth == 0 ? 6 : 10)
    guard depth < 3, choice < 6 else { return condition(&random) }
    if choice == 5 {
      let part = filter(&random, depth: depth + 1)
      return Twin(filter: "!(\(part.filter))", formula: "(not \(part.formula))")
    }
    let parts = (0..<(2 + random.below(2))).map { _ in filter(&random, depth: depth + 1) }
    let isAll = choice < 3
    return Twin(
      filter: parts.map { "(\($0.filter))" }.joined(separator: isAll ? " && " : " || "),
      formula: "(\(isAll ? "and" : "or") \(parts.map(\.formula).joined(separator: " ")))")
  }

  /// The attributes' types.
  private static let schema = AttributeSchema(
    (0..<2).flatMap { number -> [AttributeSchema.Attribute] in
      [
        .init("user.i\(number)", .int, isOptional: true),
        .init("user.s\(number)", .string, isOptional: true),
        .init("user.b\(number)", .bool, isOptional: true),
      ]
    })

  private static let declarations = (0..<2).flatMap { number in
    ["i\(number) () Int", "s\(number) () String", "b\(number) () Bool"].flatMap { text in
      ["(declare-fun \(text))", "(declare-fun p_\(text.prefix(2)) () Bool)"]
    }
  }

  private func solve(_ script: [String]) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(component: "swexpr-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(component: "questions.smt2")
    let answers = folder.appending(component: "answers")
    try Data(script.joined(separator: "\n").utf8).write(to: file)
    try Data().write(to: answers)
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.solver))
    process.arguments = ["-smt2", file.path]
    process.standardOutput = try FileHandle(forWritingTo: answers)
    try process.run()
    process.waitUntilExit()
    return try String(contentsOf: answers, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test(
    "agrees about dead and shadowed audiences and users whom nobody reaches",
    .enabled(if: Self.solver != nil, "z3 is not installed (Debian: apt install z3)"))
  func agreement() throws {
    var random = TestRandom(state: 23)
    var script = Self.declarations
    var expected: [(isEmpty: Bool, text: String)] = []
    func ask(_ assertions: [String], isEmpty: Bool, _ text: String) {
      script.append("(push)")
      script += assertions.map { "(assert \($0))" }
      script += ["(check-sat)", "(pop)"]
      expected.append((isEmpty, text))
    }
    for _ in 0..<Self.count {
      let twins = (0..<(2 + random.below(3))).map { _ in Self.filter(&random) }
      let model = AnalysisModel(placements: [
        .init(
          name: "open",
          audiences: twins.enumerated().map { index, twin in
            AnalysisModel.Audience(experimentID: "e\(index)", filter: twin.filter)
          })
      ])
      let proof = CampaignProver(model, schema: Self.schema).proof()
      let text = twins.map(\.filter).joined(separator: "\n")
      #expect(proof.openQuestions.isEmpty && proof.freeParts.isEmpty, "\(text)")
      func has(_ kind: Finding.Kind, _ index: Int?) -> Bool {
        proof.findings.contains { $0.kind == kind && $0.audience?.index == index }
      }
      for (index, twin) in twins.enumerated() {
        let isDead = has(.deadAudience, index)
        ask([twin.formula], isEmpty: isDead, "dead \(index):\n\(text)")
        let earlier = twins[..<index].map { "(not \($0.formula))" }
        ask(
          [twin.formula] + earlier, isEmpty: isDead || has(.shadowedAudience, index),
          "shadowed \(index):\n\(text)")
      }
      ask(
        twins.map { "(not \($0.formula))" }, isEmpty: !has(.unreachedUsers, nil),
        "unreached:\n\(text)")
    }
    let answers = try solve(script)
    try #require(answers.count == expected.count)
    for (answer, question) in zip(answers, expected) {
      #expect(answer == (question.isEmpty ? "unsat" : "sat"), "\(question.text)")
    }
  }
}
