import Floors
package import Harness
import SwiftFloor

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The subject that every ratio of the `evaluate` suite is taken to: two probes with known hashes.
package let floorBaseline = "c-hashed"

/// Makes the hand-written subjects of the thirteen filters.
package struct FloorSubjects {
  private struct SwiftData: Decodable { let context: FilterContext }

  private let context: FloorContext
  private let swiftContext: FilterContext

  /// Prepares the contexts.
  ///
  /// - Parameters:
  ///   - cases: the parsed data file.
  ///   - data: its text, which the Swift structs are decoded from.
  package init(_ cases: FilterCases, data: Data) throws {
    self.context = try FloorContext(cases)
    self.swiftContext = try JSONDecoder().decode(SwiftData.self, from: data).context
  }

  /// The subject that evaluates nothing: what the loop and the call cost.
  package func empty() -> any Subject {
    subject(named: "c-empty", filter: floor_empty, expected: true)
  }

  /// Every hand-written version of the filter; none when the filter is not one of the thirteen.
  package func subjects(for filter: FilterCases.Case) -> [any Subject] {
    let variants: [(String, floor_variant)] = [
      ("c-fields", FLOOR_FIELDS), ("c-slots", FLOOR_SLOTS), ("c-inlined", FLOOR_INLINED),
      (floorBaseline, FLOOR_HASHED), ("c-hashing", FLOOR_HASHING),
    ]
    var subjects: [any Subject] = variants.compactMap { name, variant in
      floor_filter_named(variant, filter.name).map {
        subject(named: name, filter: $0, expected: filter.expected)
      }
    }
    if let swift = swiftFilters.first(where: { $0.name == filter.name })?.filter {
      let context = swiftContext
      subjects.append(
        ClosureSubject(name: "swift-struct", expectedSum: filter.expected ? 1 : 0) {
          repeatSwift(swift, over: context, count: $0)
        })
    }
    return subjects
  }

  private func subject(
    named name: String, filter: @escaping floor_filter, expected: Bool
  ) -> any Subject {
    let context = context
    return ClosureSubject(name: name, expectedSum: expected ? 1 : 0) { iterations in
      floor_repeat(filter, context.pointer, UInt64(iterations))
    }
  }
}
