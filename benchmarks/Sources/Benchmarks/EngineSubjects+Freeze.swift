import AudienceFilters
import ExpressionEngine
import Harness

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EngineSubjects {
  /// Making contexts from what a host has: Swift dictionaries, or JSON text.
  func freeze() throws -> [BenchmarkCase] {
    let (user, device, params, context) = (user, device, params, context)
    let all = try json(["user": user, "device": device, "params": params])
    let parameters = try json(params)
    func row(_ name: String, _ loop: @escaping (Int) -> UInt64) -> BenchmarkCase {
      BenchmarkCase(
        name: name, subjects: [ClosureSubject(name: "engine", expectedSum: 1, loop: loop)])
    }
    return [
      row("all, from dictionaries") { iterations in
        repeatMaking(count: iterations) { Context(user: user, device: device, params: params) }
      },
      row("all, from JSON (\(all.utf8.count) bytes)") { iterations in
        repeatMaking(count: iterations) { try? Context(json: all) }
      },
      row("params only, from a dictionary") { iterations in
        repeatMaking(count: iterations) { context.replacing(params: params) }
      },
      row("params only, from JSON (\(parameters.utf8.count) bytes)") { iterations in
        repeatMaking(count: iterations) {
          (try? Context.Layer(json: parameters)).map { context.replacing(params: $0) }
        }
      },
    ]
  }

  private func json(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONEncoder().encode(Encoded(object)), as: UTF8.self)
  }

  /// What `JSONDecoder` made, back to JSON.
  private struct Encoded: Encodable {
    let value: Any

    init(_ value: Any) { self.value = value }

    func encode(to encoder: any Encoder) throws {
      switch value {
      case let map as [String: Any]: try map.mapValues { Encoded($0) }.encode(to: encoder)
      case let list as [Any]: try list.map { Encoded($0) }.encode(to: encoder)
      case let scalar as any Encodable: try scalar.encode(to: encoder)
      default:
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      }
    }
  }
}

/// Keeps the optimiser from dropping a value that nobody reads.
@inline(never)
private func consume(_ context: borrowing Context) -> UInt64 { 1 }

@inline(never)
private func repeatMaking(count: Int, _ make: () -> Context?) -> UInt64 {
  var made: UInt64 = 0
  for _ in 0..<count {
    if let context = make() { made &+= consume(context) }
  }
  return made
}
