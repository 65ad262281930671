import Dispatch
import ExpressionCoding
import ExpressionEngine
import FilterCorpus
import Foundation
import Superscript
import TestSupport
import Testing

/// Ways in which a host calls its callback.
enum CallbackManner: CaseIterable {
  case atOnce
  case inTask
  case onQueue
  case onThreadLater
  case twice
  case manyTimes
}

/// Answers what a case says, by callback.
private final class CallbackHost: HostContext {
  let request: CaseRequest
  let manner: CallbackManner

  init(_ request: CaseRequest, _ manner: CallbackManner) {
    self.request = request
    self.manner = manner
  }

  func computedProperty(name: String, args: String, callback: ResultCallback) {
    reply(name, args, callback)
  }

  func deviceProperty(name: String, args: String, callback: ResultCallback) {
    reply(name, args, callback)
  }

  private func reply(_ name: String, _ args: String, _ callback: ResultCallback) {
    let text = answer(name, args)
    switch manner {
    case .atOnce: callback.onResult(result: text)
    case .inTask: Task { callback.onResult(result: text) }
    case .onQueue: DispatchQueue.global().async { callback.onResult(result: text) }
    case .onThreadLater:
      Thread.detachNewThread {
        usleep(200)
        callback.onResult(result: text)
      }
    case .twice:
      callback.onResult(result: text)
      callback.onResult(result: "another")
    case .manyTimes:
      callback.onResult(result: text)
      for _ in 0..<4 {
        DispatchQueue.global().async { callback.onResult(result: #"{"type":"int","value":-1}"#) }
      }
    }
  }

  private func answer(_ name: String, _ args: String) -> String {
    guard case .list(let values)? = try? PassableValue.read("{\"type\":\"list\",\"value\":\(args)}")
    else { return "arguments are no list of tagged values" }
    return request.hostAnswer(to: name, arguments: values)?.text ?? ""
  }
}

/// A host that keeps its callbacks.
private final class SilentHost: HostContext {
  let callbacks = Locked<[ResultCallback]>([])

  func computedProperty(name: String, args: String, callback: ResultCallback) {
    callbacks.withLock { $0.append(callback) }
  }

  func deviceProperty(name: String, args: String, callback: ResultCallback) {
    callbacks.withLock { $0.append(callback) }
  }
}

@Suite("The reference's Swift module")
struct BindingsTests {
  /// The cases of the reference's interface, as definitions, with the answers that are right.
  private static func cases() throws -> [(id: String, json: String, request: CaseRequest)] {
    var result: [(String, String, CaseRequest)] = []
    for item in try CaseFile.cases(at: TestFiles.path("corpus/superscript")) {
      switch item.request.question {
      case .definition(let json): result.append((item.id, json, item.request))
      case .expression(let text):
        result.append((item.id, DropIn.definition(item.request) { $0.string(text) }, item.request))
      }
    }
    for name in ["superscript-definitions-open.jsonl", "superscript-open.jsonl"] {
      guard let text = TestFiles.sharedText("conformance/\(name)") else { continue }
      for item in try ConformanceReader.read(text, path: name) {
        guard case .definition(let json) = item.request.question else { continue }
        result.append((item.id, json, item.request))
      }
    }
    return result
  }

  @Test(
    "callbacks of every manner, from eight tasks at once, give what a host that replies at once gives",
    arguments: CallbackManner.allCases.indices)
  func cases(_ number: Int) async throws {
    let manners = CallbackManner.allCases
    let manner = manners[number]
    let all = try Self.cases()
    // Each case in one manner, and with more effort in all of them.
    let cases = all.indices.filter { Effort.factor > 1 || $0 % manners.count == number }
      .map { all[$0] }
    #expect(all.count > 1_000)
    let mistakes = await withTaskGroup(of: [String].self) { group in
      for part in 0..<8 {
        group.addTask {
          var mistakes: [String] = []
          for index in stride(from: part, to: cases.count, by: 8) {
            let (id, json, request) = cases[index]
            let wanted = ReferenceInterface.evaluateWithContext(
              definition: json, host: CaseHost(request: request))
            let found = evaluateWithContext(
              definition: json, context: CallbackHost(request, manner))
            if found != wanted { mistakes.append("\(id): \(found), not \(wanted)") }
          }
          return mistakes
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(mistakes == [])
  }

  @Test(
    "eight tasks get results from tasks, whatever their priority and however few threads there are",
    arguments: [TaskPriority.background, .low, .medium, .high])
  func fewThreads(_ priority: TaskPriority) async {
    let evaluator = AudienceEvaluator()
    let answers = await withTaskGroup(of: AudienceEvaluator.Answer?.self) { group in
      for number in 0..<64 {
        group.addTask(priority: priority) {
          await evaluator.evaluate(
            "user.n == \(number) && device.daysSince(\"app_open\") == 3"
              + " && computed.daysSince(\"never\") == null", user: ["n": .int(number)])
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let right = AudienceEvaluator.Answer(value: .bool(true), message: nil)
    #expect(answers.count == 64 && answers.allSatisfy { $0 == right })
  }

  @Test("a callback that is never called ends with an error after the time limit")
  func never() async {
    let definition =
      #"{"variables":{"map":{}},"device":{"days":[]},"computed":{"days":[]},"#
      + #""expression":"maybe(1, device.days(), true) || computed.days() == 3 || true"}"#
    let host = SilentHost()
    let start = ContinuousClock.now
    let answer = evaluateWithContext(
      definition: definition, context: host, timeLimit: .milliseconds(60))
    #expect(answer.hasPrefix(#"{"Err":"`"#) && answer.contains("did not call its callback within"))
    // The limit is that of the evaluation, not of each call.
    #expect(ContinuousClock.now - start < .seconds(3))
    let callbacks = host.callbacks.withLock { $0 }
    #expect(callbacks.count == 1)
    for callback in callbacks { callback.onResult(result: "late") }
    for limit in [Value.Duration.seconds(0), .seconds(-3)] {
      #expect(
        evaluateWithContext(definition: definition, context: host, timeLimit: limit)
          .hasPrefix(#"{"Err":"#))
    }
    ResultCallback(noPointer: .init()).onResult(result: "")
  }

  @Test("trees are parsed and evaluated by the same names")
  func trees() {
    let tree = parseToAst(expression: "1 + 2")
    #expect(evaluateAst(ast: tree) == #"{"Ok":{"type":"int","value":3}}"#)
    let call = parseToAst(expression: #"device.daysSince("app_open") + 1"#)
    let answer = evaluateAstWithContext(
      definition: #"{"variables":{"map":{}},"device":{"daysSince":[]},"expression":\#(call)}"#,
      context: HistoryContext())
    #expect(answer == #"{"Ok":{"type":"int","value":4}}"#)
    for text in ["", "{", "null", "nonsense"] {
      #expect(evaluateWithContext(definition: text, context: SilentHost()).hasPrefix(#"{"Err":"#))
      #expect(evaluateAst(ast: text).hasPrefix(#"{"Err":"#))
    }
  }

  /// The signatures that the reference's bindings generate.
  @Test("functions have the reference's types")
  func signatures() {
    let functions: [(String, any HostContext) -> String] = [
      evaluateWithContext(definition:context:), evaluateAstWithContext(definition:context:),
    ]
    let texts: [(String) -> String] = [evaluateAst(ast:), parseToAst(expression:)]
    #expect(functions.count + texts.count == 4)
    let host: any AnyObject & Sendable = SilentHost()
    #expect(host is any HostContext)
  }
}
