// What a list of audiences leaves for each of them, for the campaign view of a page.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import AudienceFilters
public import CSwexpr
import ExpressionCoding
import ExpressionEngine
import FilterAnalysis
import LanguageService

/// Returns what filters that are tried in order leave for each other: `{"places": [{"matches",
/// "reached", "takenBy", "sharesUsersWith"}], "others"}`, where a reach is `"some"`, `"none"` or
/// `"undecided"`.
///
/// `entries` is a JSON array of `[filter or null, whether it keeps its users]`.
@c
public func swexpr_wasm_order(
  _ language: OpaquePointer?, _ entries: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let language = try Handle<FilterLanguage>.content(of: language, "language")
    let text = try TextArgument("entries", entries, length).string()
    let order = AudienceOrder(
      try orderEntries(text), environment: FilterEnvironment(dialect: .named(language.dialect)),
      schema: language.schema)
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("places")
    writer.beginArray()
    for place in order.places {
      writer.beginObject()
      writer.key("matches")
      writer.string(place.matches.rawValue)
      writer.key("reached")
      writer.string(place.reached.rawValue)
      for (name, numbers) in [
        ("takenBy", place.takenBy), ("sharesUsersWith", place.sharesUsersWith),
      ] {
        writer.key(name)
        writer.beginArray()
        for number in numbers { writer.uint(UInt64(number)) }
        writer.endArray()
      }
      writer.endObject()
    }
    writer.endArray()
    writer.key("others")
    writer.string(order.others.rawValue)
    writer.endObject()
    return OwnedString.make(writer.text)
  }
}

private func orderEntries(_ text: String) throws(InterfaceError) -> [AudienceOrder.Entry] {
  guard case .list(let elements)? = try? Value(json: text) else {
    throw InterfaceError("`entries` is not a JSON array")
  }
  var entries: [AudienceOrder.Entry] = []
  for element in elements {
    guard case .list(let pair) = element, pair.count == 2, case .bool(let keepsUsers) = pair[1]
    else { throw InterfaceError("an entry is not a filter and a bool") }
    switch pair[0] {
    case .string(let filter):
      entries.append(AudienceOrder.Entry(filter: filter, keepsUsers: keepsUsers))
    case .bool(let truth):
      // The texts "true" and "false" are read as bools.
      entries.append(AudienceOrder.Entry(filter: "\(truth)", keepsUsers: keepsUsers))
    case .null: entries.append(AudienceOrder.Entry(filter: nil, keepsUsers: keepsUsers))
    default: throw InterfaceError("an entry is not a filter and a bool")
    }
  }
  return entries
}
