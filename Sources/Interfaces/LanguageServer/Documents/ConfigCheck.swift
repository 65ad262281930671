import CampaignCore
import ExpressionEngine
import ExpressionSyntax
import LanguageService

/// The mistakes in a config besides those of its filters, and the text in which they were found.
///
/// While an author writes a filter, the rest of the config stays the same, and so do these notes.
struct ConfigCheck {
  /// A note about a member of the config.
  struct Note {
    var path: String
    var isError: Bool
    var code: String
    var message: String
  }

  /// The mistake of a text that is not JSON, and its offset.
  private(set) var mistake: (offset: Int, message: String)?
  /// The notes, in the order of the decoder.
  private(set) var notes: [Note] = []
  /// The config; `nil` if the text is none.
  private(set) var config: CampaignConfig?
  private let text: [UInt8]
  private let filters: [Range<Int>]

  /// Checks a config.
  ///
  /// - Parameters:
  ///   - text: The JSON.
  ///   - filters: The places of the filters in it.
  init(_ text: [UInt8], filters: [Range<Int>]) {
    self.text = text
    self.filters = filters
    let outcome = text.withUnsafeBufferPointer { bytes -> Result<ConfigDocument, JSONError> in
      do throws(JSONError) {
        return .success(try ConfigDocument(json: bytes))
      } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case .failure(let error): mistake = (min(error.offset, text.count), error.message)
    case .success(let document): decode(document)
    }
  }

  private mutating func decode(_ document: ConfigDocument) {
    do throws(ConfigError) {
      let decoded = try ConfigDecoder().decode(document)
      config = decoded.config
      notes = decoded.diagnostics.map { note in
        Note(path: note.path, isError: false, code: note.kind.rawValue, message: note.message)
      }
    } catch {
      notes = [Note(path: error.path, isError: true, code: "config", message: error.description)]
    }
  }

  /// Returns whether the notes are also those of another text: it differs in the content of filters
  /// only, which is valid in both.
  func holds(for other: [UInt8], _ regions: [FilterRegion]) -> Bool {
    guard mistake == nil, regions.count == filters.count else { return false }
    var start = 0
    var otherStart = 0
    for (filter, region) in zip(filters, regions) {
      guard region.string?.isValid == true,
        text[start..<filter.lowerBound].elementsEqual(other[otherStart..<region.span.lowerBound])
      else { return false }
      start = filter.upperBound
      otherStart = region.span.upperBound
    }
    return text[start...].elementsEqual(other[otherStart...])
  }

  /// Returns the config with the filters of another text for which the notes hold; `nil` if the
  /// filters cannot be told apart.
  func config(
    with regions: [FilterRegion], _ outline: ConfigOutline, in document: [UInt8]
  ) -> CampaignConfig? {
    guard var config else { return nil }
    let placements = outline.placements(in: document)
    guard placements.count == config.triggers.count else { return nil }
    var texts: [Int: String] = [:]
    for (node, region) in zip(outline.filters, regions) {
      texts[node] = region.filter.source.text
    }
    for (index, placement) in placements.enumerated() {
      guard placement.audiences.count == config.triggers[index].audiences.count else { return nil }
      for (number, audience) in placement.audiences.enumerated() {
        guard let node = audience.filter, let text = texts[node] else { continue }
        config.triggers[index].audiences[number].expression = text
      }
    }
    return config
  }
}
