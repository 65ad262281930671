package import ExpressionEngine

/// What a list of filters that are tried in order leaves for each of them: whether a user gets to
/// it, and with which earlier ones it shares users.
///
/// The prover of campaigns knows more: limits, events of other placements, changes over time. This
/// is what a page shows at each key.
package struct AudienceOrder: Sendable {
  /// A filter of the list.
  package struct Entry: Sendable {
    /// The filter; `nil` for everyone.
    package let filter: String?
    /// Whether those who match go no further. An occurrence limit lets them through once it is
    /// reached.
    package let keepsUsers: Bool

    package init(filter: String?, keepsUsers: Bool) {
      self.filter = filter
      self.keepsUsers = keepsUsers
    }
  }

  /// What is known about the users of a filter.
  package enum Reach: String, Sendable {
    case some, none, undecided
  }

  /// The result for a filter.
  package struct Place: Sendable {
    /// Whether users match the filter at all.
    package var matches = Reach.undecided
    /// Whether users are left for the filter.
    package var reached = Reach.undecided
    /// The fewest earlier filters that keep all its users, if none are left.
    package var takenBy: [Int] = []
    /// The earlier filters with which it shares users.
    package var sharesUsersWith: [Int] = []
  }

  package private(set) var places: [Place]
  /// Whether there are users whom no filter keeps.
  package private(set) var others = Reach.undecided

  /// The most filters that are compared, each with each.
  package static let mostEntries = 64

  /// Analyzes filters.
  ///
  /// - Parameters:
  ///   - entries: The filters in their order; after the first 64 nothing is decided.
  ///   - environment: The environment of all of them.
  ///   - schema: The attributes that exist.
  /// - Complexity: Quadratic in the number of filters, up to limits on the size of diagrams.
  package init(
    _ entries: [Entry], environment: FilterEnvironment, schema: AttributeSchema
  ) {
    places = Array(repeating: Place(), count: entries.count)
    guard entries.count <= Self.mostEntries else { return }
    let space = FilterSpace(environment, schema: schema, limits: .whileTyping)
    let numbers = entries.map { entry in entry.filter.map { space.add($0, legacyKeys: []) } }
    space.cut()
    var users: [Diagram.Node?] = []
    for number in numbers {
      // No user matches a filter that does not compile.
      guard let number else {
        users.append(.everyone)
        continue
      }
      users.append(
        number.map { try? space.matches(space.filters[$0].formula) } ?? Diagram.Node.none)
    }
    var left: Diagram.Node? = .everyone
    for (index, own) in users.enumerated() {
      guard let own else {
        // Whom an undecided filter keeps is not known.
        if entries[index].keepsUsers { left = nil }
        continue
      }
      places[index].matches = Self.reach(own, space)
      places[index].sharesUsersWith = (0..<index).filter { earlier in
        guard let other = users[earlier], let both = try? space.diagram.and(other, own) else {
          return false
        }
        return space.isEmpty(both) == false
      }
      if let before = left {
        let reached = try? space.diagram.and(before, own)
        places[index].reached = reached.map { Self.reach($0, space) } ?? .undecided
        if places[index].reached == .none, places[index].matches != .none {
          places[index].takenBy = Self.needed(own, users, entries[..<index], space)
        }
        if entries[index].keepsUsers { left = try? space.diagram.without(before, own) }
      } else if places[index].matches == .none {
        places[index].reached = .none
      }
    }
    others = left.map { Self.reach($0, space) } ?? .undecided
  }

  private static func reach(_ users: Diagram.Node, _ space: FilterSpace) -> Reach {
    switch space.isEmpty(users) {
    case true?: .none
    case false?: .some
    case nil: .undecided
    }
  }

  /// Returns the fewest earlier filters that keep all users of one.
  private static func needed(
    _ own: Diagram.Node, _ users: [Diagram.Node?], _ earlier: ArraySlice<Entry>,
    _ space: FilterSpace
  ) -> [Int] {
    var needed = earlier.indices.filter { earlier[$0].keepsUsers }
    for candidate in needed where needed.count > 1 {
      var rest: Diagram.Node? = own
      for other in needed where other != candidate {
        guard let taken = users[other] else { continue }
        rest = rest.flatMap { try? space.diagram.without($0, taken) }
      }
      if let rest, space.isEmpty(rest) == true { needed.removeAll { $0 == candidate } }
    }
    return needed
  }
}
