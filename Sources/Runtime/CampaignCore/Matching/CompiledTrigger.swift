import AudienceFilters
import ExpressionEngine
import ExpressionSyntax

/// A placement with its compiled audiences.
package final class CompiledTrigger: Sendable {
  package let trigger: CampaignTrigger
  package let audiences: [CompiledAudience]
  /// The attributes that the filters read.
  let needs: AttributeNeeds
  /// The derived attributes that a filter reads, in order.
  let derived: [DerivedAttribute]
  /// The parameters that filters read; `nil` when one reads `params` as a whole.
  let parameterNames: [String]?
  /// The device attributes that filters read; `nil` when one reads `device` as a whole.
  let deviceNames: [String]?
  /// The user attributes that filters read; `nil` when one reads `user` as a whole.
  let userNames: [String]?
  /// Whether an audience asks for legacy keys.
  let hasComputedProperties: Bool
  /// Whether anything about the placement depends on the history.
  var readsHistory: Bool { needs.asksHistory || hasComputedProperties || !derived.isEmpty }
  /// All filters tried together, where there are so many that this is faster.
  private let set: FilterSet?
  /// The audience of each filter of the set.
  private let positions: [Int]
  /// The first audience that everyone is in.
  private let firstForEveryone: Int

  /// A set of filters is faster than trying one after the other from about this number on
  /// (docs/decisions/0007-sets-as-one-graph.md).
  private static let minimumSetCount = 48

  package init(trigger: CampaignTrigger, audiences: [CompiledAudience]) {
    self.trigger = trigger
    self.audiences = audiences
    var needs = AttributeNeeds()
    var filters: [Filter] = []
    var positions: [Int] = []
    firstForEveryone =
      audiences.firstIndex { if case .everyone = $0.filter { true } else { false } }
      ?? audiences.count
    for (index, audience) in audiences.enumerated() {
      guard case .compiled(let filter) = audience.filter else { continue }
      needs.add(filter.requirements)
      filters.append(filter)
      positions.append(index)
    }
    self.needs = needs
    self.positions = positions
    derived = needs.derived.sorted { $0.rawValue < $1.rawValue }
    parameterNames = needs.parameterNames
    deviceNames = needs.deviceNames
    userNames = needs.userNames
    hasComputedProperties = audiences.contains(where: \.hasComputedProperties)
    // Legacy keys give each audience a context of its own.
    set =
      filters.count >= Self.minimumSetCount && !hasComputedProperties ? FilterSet(filters) : nil
  }

  /// The first audience from `start` on whose filter is true, whatever the limits say.
  ///
  /// - Parameter context: The context of an audience; only audiences with legacy keys have one of
  ///   their own.
  func firstTrue(
    from start: Int, _ context: Context,
    contextOf: (CompiledAudience) throws(StoreError) -> Context
  ) throws(StoreError) -> Int? {
    if start == 0, let set {
      let found = set.indexOfFirstMatch(context).map { positions[$0] } ?? audiences.count
      let first = min(found, firstForEveryone)
      return first < audiences.count ? first : nil
    }
    var index = start
    while index < audiences.count {
      let audience = audiences[index]
      switch audience.filter {
      case .everyone: return index
      case .invalid: break
      case .compiled(let filter):
        let own = audience.hasComputedProperties ? try contextOf(audience) : context
        if filter.matches(own) { return index }
      }
      index += 1
    }
    return nil
  }
}

/// An audience with its filter.
///
/// It is a class, because an ``Audience`` has so many members that copying one costs more than
/// evaluating its filter.
package final class CompiledAudience: Sendable {
  package let audience: Audience
  package let filter: AudienceFilter
  package let limit: OccurrenceLimit?
  let hasComputedProperties: Bool

  package init(audience: Audience, filter: AudienceFilter) {
    self.audience = audience
    self.filter = filter
    limit = audience.limit
    hasComputedProperties = !audience.computedProperties.isEmpty
  }
}

/// The compiled form of an audience's expression.
package enum AudienceFilter: Sendable {
  /// No expression: everyone matches.
  case everyone
  /// A filter.
  case compiled(Filter)
  /// Text that does not compile: nobody matches.
  case invalid(FilterFlaw)

  package init(_ source: String, environment: FilterEnvironment) {
    do throws(FilterError) {
      self = .compiled(try Filter(source, environment: environment))
    } catch {
      self = .invalid(FilterFlaw(error.diagnostics.first))
    }
  }
}

/// The reason why a filter does not compile; a class, so that an ``AudienceFilter`` stays small.
package final class FilterFlaw: Sendable {
  package let diagnostic: Diagnostic?
  /// The reason for a person.
  package let message: String

  init(_ diagnostic: Diagnostic?) {
    self.diagnostic = diagnostic
    message = diagnostic.map { "\($0.message) [\($0.id.rawValue)]" } ?? "the text is not a filter"
  }
}
