import ExpressionSyntax
import FilterCorpus
import Foundation
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Programs that were damaged are refused, or run within their bounds and end")
struct ProgramMutationTests {
  /// `make verify` sets it: a million mutations take minutes.
  private static let mutationCount =
    ProcessInfo.processInfo.environment["SWEXPR_MUTATIONS"].flatMap(Int.init) ?? 40_000

  private struct Tally {
    var refused = 0
    var accepted = 0
    var failed = 0
    var mistakes: [String] = []
  }

  private static let limits = EvaluationLimits(steps: 2_000, memory: 1 << 20)

  private static func generated(_ number: Int) -> [ProgramSample] {
    ProgramSample.generated(seed: UInt64(7_000_000 + number), limits: limits)
  }

  private static func corpus() throws -> [ProgramSample] {
    try ProgramSample.corpus(
      ["superscript", "cel", "limits", "fuzz-finds", "cookbook"], limits: limits)
  }

  @Test("every program of the compiler is sound")
  func sound() throws {
    let (count, mistakes) = try onThread(stack: 64 << 20) {
      var count = 0
      var mistakes: [String] = []
      let samples = ((try? Self.corpus()) ?? []) + (0..<3_000).flatMap { Self.generated($0) }
      for sample in samples {
        count += 1
        do { try sample.program.verify() } catch { mistakes.append("`\(sample.text)`: \(error)") }
      }
      return (count, mistakes)
    }
    for mistake in mistakes.prefix(20) { Issue.record("\(mistake)") }
    #expect(count > 10_000)
  }

  @Test("mutations of programs are refused, or stay within bounds and end")
  func mutations() throws {
    let tally = try onThread(stack: 64 << 20) {
      var tally = Tally()
      var random = SeededGenerator(seed: 19)
      let corpus = (try? Self.corpus()) ?? []
      var number = 0
      while tally.refused + tally.accepted < Self.mutationCount {
        number += 1
        var samples = Self.generated(number)
        if let other = corpus.randomElement(using: &random) { samples.append(other) }
        for sample in samples {
          for _ in 0..<40 { Self.tryMutation(of: sample, &random, &tally) }
        }
      }
      return tally
    }
    for mistake in tally.mistakes.prefix(20) { Issue.record("\(mistake)") }
    print(
      "\(tally.refused) mutations refused, \(tally.accepted) accepted, of which "
        + "\(tally.failed) runs failed")
    // Neither a verifier that refuses everything nor one that accepts everything passes.
    #expect(tally.refused > Self.mutationCount / 10)
    #expect(tally.accepted > Self.mutationCount / 20)
  }

  /// Changes one place of a program, runs it if it is accepted, and changes it back.
  private static func tryMutation(
    of sample: ProgramSample, _ random: inout SeededGenerator, _ tally: inout Tally
  ) {
    let program = sample.program
    let undo = Mutation.apply(to: program, &random)
    defer { undo() }
    do {
      try program.verify()
    } catch {
      tally.refused += 1
      return
    }
    tally.accepted += 1
    let header = UnsafePointer(program.header)
    for context in sample.contexts.map(\.context) {
      var machine = Machine(header)
      let value = VM.run(header, context.storage, &machine)
      if value.isA(.error) { tally.failed += 1 }
      // The result is read whole.
      if let copy = Value.copy(value, parts: 1 << 12), copy.kindName.isEmpty {
        tally.mistakes.append(sample.text)
      }
      guard let graph = header.pointee.graph else { continue }
      let branch = VM.follow(header, graph.decisions, context.roots, from: graph.start)
      if !branch.isOutcome { tally.mistakes.append("\(sample.text): no outcome") }
      if branch.skips { _ = VM.isSafe(header, context.roots) }
    }
  }
}

/// A change of a program in place.
private enum Mutation {
  /// Changes something at random.
  ///
  /// - Returns: How to change it back.
  static func apply(to program: Program, _ random: inout SeededGenerator) -> () -> Void {
    let kinds = program.header.pointee.graph == nil ? 6 : 9
    switch Int.random(in: 0..<kinds, using: &random) {
    case 0: return changeFrame(program, &random)
    case 1 where !program.handlers.isEmpty && program.handlers.count <= 8:
      return changeHandler(program, &random)
    case 0...5: return changeInstruction(program, &random)
    default: return changeDecision(program, &random)
    }
  }

  private static func near(_ number: Int, _ random: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: number &+ 1
    case 1: number &- 1
    case 2: number ^ (1 << Int.random(in: 0..<16, using: &random))
    default: Int.random(in: 0..<24, using: &random)
    }
  }

  private static func changeInstruction(
    _ program: Program, _ random: inout SeededGenerator
  ) -> () -> Void {
    let place =
      UnsafeMutablePointer(mutating: program.code)
      + Int.random(in: 0..<program.codeCount, using: &random)
    let old = place.pointee
    func replace(_ width: UInt64, at shift: UInt64, with value: Int) {
      let mask = width << shift
      place.pointee.word = old.word & ~mask | (UInt64(truncatingIfNeeded: value) << shift) & mask
    }
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      // Another opcode, mostly one that there is.
      replace(0xFF, at: 0, with: Int.random(in: 0..<(OpcodeTable.rows.count + 2), using: &random))
    case 1: replace(0xFF, at: 8, with: near(Int(old.x), &random))
    case 2: replace(0xFFFF, at: 16, with: near(old.a, &random))
    case 3: replace(0xFFFF, at: 32, with: near(old.b, &random))
    case 4: replace(0xFFFF, at: 48, with: near(old.c, &random))
    case 5: replace(0xFFFF_FFFF, at: 32, with: near(old.wide, &random))
    default:
      // Two instructions change places.
      let other =
        UnsafeMutablePointer(mutating: program.code)
        + Int.random(in: 0..<program.codeCount, using: &random)
      let otherOld = other.pointee
      place.pointee = otherOld
      other.pointee = old
      return {
        other.pointee = otherOld
        place.pointee = old
      }
    }
    return { place.pointee = old }
  }

  private static func changeHandler(
    _ program: Program, _ random: inout SeededGenerator
  ) -> () -> Void {
    guard let start = UnsafeMutablePointer(mutating: program.handlers.baseAddress) else {
      return {}
    }
    let place = start + Int.random(in: 0..<program.handlers.count, using: &random)
    let old = place.pointee
    switch Int.random(in: 0..<5, using: &random) {
    case 0: place.pointee.start = UInt32(truncatingIfNeeded: near(Int(old.start), &random))
    case 1: place.pointee.end = UInt32(truncatingIfNeeded: near(Int(old.end), &random))
    case 2: place.pointee.target = UInt32(truncatingIfNeeded: near(Int(old.target), &random))
    case 3:
      place.pointee.register = UInt16(truncatingIfNeeded: near(Int(old.register ?? 0), &random))
    default: place.pointee.register = nil
    }
    return { place.pointee = old }
  }

  private static func changeFrame(
    _ program: Program, _ random: inout SeededGenerator
  ) -> () -> Void {
    let header = program.header
    let old = header.pointee
    header.pointee = ProgramHeader(
      code: old.code, constants: old.constants, attributes: old.attributes,
      patterns: old.patterns, registerCount: Int.random(in: 0...old.registerCount, using: &random),
      rules: old.rules, limits: old.limits, graph: old.graph, program: old.program)
    return { header.pointee = old }
  }

  private static func changeDecision(
    _ program: Program, _ random: inout SeededGenerator
  ) -> () -> Void {
    guard let graph = program.header.pointee.graph, graph.count > 0 else { return {} }
    let decisions = UnsafeMutablePointer(mutating: graph.decisions)
    let place = decisions + Int.random(in: 0..<Int(graph.count), using: &random)
    let old = place.pointee
    func branch(_ branch: Decision.Branch) -> Decision.Branch {
      let outcomes: [Decision.Branch] = [.true, .false, .noMatch, .bailout]
      return Bool.random(using: &random)
        ? Decision.Branch(rawValue: UInt16(truncatingIfNeeded: near(branch.number, &random)))
        : outcomes[Int.random(in: 0..<4, using: &random)]
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: place.pointee.ifTrue = branch(old.ifTrue)
    case 1: place.pointee.ifFalse = branch(old.ifFalse)
    case 2: place.pointee.ifMissing = branch(old.ifMissing)
    case 3: place.pointee.ifFailed = branch(old.ifFailed)
    case 4: place.pointee.root = UInt8(truncatingIfNeeded: near(Int(old.root), &random))
    case 5: place.pointee.number = UInt16(truncatingIfNeeded: near(Int(old.number), &random))
    case 6: place.pointee.attribute = UInt16(truncatingIfNeeded: near(Int(old.attribute), &random))
    case 7: place.pointee.detail = UInt8(truncatingIfNeeded: near(Int(old.detail), &random))
    case 8:
      place.pointee.test =
        Decision.Test(rawValue: UInt8.random(in: 0..<31, using: &random)) ?? .compare
    default:
      let other = decisions[Int.random(in: 0..<Int(graph.count), using: &random)]
      place.pointee.constant =
        Bool.random(using: &random)
        ? other.constant : Slot(word0: old.constant.word0 ^ 8, word1: old.constant.word1)
    }
    return { place.pointee = old }
  }
}
