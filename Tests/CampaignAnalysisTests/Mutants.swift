import AudienceFilters
import CampaignAnalysis
import ExpressionEngine

/// Configs with single mistakes.
enum Mutants {
  /// A filter with single mistakes: another operator, another constant, a clause less.
  static func of(filter: String) -> [String] {
    var result: [String] = []
    func replaceEach(_ text: String, _ replacement: String) {
      var search = filter.startIndex
      while let range = filter[search...].firstRange(of: text) {
        result.append(filter.replacingCharacters(in: range, with: replacement))
        search = range.upperBound
      }
    }
    for (one, other) in [
      (" == ", " != "), (" != ", " == "), (" < ", " <= "), (" <= ", " < "), (" > ", " >= "),
      (" >= ", " > "), (" && ", " || "), (" || ", " && "), (" >= ", " < "), (" > ", " < "),
    ] {
      replaceEach(one, other)
    }
    // Constants: one more, one less, another text.
    var index = filter.startIndex
    while index < filter.endIndex {
      let character = filter[index]
      if character == "\"" {
        let start = filter.index(after: index)
        guard let end = filter[start...].firstIndex(of: "\"") else { break }
        if filter[..<index].last != "(" || !filter[..<index].hasSuffix("placementsInWeek(") {
          result.append(filter.replacingCharacters(in: end..<end, with: "q"))
        }
        index = filter.index(after: end)
        continue
      }
      let isStart =
        index == filter.startIndex || " ([,".contains(filter[filter.index(before: index)])
      if character.isNumber, isStart {
        let end = filter[index...].firstIndex { !$0.isNumber } ?? filter.endIndex
        if let number = Int(filter[index..<end]) {
          for other in [number - 1, number + 1] where other >= 0 {
            result.append(filter.replacingCharacters(in: index..<end, with: "\(other)"))
          }
        }
        index = end
        continue
      }
      index = filter.index(after: index)
    }
    let clauses = filter.components(at: " && ")
    if clauses.count > 1, !filter.contains("(") || clauses.allSatisfy(\.isBalanced) {
      for position in clauses.indices {
        var fewer = clauses
        fewer.remove(at: position)
        result.append(fewer.joined(separator: " && "))
      }
    }
    return result.filter { (try? Filter($0)) != nil }
  }

  static func of(_ model: AnalysisModel) -> [AnalysisModel] {
    var result: [AnalysisModel] = []
    for (number, placement) in model.placements.enumerated() {
      for (index, audience) in placement.audiences.enumerated() {
        for text in of(filter: audience.filter ?? "") {
          var copy = model
          copy.placements[number].audiences[index].filter = text
          result.append(copy)
        }
        guard index > 0 else { continue }
        var copy = model
        copy.placements[number].audiences.swapAt(index - 1, index)
        result.append(copy)
      }
    }
    return result
  }

  /// The config with another limit or another weight: one more, one less, none.
  static func ofLimitsAndVariants(_ model: AnalysisModel) -> [AnalysisModel] {
    var result: [AnalysisModel] = []
    for (number, placement) in model.placements.enumerated() {
      for (index, audience) in placement.audiences.enumerated() {
        func add(_ change: (inout AnalysisModel.Audience) -> Void) {
          var copy = model
          change(&copy.placements[number].audiences[index])
          result.append(copy)
        }
        if let limit = audience.limit {
          add { $0.limit = nil }
          for step in [-1, 1] as [Int64] {
            add { $0.limit?.maximum += step }
            if limit.minutes != nil { add { $0.limit?.minutes? += step } }
          }
          add { $0.limit?.minutes = nil }
          add { $0.limit?.maximum = 0 }
        }
        guard audience.variants.count > 1 else { continue }
        for variant in audience.variants.indices where audience.variants[variant].weight > 0 {
          add { $0.variants[variant].weight -= 1 }
          add { $0.variants[variant].id += "x" }
          guard variant > 0 else { continue }
          for step in [-1, 1] as [Int64] {
            add {
              $0.variants[variant].weight += step
              $0.variants[variant - 1].weight -= step
            }
          }
        }
        add { $0.variants.swapAt(0, 1) }
      }
    }
    return result
  }
}

extension String {
  fileprivate func components(at separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }

  fileprivate var isBalanced: Bool {
    var depth = 0
    for character in self {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }
}
