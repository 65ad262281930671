import CampaignCore
import ExpressionEngine
import PaywallLogic

extension ReferenceQuestions {
  private static func event(_ given: Given) throws -> BuiltInEvent {
    guard let event = BuiltInEvent(rawValue: try given.text("event")) else {
      throw Given.Missing(name: "event")
    }
    return event
  }

  static func verbose(_ given: Given) throws -> Value {
    let verbose = VerboseEvents(
      areDisabled: try given.optional("areDisabled").map { _ in try given.flag("areDisabled") },
      isSandbox: try given.flag("isSandbox"))
    return ["isSent": .bool(verbose.sends(try event(given)))]
  }

  static func reservedName(_ given: Given) throws -> Value {
    ["isReserved": .bool(BuiltInEvent(rawValue: try given.text("name")) != nil)]
  }

  static func parameters(_ given: Given) throws -> Value {
    Value(object: AttributeSanitizer().placementParameters(try given.members("parameters")))
  }

  static func externalData(_ given: Given) throws -> Value {
    let name = try event(given)
    guard let sample = EventSamples.all.first(where: { $0.name == name }) else {
      throw Given.Missing(name: "a sample of \(name)")
    }
    return Value(
      object: Dictionary(
        uniqueKeysWithValues: EventTracking.allCases.map {
          ($0.rawValue, .bool($0.sends(sample)))
        }))
  }

  static func email(_ given: Given) throws -> Value {
    let text = try given.text("text")
    let changes = AttributeSanitizer().userAttributeChanges(["email": .string(text)])
    let stored = changes["email"] ?? nil
    return Value(members: ["isAccepted": .bool(stored != nil), "stored": stored])
  }

  static func link(_ given: Given) throws -> Value {
    let url = try given.text("url")
    let link = AppLink(url)
    return Value(members: [
      "isHandled": .bool(DeepLinkRouter().recognizes(url)),
      "isServiceLink": .bool(link.isServiceLink),
      "code": text(link.redemptionCode),
    ])
  }
}

/// A generator that always returns one number, so that `Double.random(in: 0..<1)` is a given one.
private struct ConstantGenerator: RandomNumberGenerator {
  let number: UInt64
  init(_ share: Double) { number = UInt64(share * 0x1p53) }
  mutating func next() -> UInt64 { number }
}

extension ReferenceQuestions {
  static func survey(_ given: Given) throws -> Value {
    guard let condition = Survey.Condition(rawValue: try given.text("condition")) else {
      throw Given.Missing(name: "condition")
    }
    var survey = Survey(id: "s", assignmentKey: "key", condition: condition)
    survey.options = [Survey.Option(id: "1", title: "one")]
    survey.probability = try given.double("probability")
    let surveys = Array(repeating: survey, count: Int(try given.number("surveys")))
    let isPurchase = try given.text("result") == "purchased"
    let reason: CloseReason =
      try given.text("reason") == "manualClose" ? .manualClose : .systemLogic
    var random = ConstantGenerator(try given.double("drawn"))
    let outcome = SurveyPicker.pick(
      from: surveys, after: isPurchase ? .purchased("p") : .declined, reason,
      storedKey: try given.optionalText("stored"), using: &random)
    let word: Value =
      switch outcome {
      case .none: "none"
      case .holdout: "holdout"
      case .show: "show"
      }
    return Value(members: ["outcome": word, "storedKey": text(outcome.storedKey)])
  }

  static func testMode(_ given: Given) throws -> Value {
    guard let behavior = TestMode.Behavior(rawValue: try given.text("behavior")) else {
      throw Given.Missing(name: "behavior")
    }
    var situation = TestMode.Situation(
      behavior: behavior, userIDs: Set(try given.texts("users")),
      testUserIDs: Set(try given.texts("testers")), bundleID: try given.optionalText("bundle"),
      configBundleID: try given.optionalText("configBundle"))
    var mode = TestMode()
    _ = mode.handle(.evaluated(situation, stored: TestMode.Settings()))
    let wasOn = mode.isOn
    var savesDefaults = false
    if let then = given.optional("then").map(Given.init) {
      let settings = TestMode.Settings(
        trialOverride: TestMode.TrialOverride(rawValue: try then.text("trial")) ?? .useDefault,
        entitlements: Set(try then.texts("entitlements")))
      _ = mode.handle(.modalClosed(settings))
      situation.testUserIDs = Set(try then.texts("testers"))
      let effects = mode.handle(.evaluated(situation, stored: settings))
      savesDefaults = effects.contains(.saveTestSettings(TestMode.Settings()))
    }
    let reason: Value? =
      switch mode.reason {
      case .option: "option"
      case .testUser: "testUser"
      case .bundleIDMismatch: "bundleIDMismatch"
      case nil: nil
      }
    return Value(members: [
      "isOn": .bool(mode.isOn), "reason": reason, "wasOn": .bool(wasOn),
      "savesDefaults": .bool(savesDefaults),
      "entitlements": Value(mode.settings.entitlements.sorted()),
      "trial": .string(mode.settings.trialOverride.rawValue),
    ])
  }
}
