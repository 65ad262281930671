// The names are those of C, and the documentation is in the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import CSwexpr
import CampaignCore
import ExpressionCoding
import ExpressionEngine

// The functions of swexpr.h for campaigns.

@c @implementation
public func swexpr_campaign_create(
  _ config: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<CChar>?,
  _ optionsLength: Int, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let config = try TextArgument("config", config, length).string()
    let options =
      options == nil ? "{}" : try TextArgument("options", options, optionsLength).string()
    return Handle.make(try CampaignObject(config: config, CampaignOptions(json: options)))
  }
}

@c @implementation
public func swexpr_campaign_free(_ campaign: OpaquePointer?) {
  Handle<CampaignObject>.free(campaign)
}

@c @implementation
public func swexpr_campaign_notes(
  _ campaign: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let notes = try Handle<CampaignObject>.content(of: campaign, "campaign").diagnostics()
    let list = notes.map { note in
      Value(object: [
        "kind": .string(note.kind.rawValue), "path": .string(note.path),
        "message": .string(note.message),
      ])
    }
    return OwnedString.make(Value.list(list).jsonText())
  }
}

@c @implementation
public func swexpr_campaign_attributes(
  _ campaign: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let paths = try Handle<CampaignObject>.content(of: campaign, "campaign").attributes()
    return OwnedString.make(Value(texts: paths).jsonText())
  }
}

@c @implementation
public func swexpr_campaign_counts(
  _ campaign: OpaquePointer?, _ batch: OpaquePointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let campaign = try Handle<CampaignObject>.content(of: campaign, "campaign")
    let users = batch == nil ? nil : try Handle<ColumnBatch>.content(of: batch, "batch")
    return OwnedString.make(try campaign.counts(of: users).jsonText())
  }
}

@c @implementation
public func swexpr_campaign_decide(
  _ campaign: OpaquePointer?, _ placement: UnsafePointer<CChar>?, _ length: Int,
  _ context: UnsafePointer<CChar>?, _ contextLength: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let campaign = try Handle<CampaignObject>.content(of: campaign, "campaign")
    let placement = try TextArgument("placement", placement, length).string()
    let text = try TextArgument("context", context, contextLength).string()
    let attributes = try InterfaceError.describing { () throws(JSONError) in
      try Value(json: text, reading: Value.JSONReading(duplicates: .error))
    }
    return OwnedString.make(try campaign.decision(about: placement, attributes).jsonText())
  }
}
