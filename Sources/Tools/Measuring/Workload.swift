import AudienceFilters
package import ExpressionEngine

/// A context of a workload that is not JSON.
package struct ContextError: Error {
  /// The position of the context, from 0.
  package let index: Int
  package let error: JSONError
}

/// Many filters and many contexts.
package struct Workload: Sendable {
  /// The form of the files in the folder.
  package enum Form: Sendable {
    /// `filters.json` and `contexts.jsonl`: the filters of an app, and a context for each of its
    /// users.
    case app
    /// `filters.txt` and `events.jsonl`: a large set of filters, and the events that are matched
    /// against it.
    case set
  }

  package let form: Form
  /// The path of the file that holds the filters.
  package let filterPath: String
  package let filters: [String]
  /// The JSON text of each context.
  package let contextTexts: [String]
  package private(set) var contexts: [Context]
  /// The number of attributes in all contexts: the members of the objects at their top level, and
  /// all other values there.
  package let attributeCount: Int

  /// Creates a workload from texts that were read.
  ///
  /// - Parameters:
  ///   - filterPath: The path of the file that holds the filters.
  ///   - contextTexts: The JSON text of each context.
  /// - Throws: The error of the first context that is not JSON, with its index.
  package init(
    form: Form, filterPath: String, filters: [String], contextTexts: [String]
  ) throws(ContextError) {
    self.form = form
    self.filterPath = filterPath
    self.filters = filters
    self.contextTexts = contextTexts
    var contexts: [Context] = []
    contexts.reserveCapacity(contextTexts.count)
    var attributeCount = 0
    for (index, text) in contextTexts.enumerated() {
      do throws(JSONError) {
        contexts.append(try Context(json: text))
        attributeCount += try Self.attributeCount(text)
      } catch {
        throw ContextError(index: index, error: error)
      }
    }
    self.contexts = contexts
    self.attributeCount = attributeCount
  }

  /// Returns the same workload with newly created contexts, because an app compiles its filters
  /// before the first context arrives.
  package func remakingContexts() -> Workload {
    var copy = self
    copy.contexts = contextTexts.compactMap { text in
      do throws(JSONError) { return try Context(json: text) } catch { return nil }
    }
    return copy
  }

  private static func attributeCount(_ text: String) throws(JSONError) -> Int {
    var text = text
    let outcome = text.withUTF8 { bytes in
      Result { () throws(JSONError) -> Int in
        var scanner = JSONScanner(bytes)
        _ = try scanner.nextToken()
        var count = 0
        while try scanner.nextToken() == .key {
          let token = try scanner.nextToken()
          guard token == .beginObject else {
            try scanner.skipRest(of: token)
            count += 1
            continue
          }
          while try scanner.nextToken() == .key {
            try scanner.skipValue()
            count += 1
          }
        }
        return count
      }
    }
    return try outcome.get()
  }
}
