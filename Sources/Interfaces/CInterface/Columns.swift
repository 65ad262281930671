// The names are those of C, and the documentation is in the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import ArrowColumns
public import CArrow
public import CSwexpr
import ExpressionEngine

// The functions of swexpr.h for sets of filters over columns.

@c @implementation
public func swexpr_batch_create(
  _ array: UnsafeMutablePointer<ArrowArray>?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
  _ options: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    // Both are released, whatever is wrong with the other arguments.
    var taken = (array: array, schema: schema)
    defer {
      if let array = taken.array { array.pointee.release?(array) }
      if let schema = taken.schema { schema.pointee.release?(schema) }
    }
    guard let array else { throw .missing("array") }
    guard let schema else { throw .missing("schema") }
    let names = try ColumnOptions(options, length).names
    taken = (nil, nil)
    return Handle.make(
      try InterfaceError.describing { () throws(ColumnBatchError) in
        try ColumnBatch(arrow: array, schema: schema, names: names)
      })
  }
}

@c @implementation
public func swexpr_batch_free(_ batch: OpaquePointer?) { Handle<ColumnBatch>.free(batch) }

@c @implementation
public func swexpr_batch_count(_ batch: OpaquePointer?) -> Int {
  reporting(to: nil, or: 0) { () throws(InterfaceError) in
    try Handle<ColumnBatch>.content(of: batch, "batch").rowCount
  }
}

@c @implementation
public func swexpr_matcher_create(
  _ set: OpaquePointer?, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OpaquePointer? {
  reporting(to: error, or: nil) { () throws(InterfaceError) in
    Handle.make(BatchMatcher(try Handle<FilterSet>.content(of: set, "set")))
  }
}

@c @implementation
public func swexpr_matcher_free(_ matcher: OpaquePointer?) { Handle<BatchMatcher>.free(matcher) }

@c @implementation
public func swexpr_matcher_matches(
  _ matcher: OpaquePointer?, _ batch: OpaquePointer?, _ bits: UnsafeMutablePointer<UInt64>?,
  _ capacity: Int, _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Bool {
  reporting(to: error, or: false) { () throws(InterfaceError) in
    let matcher = try Handle<BatchMatcher>.content(of: matcher, "matcher")
    let batch = try Handle<ColumnBatch>.content(of: batch, "batch")
    guard capacity == batch.rowWords * matcher.filterCount else {
      throw InterfaceError(
        "`capacity` is \(capacity) instead of \(matcher.filterCount) × \(batch.rowWords) words")
    }
    guard let bits else {
      guard capacity == 0 else { throw .missing("bits") }
      return true
    }
    matcher.writeMatches(in: batch, to: bits)
    return true
  }
}

@c @implementation
public func swexpr_matcher_counts(
  _ matcher: OpaquePointer?, _ batch: OpaquePointer?, _ order: swexpr_order,
  _ counts: UnsafeMutablePointer<Int>?, _ capacity: Int,
  _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Bool {
  reporting(to: error, or: false) { () throws(InterfaceError) in
    let matcher = try Handle<BatchMatcher>.content(of: matcher, "matcher")
    let batch = try Handle<ColumnBatch>.content(of: batch, "batch")
    guard capacity == matcher.filterCount else {
      throw InterfaceError("`capacity` is \(capacity) instead of \(matcher.filterCount)")
    }
    let result: [Int]
    switch Int(order) {
    case SWEXPR_EACH: result = matcher.counts(in: batch)
    case SWEXPR_FIRST: result = matcher.firstMatchCounts(in: batch)
    default: throw InterfaceError("`order` is unknown: \(order)")
    }
    guard let counts else {
      guard capacity == 0 else { throw .missing("counts") }
      return true
    }
    for (filter, count) in result.enumerated() { counts[filter] = count }
    return true
  }
}
