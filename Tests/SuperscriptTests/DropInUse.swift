import Foundation
import Superscript

// An SDK's use of the reference's module: nothing here is imported but that and Foundation. It
// compiles with either module.

/// A tagged value, as the SDK has its own.
indirect enum Tagged: Codable, Equatable {
  case int(Int)
  case bool(Bool)
  case string(String)
  case list([Tagged])
  case map([String: Tagged])
  case null

  private enum Key: String, CodingKey { case type, value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(String.self, forKey: .type) {
    case "int": self = .int(try container.decode(Int.self, forKey: .value))
    case "bool": self = .bool(try container.decode(Bool.self, forKey: .value))
    case "string": self = .string(try container.decode(String.self, forKey: .value))
    case "list": self = .list(try container.decode([Tagged].self, forKey: .value))
    case "map": self = .map(try container.decode([String: Tagged].self, forKey: .value))
    default: self = .null
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func write(_ type: String, _ value: some Encodable) throws {
      try container.encode(type, forKey: .type)
      try container.encode(value, forKey: .value)
    }
    switch self {
    case .int(let value): try write("int", value)
    case .bool(let value): try write("bool", value)
    case .string(let value): try write("string", value)
    case .list(let value): try write("list", value)
    case .map(let value): try write("map", value)
    case .null: try write("Null", String?.none)
    }
  }
}

/// The SDK's history of events.
actor EventHistory {
  private var days: [String: Int] = ["app_open": 3]

  func daysSince(_ event: String) -> Int? { days[event] }
}

/// The SDK's implementation of the host functions, whose results come from tasks.
final class HistoryContext: HostContext {
  private let history = EventHistory()

  func computedProperty(name: String, args: String, callback: ResultCallback) {
    reply(to: name, args, callback)
  }

  func deviceProperty(name: String, args: String, callback: ResultCallback) {
    reply(to: name, args, callback)
  }

  private func reply(to name: String, _ args: String, _ callback: ResultCallback) {
    Task {
      guard name == "daysSince", let data = args.data(using: .utf8),
        let values = try? JSONDecoder().decode([Tagged].self, from: data),
        case .string(let event)? = values.first, let days = await history.daysSince(event),
        let result = try? JSONEncoder().encode(Tagged.int(days)),
        let text = String(data: result, encoding: .utf8)
      else {
        callback.onResult(result: "")
        return
      }
      callback.onResult(result: text)
    }
  }
}

/// The SDK's evaluator.
struct AudienceEvaluator {
  struct Definition: Encodable {
    struct Variables: Encodable { let map: [String: Tagged] }

    let variables: Variables
    let computed: [String: [Tagged]]
    let device: [String: [Tagged]]
    let expression: String
  }

  struct Answer: Decodable, Equatable {
    let value: Tagged?
    let message: String?

    private enum CodingKeys: String, CodingKey {
      case value = "Ok"
      case message = "Err"
    }
  }

  let context = HistoryContext()

  func evaluate(_ expression: String, user: [String: Tagged]) async -> Answer? {
    let functions = ["daysSince": [Tagged.string("event_name")]]
    let definition = Definition(
      variables: .init(map: ["user": .map(user)]), computed: functions, device: functions,
      expression: expression)
    guard let data = try? JSONEncoder().encode(definition),
      let json = String(data: data, encoding: .utf8),
      let result = evaluateWithContext(definition: json, context: context).data(using: .utf8)
    else { return nil }
    return try? JSONDecoder().decode(Answer.self, from: result)
  }
}
