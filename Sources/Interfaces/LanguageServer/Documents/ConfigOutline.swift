import CampaignCore
import ExpressionSyntax

/// The parts of a campaign config that the server shows, with their places in the JSON.
struct ConfigOutline {
  /// A placement with its audiences.
  struct Placement {
    /// The value of the whole placement.
    var node: Int
    /// Its name, if it has one.
    var name: Int?
    /// Its audiences.
    var audiences: [Audience]
  }

  /// An audience.
  struct Audience {
    /// The value of the whole audience.
    var node: Int
    /// Its experiment, if it has one.
    var experiment: Int?
    /// Its filter, if it has one.
    var filter: Int?
  }

  let json: JSONOutline
  /// The filters, in document order.
  let filters: [Int]
  /// The list of placements; `nil` if the document is not a campaign config.
  private let triggers: Int?

  init(_ document: [UInt8]) {
    let json = JSONOutline(document)
    let reader = Reader(json: json, document: document)
    self.json = json
    filters = reader.strings(named: CampaignCore.Audience.filterMember)
    triggers =
      json.nodes.isEmpty ? nil : reader.member(CampaignConfig.triggersMember, of: 0)
  }

  /// Whether the document is a campaign config.
  var isConfig: Bool { triggers != nil }

  /// Returns the placements in document order.
  func placements(in document: [UInt8]) -> [Placement] {
    triggers.map { Reader(json: json, document: document).placements(in: $0) } ?? []
  }

  /// Returns the place of a string without its quotes.
  func content(of node: Int) -> Range<Int> {
    let value = json.nodes[node]
    let end = value.isClosed ? value.span.upperBound - 1 : value.span.upperBound
    return value.span.lowerBound + 1..<end
  }

  /// Returns the place of a value in a config, or of the closest value around it.
  ///
  /// - Parameter path: A path as ``ConfigDiagnostic`` has it:
  ///   `trigger_options[0].rules[2].preload`.
  func span(at path: String, in document: [UInt8]) -> Range<Int> {
    guard !json.nodes.isEmpty else { return 0..<0 }
    var node = 0
    for step in path.split(whereSeparator: { $0 == "." || $0 == "[" || $0 == "]" }) {
      let children = json.children(of: node)
      let child: Int?
      if json.nodes[node].kind == .array {
        child = Int(step).flatMap { children.indices.contains($0) ? children[$0] : nil }
      } else {
        child = children.last { child in
          json.nodes[child].key.map {
            MemberName.snakeCased(String(decoding: document[$0], as: UTF8.self)) == step
          } ?? false
        }
      }
      guard let child else { break }
      node = child
    }
    return head(of: node)
  }

  /// Returns a short place that stands for a value: its name if it is a container of an object, the
  /// opening bracket of any other container, the value itself otherwise.
  private func head(of node: Int) -> Range<Int> {
    let value = json.nodes[node]
    switch value.kind {
    case .string, .other: return value.span
    case .object, .array:
      return value.key ?? value.span.lowerBound..<value.span.lowerBound + 1
    }
  }
}

/// Finds members of objects by name.
private struct Reader {
  let json: JSONOutline
  let document: [UInt8]

  /// Returns the strings that are members of a name, in either spelling.
  func strings(named name: MemberName) -> [Int] {
    document.withUnsafeBufferPointer { bytes in
      json.nodes.indices.filter { node in
        guard json.nodes[node].kind == .string, let key = json.nodes[node].key else { return false }
        return name.spelling(in: UnsafeBufferPointer(rebasing: bytes[key])) != nil
      }
    }
  }

  /// Returns whether a value is the member of a name, in either spelling.
  func isNamed(_ node: Int, _ name: MemberName) -> Bool {
    guard let key = json.nodes[node].key else { return false }
    return document.withUnsafeBufferPointer {
      name.spelling(in: UnsafeBufferPointer(rebasing: $0[key])) != nil
    }
  }

  func member(_ name: MemberName, of node: Int) -> Int? {
    guard json.nodes[node].kind == .object else { return nil }
    return json.children(of: node).last { isNamed($0, name) }
  }

  func placements(in node: Int) -> [ConfigOutline.Placement] {
    json.children(of: node).filter { json.nodes[$0].kind == .object }.map { trigger in
      let rules = member(CampaignTrigger.audiencesMember, of: trigger)
      return ConfigOutline.Placement(
        node: trigger, name: member(CampaignTrigger.placementMember, of: trigger),
        audiences: rules.map { audiences(in: $0) } ?? [])
    }
  }

  private func audiences(in node: Int) -> [ConfigOutline.Audience] {
    json.children(of: node).filter { json.nodes[$0].kind == .object }.map { audience in
      ConfigOutline.Audience(
        node: audience, experiment: member(CampaignCore.Audience.experimentMember, of: audience),
        filter: member(CampaignCore.Audience.filterMember, of: audience))
    }
  }
}
