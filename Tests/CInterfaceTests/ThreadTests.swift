import CSwexpr
import ExpressionEngine
import Foundation
import Testing

@Suite("Threads and the C interface")
struct ThreadTests {
  /// Runs a body on threads of their own, with the stack that the header demands, and waits for
  /// all.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      let thread = Thread {
        body(number)
        group.leave()
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    group.wait()
  }

  @Test("eight threads share one environment, filter, set and context")
  func shared() throws {
    let host = TestHost { _, arguments, reply in
      swexpr_reply_value(reply, String(arguments.dropFirst().dropLast()), -1)
    }
    let wrong = Locked<[String]>([])
    try host.withEnvironment(#"{"device": {"same": []}}"#) { environment in
      try Calls.withFilter("device.same(user.n) + params.n", environment) { filter in
        try Calls.withSet(["params.n > 900", "params.n % 2 == 0", "true"]) { set in
          try Calls.withContext(#"{"user": {"n": 1000}}"#) { context in
            nonisolated(unsafe) let (filter, set, context) = (filter, set, context)
            onThreads(8) { thread in
              for step in 0..<100 {
                let number = thread * 100 + step
                let json = #"{"n": \#(number)}"#
                guard
                  let own = swexpr_context_replacing(
                    context, swexpr_layer(SWEXPR_PARAMS), swexpr_format(SWEXPR_PLAIN), json, -1, nil
                  )
                else { return wrong.withLock { $0.append("no context \(number)") } }
                defer { swexpr_context_free(own) }
                let sum = try? Calls.evaluate(filter, own)
                let first = swexpr_set_first_match(set, own, nil)
                let reasons = Calls.take(swexpr_filter_explain(filter, own, nil))
                if sum != "\(number + 1000)" || first != (number % 2 == 0 ? 1 : 2)
                  || reasons?.contains("\(number + 1000)") != true
                {
                  wrong.withLock { $0.append("\(number): \(sum ?? "no value"), \(first)") }
                }
              }
            }
          }
        }
      }
    }
    #expect(wrong.withLock { $0 } == [])
    #expect(host.calls.withLock { $0 } >= 800)
    #expect(host.releases.withLock { $0 } == 1)
  }

  @Test("eight threads create and free objects of their own")
  func own() {
    let right = Locked(0)
    onThreads(8) { thread in
      for step in 0..<50 {
        let isRight = try? Calls.evaluate("user.a + \(step)", #"{"user": {"a": \#(thread)}}"#)
        let error = #expect(throws: CError.self) { try Calls.evaluate("user.", "{}") }
        if isRight == "\(thread + step)", error != nil { right.withLock { $0 += 1 } }
      }
    }
    #expect(right.withLock { $0 } == 400)
  }

  @Test("a small thread is enough for what nests deepest")
  func stack() {
    let depth = 200
    let text =
      String(repeating: "(", count: depth) + "user.a" + String(repeating: ")", count: depth)
    let results = Locked<[String]>([])
    onThreads(1) { _ in
      for source in [text, "[\(text)]", String(repeating: "!", count: 5_000) + "user.a"] {
        let result =
          (try? Calls.evaluate(source, #"{"user": {"a": true}}"#)) == nil ? "error" : "value"
        results.withLock { $0.append(result) }
        #expect(Calls.take(swexpr_check(source, -1, nil, nil, 0, nil)) != nil)
      }
    }
    #expect(results.withLock { $0 }.count == 3)
  }
}
