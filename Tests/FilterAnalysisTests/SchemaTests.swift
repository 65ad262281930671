import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import Testing

@Suite("Schemas") struct SchemaTests {
  @Test("the built-in vocabulary is consistent")
  func builtIn() {
    #expect(AttributeSchema.builtIn.attributes.count > 150)
    for attribute in AttributeSchema.builtIn.sorted {
      #expect(
        ["user", "device", "params"].contains { attribute.path.hasPrefix("\($0).") },
        "\(attribute.path)")
      #expect(!attribute.summary.isEmpty, "\(attribute.path)")
      if !attribute.values.isEmpty || attribute.format != nil {
        // A part that a link does not have is null.
        let isLink = attribute.format?.isLinkPart == true
        #expect(attribute.type == (isLink ? .any : .string), "\(attribute.path)")
      }
      if attribute.format == .version,
        ["device.appVersion", "device.sdkVersion"].contains(attribute.path)
      {
        #expect(AttributeSchema.builtIn[attribute.path + "Padded"]?.format == .paddedVersion)
      }
    }
    #expect(AttributeSchema.builtIn["device.interfaceType"]?.values.contains("iphone") == true)
    #expect(AttributeSchema.builtIn["device.isSandbox"]?.type == .bool)
  }

  @Test("families of attributes are known by their beginning")
  func families() throws {
    let path: AttributePath = "user.acquisition_source"
    #expect(AttributeSchema.builtIn.attribute(at: path)?.type == .string)
    let legacy: AttributePath = "device.daysSince_app_open"
    #expect(AttributeSchema.builtIn.attribute(at: legacy)?.type == .int)
  }

  @Test("a schema reads back what it writes")
  func roundTrip() throws {
    let again = try AttributeSchema(json: AttributeSchema.builtIn.jsonText())
    #expect(again.attributes.keys.sorted() == AttributeSchema.builtIn.attributes.keys.sorted())
    #expect(again.hostFunctions == AttributeSchema.builtIn.hostFunctions)
    #expect(again.closedRoots == AttributeSchema.builtIn.closedRoots)
    for attribute in again.sorted {
      #expect(attribute.type == AttributeSchema.builtIn[attribute.path]?.type)
      #expect(attribute.values == AttributeSchema.builtIn[attribute.path]?.values)
      #expect(attribute.isOptional == AttributeSchema.builtIn[attribute.path]?.isOptional)
    }
  }

  @Test("short forms are understood")
  func shortForms() throws {
    let schema = try AttributeSchema(
      json: #"{"user": {"plan": "string", "age": {"type": "int", "optional": true}}}"#)
    #expect(schema["user.plan"]?.type == .string)
    #expect(schema["user.age"]?.isOptional == true)
    #expect(schema.closedRoots == ["user"])
  }

  static let wrong: [(String, String)] = [
    ("[]", "a schema is a JSON object"),
    (#"{"attributes": 1}"#, "`attributes` must be an object of attributes by path"),
    (#"{"user.age": "integr"}"#, "`user.age` has the unknown type \"integr\""),
    (#"{"user.age": 3}"#, "`user.age` must be a type such as \"int\""),
    (#"{"user.v": {"type": "string", "format": "semver"}}"#, "unknown format \"semver\""),
    (#"{"user.age": "int", "closed": 3}"#, "`closed` must be a list of roots"),
    ("{", "the schema is not JSON"),
  ]

  @Test("what is wrong with a schema is named", arguments: wrong)
  func mistakes(text: String, message: String) {
    do throws(AttributeSchema.ReadingError) {
      _ = try AttributeSchema(json: text)
      Issue.record("it reads")
    } catch {
      #expect(error.description.contains(message), "\(error)")
    }
  }

  @Test("inference counts, joins types, and finds formats and values")
  func inference() throws {
    let samples: [Context] = (0..<30).map { index in
      var user: [String: Value] = [
        "plan": index % 2 == 0 ? "free" : "pro", "id": .string("u\(index)"),
        "score": index == 0 ? 1.5 : .int(Int64(index)), "flag": index % 2 == 0 ? "true" : "false",
        "mixed": index % 2 == 0 ? 1 : "a", "tags": index == 0 ? [] : ["a"],
        "address": ["city": "Oslo"],
      ]
      if index < 10 { user["age"] = .int(Int64(index)) }
      if index == 3 { user["plan"] = .null }
      return Context(
        user: Context.Layer(user),
        device: Context.Layer(
          ["appVersion": .string("2.\(index).0"), "day": "2026-03-01"] as [String: Value]))
    }
    let schema = AttributeSchema(inferring: samples)
    #expect(schema["user.plan"]?.values == ["free", "pro"])
    #expect(schema["user.plan"]?.isOptional == true)
    #expect(schema["user.plan"]?.count == 29)
    #expect(schema["user.id"]?.values == [])
    #expect(schema["user.id"]?.isOptional == false)
    #expect(schema["user.score"]?.type == .number)
    #expect(schema["user.flag"]?.type == .bool)
    #expect(schema["user.mixed"]?.type == .any)
    #expect(schema["user.tags"]?.type == .list(.string))
    #expect(schema["user.address"]?.type == .map)
    #expect(schema["user.address.city"]?.type == .string)
    #expect(schema["user.age"]?.isOptional == true)
    #expect(schema["device.appVersion"]?.format == .version)
    #expect(schema["device.appVersion"]?.summary == "the version of the app")
    #expect(schema["device.day"]?.format == .date)
    #expect(schema.closedRoots == ["user", "device"])
    #expect(try AttributeSchema(json: schema.jsonText())["user.plan"] == schema["user.plan"])
    // What was inferred finds the misspelling.
    let found = try Filter("user.plann == \"pro\"").check(schema: schema)
    #expect(found.map(\.id) == [.unknownAttribute])
  }

  @Test("inference proposes formats and units where names and values agree")
  func proposals() throws {
    let users: [[String: Value]] = [
      [
        "homeCountry": "SE", "language": "sv", "locale": "sv_SE", "currency": "SEK",
        "time_zone": "Europe/Stockholm", "zip": "11122", "price": "9.99", "wins": "3", "name": "DE",
        "trialDays": 7, "minutesPlayed": 30, "score": 80, "winRate": 0.25, "utcOffset": 3_600,
        "yearOfBirth": 1_990, "logins": 3,
      ],
      [
        "homeCountry": "NO", "language": "nb", "locale": "nb_NO", "currency": "NOK",
        "time_zone": "Europe/Oslo", "zip": "0150", "price": "19", "wins": "12", "name": "NO",
        "trialDays": 14, "minutesPlayed": 400, "score": 15, "winRate": 0.75, "utcOffset": 7_200,
        "yearOfBirth": 1_980, "logins": 90,
      ],
    ]
    let schema = AttributeSchema(inferring: users.map { Context(user: Context.Layer($0)) })
    let formats: [(String, AttributeSchema.Attribute.Format?)] = [
      ("homeCountry", .region), ("language", .language), ("locale", .locale),
      ("currency", .currency), ("time_zone", .timeZone), ("zip", nil), ("price", .decimal),
      ("wins", .integer), ("name", nil),
    ]
    for (name, format) in formats { #expect(schema["user.\(name)"]?.format == format, "\(name)") }
    let units: [(String, AttributeSchema.Attribute.Unit?)] = [
      ("trialDays", .days), ("minutesPlayed", .minutes), ("score", .points), ("winRate", .factor),
      ("utcOffset", .offset), ("yearOfBirth", nil), ("logins", nil),
    ]
    for (name, unit) in units { #expect(schema["user.\(name)"]?.unit == unit, "\(name)") }
  }
}
