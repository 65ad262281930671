// The names are those of C, and the documentation is in the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CSwexpr
import ExpressionCoding
import ExpressionEngine
import ExpressionPrinting

// The functions of swexpr.h for sets of filters.

@c @implementation
public func swexpr_set_create(
  _ texts: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int>?, _ count: Int,
  _ environment: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    guard count >= 0 else { throw InterfaceError("`count` is out of range") }
    let environment = try CInterface.environment(environment)
    var filters: [String] = []
    if count > 0 {
      guard let texts else { throw InterfaceError.missing("texts") }
      for index in 0..<count {
        do throws(InterfaceError) {
          filters.append(try TextArgument("texts", texts[index], lengths?[index] ?? -1).string())
        } catch {
          throw InterfaceError("filter \(index): \(error)")
        }
      }
    }
    return Handle.make(
      try InterfaceError.describing { () throws(FilterError) in
        try FilterSet(texts: filters, environment: environment)
      })
  }
}

@c @implementation
public func swexpr_set_free(_ set: OpaquePointer?) { Handle<FilterSet>.free(set) }

@c @implementation
public func swexpr_set_count(_ set: OpaquePointer?) -> Int {
  reporting(to: nil, or: 0) { () throws(InterfaceError) in
    try Handle<FilterSet>.content(of: set, "set").count
  }
}

@c @implementation
public func swexpr_set_attributes(
  _ set: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let set = try Handle<FilterSet>.content(of: set, "set")
    var paths: Set<String> = []
    for filter in set.filters {
      for attribute in filter.requirements.attributes { paths.insert(attribute.path) }
    }
    var writer = JSONWriter()
    writer.beginArray()
    for path in paths.sorted() { writer.string(path) }
    writer.endArray()
    return OwnedString.make(writer.text)
  }
}

@c @implementation
public func swexpr_set_first_match(
  _ set: OpaquePointer?, _ context: OpaquePointer?,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int {
  reporting(to: error, or: -1) { () throws(InterfaceError) in
    try Handle<FilterSet>.content(of: set, "set")
      .indexOfFirstMatch(try Handle<Context>.content(of: context, "context")) ?? -1
  }
}

@c @implementation
public func swexpr_set_matches(
  _ set: OpaquePointer?, _ context: OpaquePointer?, _ indices: UnsafeMutablePointer<Int>?,
  _ capacity: Int, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int {
  reporting(to: error, or: -1) { () throws(InterfaceError) in
    let set = try Handle<FilterSet>.content(of: set, "set")
    let context = try Handle<Context>.content(of: context, "context")
    guard capacity >= 0 else { throw InterfaceError("`capacity` is out of range") }
    guard indices != nil || capacity == 0 else { throw InterfaceError.missing("indices") }
    let matches = set.matchingIndices(context)
    for (place, index) in matches.prefix(capacity).enumerated() { indices?[place] = index }
    return matches.count
  }
}

@c @implementation
public func swexpr_set_evaluate(
  _ set: OpaquePointer?, _ context: OpaquePointer?, _ format: swexpr_format,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> UnsafeMutablePointer<CChar>? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    let set = try Handle<FilterSet>.content(of: set, "set")
    let context = try Handle<Context>.content(of: context, "context")
    let format = try ValueFormat(format)
    guard format != .literal else { throw ValueFormat.literalIsNotJSON }
    var writer = JSONWriter()
    writer.beginArray()
    for result in set.evaluate(context) {
      writer.beginObject()
      switch result {
      case .success(let value):
        writer.key("value")
        try format.write(value, to: &writer)
      case .failure(let error):
        writer.key("error")
        writer.string("\(error)")
      }
      writer.endObject()
    }
    writer.endArray()
    return OwnedString.make(writer.text)
  }
}
