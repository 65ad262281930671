import AudienceFilters
import CampaignCore
import ExpressionEngine
import Testing

/// Contexts that were read with a selection against contexts that have everything.
@Suite("Reading only what filters read")
struct ContextReaderTests {
  private static let filters = [
    "user.age >= 18 && device.platform == \"iOS\"", "user.plan == null || params.days > 2",
    "user.tags.contains(\"a\") && user.deep.x == 1",
    "device.platform != \"iOS\" && user.flag == true",
    "user.age == \"7\" || user.plan == \"7\"",
  ]
  private static let values = [
    "7", "18", "-1.5", "1e3", "null", "true", "\"true\"", "\"iOS\"", "\"7\"", "\"é\\n\"",
    "[\"a\", 1]", "[]", "{\"x\": 1}", "{\"x\": {\"y\": [null]}}",
  ]
  private static let names = ["age", "plan", "tags", "deep", "flag", "platform", "days", "x", ""]

  private static func object(_ random: SeededRandomSource) -> String {
    let members = (0..<random.uniform(below: 6)).map { _ in
      let name = names[Int(random.uniform(below: UInt64(names.count)))]
      let value = values[Int(random.uniform(below: UInt64(values.count)))]
      return "\"\(name)\" : \(value)"
    }
    return "{" + members.joined(separator: ", ") + "}"
  }

  /// A reader that `#expect` can look into, which it cannot with a value that is not copyable.
  private final class Records {
    private var reader: ContextReader

    init(_ reader: consuming ContextReader) { self.reader = reader }

    func read(_ text: String) throws -> Context {
      try Array(text.utf8).withUnsafeBufferPointer { try reader.read($0) }
    }

    func reads(user name: String) -> Bool { reader.reads(user: name) }

    func setDefault(user name: String, to value: Value) { reader.setDefault(user: name, to: value) }
  }

  @Test("filters answer the same over a selection as over everything")
  func agreement() throws {
    let random = SeededRandomSource(seed: 11)
    for selected in [Self.filters, ["size(user) > 1 && device.platform == \"iOS\""]] {
      let filters = try selected.map { try Filter($0) }
      let records = Records(ContextReader(for: filters.map(\.requirements)))
      for _ in 0..<2_000 {
        let user = Self.object(random)
        let isBare = random.uniform(below: 3) == 0
        let (device, params) = (Self.object(random), Self.object(random))
        let record =
          isBare
          ? user : "{\"id\": [1], \"user\": \(user), \"device\": \(device), \"params\": \(params)}"
        let full = Context(
          user: try Context.Layer(json: user),
          device: isBare ? Context.Layer() : try Context.Layer(json: device),
          params: isBare ? Context.Layer() : try Context.Layer(json: params))
        let context = try records.read(record)
        for filter in filters {
          #expect(filter.matches(context) == filter.matches(full), "\(filter.text) over \(record)")
        }
      }
    }
  }

  @Test("defaults hold where a record says nothing")
  func defaults() throws {
    let filter = try Filter("user.seed == 5 && device.hour == 3")
    let records = Records(
      ContextReader(
        for: [filter.requirements], userDefaults: ["seed": 1, "unread": 1],
        deviceDefaults: ["hour": 3]))
    #expect(records.reads(user: "seed"))
    #expect(!records.reads(user: "unread"))
    #expect(try !filter.matches(records.read("{}")))
    records.setDefault(user: "seed", to: 5)
    for record in ["{}", "{\"device\": {}}", "{\"user\": {}}", "{\"user\": {\"seed\": 5}}"] {
      #expect(try filter.matches(records.read(record)), "\(record)")
    }
    #expect(try !filter.matches(records.read("{\"seed\": 4}")))
    #expect(try !filter.matches(records.read("{\"device\": {\"hour\": 4}}")))
  }

  @Test(
    "what is no object, or is broken, is an error, and the next record is read as usual",
    arguments: [
      "", "1", "[{}]", "{", "{\"user\": {}", "{\"user\": {\"age\": }}", "{} {}", "{\"a\" 1}",
    ])
  func errors(_ record: String) throws {
    let filter = try Filter("user.age > 1")
    let records = Records(ContextReader(for: [filter.requirements]))
    #expect(throws: JSONError.self) { try records.read(record) }
    #expect(try filter.matches(records.read("{\"user\": {\"age\": 2}}")))
    #expect(throws: JSONError.self) { try records.read(record) }
    #expect(try filter.matches(records.read("{\"age\": 2}")))
    #expect(throws: JSONError.self) { try records.read(record) }
  }
}
