import Testing

@testable import ExpressionEngine
@testable import ExpressionSyntax

@Suite("Instructions")
struct OpcodeTests {
  @Test("the table has one row per opcode, in the order of the raw values")
  func tableOrder() {
    for (index, row) in OpcodeTable.rows.enumerated() {
      #expect(Int(row.opcode.rawValue) == index)
      #expect(row.roles.count == (row.format == .wide ? 2 : 3))
      #expect(!row.summary.isEmpty)
    }
    #expect(Opcode(rawValue: UInt8(OpcodeTable.rows.count)) == nil)
    #expect(Opcode(rawValue: UInt8(OpcodeTable.rows.count - 1)) != nil)
  }

  @Test("what is hot has the size that it should have")
  func layouts() {
    #expect(MemoryLayout<Slot>.size == 16)
    #expect(MemoryLayout<Slot>.stride == 16)
    #expect(MemoryLayout<Instruction>.size == 8)
    #expect(MemoryLayout<Instruction>.stride == 8)
    #expect(MemoryLayout<SyntaxNode>.size <= 32)
    #expect(MemoryLayout<SyntaxNode>.stride == 32)
  }

  /// A filter for each opcode that the superscript dialect has a use for.
  private static let filters: [(opcode: Opcode, filter: String)] = [
    (.returnValue, "1"), (.loadConstant, "1"), (.move, "l.map(v, v)"), (.loadVariable, "n"),
    (.loadAttribute, "user.age"), (.loadMember, "user.a.b"), (.loadElement, "l[n]"),
    (.compare, "n == m"), (.compareConstant, "n == 5"), (.membership, "n in l"),
    (.membershipConstant, "n in [1, 2.0]"),
    (.memberOfSet, "s in [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"]"),
    (.add, "n + m"), (.subtract, "n - m"), (.multiply, "n * m"), (.divide, "n / m"),
    (.remainder, "n % m"), (.addConstant, "n + 1"), (.subtractConstant, "n - 1"),
    (.multiplyConstant, "n * 2"), (.divideConstant, "n / 2"), (.remainderConstant, "n % 2"),
    (.negate, "-n"), (.requireNumber, "--n"), (.not, "!n"), (.truth, "!!n"),
    (.conjoin, "n && m"), (.jump, "n ? 1 : 2"), (.jumpIfTrue, "n || m"),
    (.jumpIfFalse, "n ? 1 : 2"), (.jumpIfExactlyTrue, "l.exists(v, v.a == 1)"),
    (.jumpIfExactlyFalse, "l.all(v, v.a == 1)"), (.beginList, "[n]"), (.append, "[n]"),
    (.endList, "[n]"), (.insert, "{\"a\": n}"), (.endMap, "{\"a\": n}"), (.call, "size(n)"),
    (.callHost, "device.echo(n)"), (.callMatches, "s.matches(\"a+\")"),
    (.callStartsWith, "s.startsWith(\"a\")"), (.callEndsWith, "s.endsWith(\"a\")"),
    (.loopBegin, "l.map(v, v)"),
    (.loopNext, "l.map(v, v)"), (.expect, "s.startsWith(n)"), (.raise, "absent()"),
    (.overlay, "device"), (.absorbReferences, "n"),
    (.compareReadings, "n == \"25\""),
    (.countIfTrue, "size(l.filter(v, v.a == 1))"),
  ]

  /// A cel filter for each opcode that only that dialect's constructs need.
  private static let cel: [(opcode: Opcode, filter: String)] = [
    (.requireBool, "a ? 1 : 2"), (.reraise, "[1].all(x, x / b > 0)"),
    (.increment, "[a].exists_one(x, x)"), (.isOne, "[a].exists_one(x, x)"),
    (.loadDeclared, "a.b.c"),
    (.loopBeginPairs, "[a].all(i, v, v)"), (.loopNextPair, "[a].all(i, v, v)"),
    (.appendOptional, "[?a]"), (.insertOptional, "{?\"k\": a}"),
    (.insertEntries, "[a].transformMapEntry(i, v, {i: v})"), (.force, "cel.bind(x, a, x + x)"),
    (.forced, "cel.bind(x, a, x + x)"),
  ]

  @Test("every opcode occurs in the code of a filter")
  func coverage() throws {
    let environment = FilterEnvironment(
      deviceFunctions: ["echo": { arguments, _ in arguments.first ?? .null }])
    var seen: Set<Opcode> = []
    for (opcode, filter) in Self.filters {
      let tree = try parse(SourceText(filter), dialect: .superscript)
      let program = try Lowering.program(tree, environment: environment)
      try program.verify()
      let opcodes = Set((0..<program.codeCount).map { program.code[$0].opcode })
      #expect(opcodes.contains(opcode), "`\(filter)` has \(opcodes), not \(opcode)")
      seen.insert(opcode)
    }
    for (opcode, filter) in Self.cel {
      let tree = try parse(SourceText(filter), dialect: .cel)
      let program = try Lowering.program(tree, environment: .cel)
      try program.verify()
      let opcodes = Set((0..<program.codeCount).map { program.code[$0].opcode })
      #expect(opcodes.contains(opcode), "`\(filter)` has \(opcodes), not \(opcode)")
      seen.insert(opcode)
    }
    let missing = OpcodeTable.rows.map(\.opcode).filter { !seen.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test("`&&` and `||` that absorb errors ask for bools and remember failures")
  func absorbing() throws {
    let tree = try parse(SourceText("a && b"), dialect: .superscript)
    for kind in [IRKind.absorbingAnd, .absorbingOr] {
      var ir = IR(rules: .cel, form: .asGiven, sourceLength: 0, nodeCount: 0)
      let span = tree.source.span
      let operands = ["a", "b"].map { name in
        var name = name
        let number = name.withUTF8 { ir.attribute(root: .other, name: $0, rootIsOptional: false) }
        return ir.add(IRNode(kind: .variable, span: span, first: number))
      }
      _ = ir.add(kind, children: operands, span: span)
      let program = try Compiler.compile(ir)
      try program.verify()
      let opcodes = Set((0..<program.codeCount).map { program.code[$0].opcode })
      #expect(opcodes.isSuperset(of: [.requireBool, .reraise]))
      let decided = kind == .absorbingOr
      // One operand decides, whatever happens on the other side.
      for variables: [String: Value] in [["a": .bool(decided)], ["b": .bool(decided)]] {
        let outcome = program.run(Context(variables: variables))
        #expect(outcome.isIdentical(to: .value(.bool(decided))), "\(outcome)")
      }
      let open = program.run(Context(variables: ["a": .bool(!decided)]))
      #expect(open.isIdentical(to: .error))
      let other = program.run(Context(variables: ["a": 1, "b": .bool(!decided)]))
      #expect(other.isIdentical(to: .error))
    }
  }
}
