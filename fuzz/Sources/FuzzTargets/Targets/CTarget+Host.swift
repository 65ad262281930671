import CSwexpr

/// A host whose functions do what the interface allows and no sane host does: they reply several
/// times, with anything or not at all, evaluate the filter that called them, and free what it was
/// made of. Their data are released once, when nothing needs them any more.
extension CTarget {
  /// Runs a filter with a host whose conduct the third part of an input chooses.
  static func hostile(
    _ text: UnsafeBufferPointer<CChar>, _ json: UnsafeBufferPointer<CChar>,
    _ conduct: UnsafeBufferPointer<UInt8>
  ) {
    let host = Host(conduct)
    let options = host.choices.below(2) == 0 ? plainOptions : taggedOptions
    var environment = swexpr_environment_create(
      options, options.utf8.count, Host.function, host.data, Host.release, nil)
    require(environment != nil, "no environment of a host")
    host.filter = swexpr_filter_create(text.baseAddress, text.count, environment, nil)
    host.context = swexpr_context_create(
      UInt32(SWEXPR_PLAIN), json.baseAddress, json.count, nil)
    if host.context == nil { host.context = swexpr_context_create(0, "{}", 2, nil) }
    let texts = [text.baseAddress, text.baseAddress]
    var set = swexpr_set_create(texts, [text.count, text.count], 2, environment, nil)
    for _ in 0..<4 {
      switch host.choices.below(6) {
      case 0:
        swexpr_environment_free(environment)
        environment = nil
      case 1: _ = swexpr_set_first_match(set, host.context, nil)
      case 2: swexpr_string_free(swexpr_set_evaluate(set, host.context, 0, nil))
      case 3: swexpr_string_free(swexpr_filter_explain(host.filter, host.context, nil))
      case 4:
        swexpr_set_free(set)
        set = nil
      default: host.evaluate()
      }
      let isNeeded = environment != nil || host.filter != nil || set != nil
      require(host.releases == (isNeeded ? 0 : 1), "released \(host.releases) times in use")
    }
    swexpr_filter_free(host.filter)
    host.filter = nil
    swexpr_set_free(set)
    swexpr_context_free(host.context)
    swexpr_environment_free(environment)
    require(host.releases == 1, "released \(host.releases) times")
    reference(text, conduct)
  }

  /// The functions of the reference get the same host, which nobody releases.
  private static func reference(
    _ text: UnsafeBufferPointer<CChar>, _ conduct: UnsafeBufferPointer<UInt8>
  ) {
    let host = Host(conduct)
    let bytes = UnsafeRawBufferPointer(text)
    let expression = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
      // Digits of JSON, so that every text is one.
      "\\u" + String(0x10000 + min(scalar.value, 0xFFFF), radix: 16).suffix(4)
    }.joined()
    let definition =
      #"{"variables":{"map":{}},"device":{"echo":[],"fails":[]},"computed":{"onlyC":[]},"#
      + #""expression":"\#(expression)"}"#
    let result = swexpr_reference_evaluate_with_context(
      definition, definition.utf8.count, Host.function, host.data)
    require(result != nil, "a function of the reference returns no text")
    swexpr_string_free(result)
    require(host.releases == 0, "data without a release are released")
    // The pointer to the host keeps nothing alive.
    withExtendedLifetime(host) {}
  }

  private static let functions =
    #""device": {"echo": [], "fails": []}, "computed": {"onlyC": []}, "steps": 20000"#
  private static let plainOptions = "{\(functions)}"
  private static let taggedOptions = #"{\#(functions), "values": "tagged"}"#

  /// A host; libFuzzer runs everything on one thread.
  private final class Host {
    var choices: InputChoices
    var filter: OpaquePointer?
    var context: OpaquePointer?
    var releases = 0
    private var depth = 0
    private var calls = 0

    init(_ conduct: UnsafeBufferPointer<UInt8>) { choices = InputChoices(conduct) }

    var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let function: swexpr_host = { data, name, arguments, reply in
      guard let data, let name, let arguments else { report("a host function without arguments") }
      let host = Unmanaged<Host>.fromOpaque(data).takeUnretainedValue()
      host.answer(name, arguments, reply)
    }

    static let release: swexpr_release = { data in
      guard let data else { report("a release without data") }
      Unmanaged<Host>.fromOpaque(data).takeUnretainedValue().releases += 1
      // What is released last may use the library, too.
      swexpr_string_free(swexpr_check("1 +", 3, nil, nil, 0, nil))
    }

    /// Evaluates the filter, which may call this host again.
    func evaluate() {
      swexpr_string_free(swexpr_filter_evaluate(filter, context, 0, nil))
    }

    private func answer(
      _ name: UnsafePointer<CChar>, _ arguments: UnsafePointer<CChar>, _ reply: OpaquePointer?
    ) {
      require(releases == 0, "a call after the release")
      calls += 1
      for _ in 0..<choices.below(3) {
        switch choices.below(8) {
        case 0: value(reply, arguments)
        case 1:
          value(
            reply, choices.pick(["5", "true", "[1, null]", "{\"a\": \"b\"}", "1e400", "", "{"]))
        case 2: value(reply, choices.pick(["{\"type\": \"uint\", \"value\": 7}", "\"\\u0000\""]))
        case 3:
          let bytes = (0..<choices.below(9)).map { _ in CChar(bitPattern: choices.byte()) }
          swexpr_reply_value(reply, bytes, bytes.count)
        case 4:
          let bytes = (0..<choices.below(9)).map { _ in CChar(bitPattern: choices.byte()) }
          swexpr_reply_error(reply, bytes, bytes.count)
        case 5: require(!swexpr_reply_value(reply, nil, choices.below(3)), "NULL is a value")
        case 6: require(!swexpr_reply_error(reply, nil, choices.below(3)), "NULL is a message")
        default:
          value(reply, String(repeating: "[", count: 300) + String(repeating: "]", count: 300))
        }
      }
      // Deep recursion is the host's own doing.
      guard depth < 3, calls < 40 else { return }
      depth += 1
      defer { depth -= 1 }
      switch choices.below(6) {
      case 0: evaluate()
      case 1: swexpr_string_free(swexpr_filter_explain(filter, context, nil))
      case 2:
        let other = swexpr_filter_create(name, -1, nil, nil)
        swexpr_string_free(swexpr_filter_evaluate(other, context, 0, nil))
        swexpr_filter_free(other)
      case 3:
        let other = swexpr_context_replacing(
          context, 2, 0, "{\"x\": 1}", -1, nil)
        swexpr_context_free(other)
      default: break
      }
    }

    private func value(_ reply: OpaquePointer?, _ text: String) {
      swexpr_reply_value(reply, text, text.utf8.count)
    }

    private func value(_ reply: OpaquePointer?, _ text: UnsafePointer<CChar>) {
      swexpr_reply_value(reply, text, -1)
    }
  }
}
