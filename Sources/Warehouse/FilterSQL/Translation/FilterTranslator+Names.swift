import ExpressionEngine
import ExpressionSyntax

// Variables, attributes, members and elements.

extension FilterTranslator {
  /// A variable by its name.
  func variable(
    _ name: String, whenMissing missing: Choice, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard let variable = variables.named[name] else { return missing }
    return .either(variable.presence, try read(variable.shape, span), missing)
  }

  /// `root.name`.
  func attribute(
    _ root: String, _ name: String, _ policy: MissingPolicy, rootIsOptional: Bool,
    _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    var missing = self.missing(name, policy)
    var undeclared: Choice = rootIsOptional ? missing : .failure(.reference)
    if !isSuperscript {
      // An attribute that a layer does not have may be a variable with a dotted name.
      missing = try variable("\(root).\(name)", whenMissing: missing, span)
      undeclared = try variable("\(root).\(name)", whenMissing: undeclared, span)
    }
    guard let variable = variables.named[root] else { return undeclared }
    if case .record(let parts) = variable.shape {
      // Only the part that is asked for is read.
      guard let part = parts.first(where: { $0.name == name })?.part else {
        return .either(variable.presence, missing, undeclared)
      }
      let value: Choice = .either(part.presence, try read(part.shape, span), missing)
      return .either(variable.presence, value, undeclared)
    }
    if case .column(let column, .json) = variable.shape, dialect.templates[.jsonMember] != nil {
      let place = Place(json: .call(.jsonMember, column, .text(name)), missing: missing)
      return .either(variable.presence, value(at: place), undeclared)
    }
    let value = try read(variable.shape, span).map { term throws(Refusal) in
      try member(term, name, whenMissing: missing, span)
    }
    return .either(variable.presence, value, undeclared)
  }

  /// A part of a JSON column by the names that lead there.
  struct Place {
    /// The part; `NULL` where there is none, at whatever step.
    var json: SQLExpression
    /// The value where there is none.
    var missing: Choice
  }

  /// The value at a place, whose kind is looked at once: not that of the values around it, because only
  /// objects have members.
  func value(at place: Place) -> Choice {
    .either(.isNotNull(place.json), split(place.json), place.missing)
  }

  /// The place that a node reads, if it is inside of a JSON column and missing steps on the way are
  /// the same as a missing value.
  func place(of id: Int) -> Place? {
    guard dialect.templates[.jsonMember] != nil else { return nil }
    var steps: [(name: String, missing: Choice)] = []
    var id = id
    while steps.count < Self.maximumNesting {
      switch filter.nodes[id].kind {
      case .member(let operand, let name, let policy):
        steps.append((name, missing(name, policy)))
        id = operand
      case .element(let receiver, let index):
        guard case .constant(.string(let name)) = filter.nodes[index].kind else { return nil }
        steps.append((name, isSuperscript ? .null : .failure(.missingKey)))
        id = receiver
      case .attribute(let root, let name, let policy, let rootIsOptional):
        guard !steps.isEmpty, let variable = variables.named[root],
          variable.presence.isYes || rootIsOptional,
          isSuperscript || variables.named["\(root).\(name)"] == nil,
          var json = column(root, name)
        else { return nil }
        let missing = missing(name, policy)
        for step in steps.reversed() {
          guard step.missing == missing else { return nil }
          json = .call(.jsonMember, json, .text(step.name))
        }
        return Place(json: json, missing: missing)
      default: return nil
      }
    }
    return nil
  }

  /// The JSON that an attribute is.
  private func column(_ root: String, _ name: String) -> SQLExpression? {
    switch variables.named[root]?.shape {
    case .column(let column, .json): return .call(.jsonMember, column, .text(name))
    case .record:
      guard case .column(let column, .json)? = variables.part(root, name)?.shape else { return nil }
      return column
    default: return nil
    }
  }

  private func missing(_ name: String, _ policy: MissingPolicy) -> Choice {
    switch policy {
    case .null: .null
    case .fail: .failure(.missingKey)
    case .function: Choice(.function)
    }
  }

  /// `term.name`.
  func member(
    _ term: Term, _ name: String, _ policy: MissingPolicy, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    if policy == .fail, kind(of: term) == .optional {
      return try optionalMember(of: term, name, span)
    }
    return try member(term, name, whenMissing: missing(name, policy), span)
  }

  func member(
    _ term: Term, _ name: String, whenMissing missing: Choice, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    switch term {
    case .constant(.map(let entries)):
      return entries[.string(name)].map { .constant($0) } ?? missing
    case .record(let entries):
      guard let entry = entries.first(where: { $0.name == name }) else { return missing }
      return .either(entry.presence, entry.value, missing)
    case .jsonObject(let json):
      try require(.jsonMember, span)
      let found = SQLExpression.call(.jsonMember, json, .text(name))
      return .either(.isNotNull(found), split(found), missing)
    default: return missing
    }
  }

  /// `term.?name`, and `term.name` of an optional.
  func optionalMember(
    of term: Term, _ name: String, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    switch term {
    case .constant(.optional(nil)): return Choice(term)
    case .constant(.optional(let content?)):
      return try optionalMember(of: .constant(content), name, span)
    case .optional(let content):
      return try content.map { inner throws(Refusal) in
        try optionalMember(of: inner, name, span)
      }
    default:
      guard kind(of: term) == .map else { return .failure(.missingKey) }
      let found = try member(term, name, whenMissing: .failure(.missingKey), span)
      let isMissing = found.failing(.missingKey)
      let present = found.alternatives.filter { !$0.term.isFailure }
      return Choice(
        Choice(.optional(Choice(present))).holding(!isMissing)
          + Choice.constant(.optional(nil)).holding(isMissing))
    }
  }

  /// A dotted name that may be several variables.
  mutating func name(
    _ candidates: [LoweredExpression.Candidate], last: Int, lastFields: [String],
    _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    var result = try selecting(lastFields, from: translate(last), span)
    for candidate in candidates.reversed() {
      guard let variable = variables.named[candidate.variable] else { continue }
      let value = try selecting(candidate.fields, from: read(variable.shape, span), span)
      result = .either(variable.presence, value, result)
    }
    return result
  }

  private func selecting(
    _ fields: [String], from value: Choice, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    var result = value
    for field in fields {
      result = try result.map { term throws(Refusal) in try member(term, field, .fail, span) }
    }
    return result
  }

  /// `device` together with the host's functions.
  func overlay(_ top: Choice, _ base: Choice, _ span: SourceSpan) throws(Refusal) -> Choice {
    guard case .map(let functions)? = base.constant else {
      throw Refusal(.function, "the host's functions as a value have no form in SQL", at: span)
    }
    return try top.map { term throws(Refusal) in
      switch term {
      case .constant(.map(let entries)):
        return .constant(.map(functions.merging(entries) { _, own in own }))
      case .record(let entries):
        var all = entries
        for (key, value) in functions.sorted(by: { $0.key.text < $1.key.text }) {
          if let index = all.firstIndex(where: { $0.name == key.text }) {
            all[index].value = .either(all[index].presence, all[index].value, .constant(value))
            all[index].presence = .yes
          } else {
            all.append(RecordEntry(name: key.text, presence: .yes, value: .constant(value)))
          }
        }
        return Choice(.record(all))
      case .jsonObject where functions.isEmpty: return Choice(term)
      case .jsonObject:
        throw Refusal(.function, "the host's functions as a value have no form in SQL", at: span)
      default: return base
      }
    }
  }

  // MARK: Elements

  /// `receiver[index]`.
  func element(of receiver: Term, at index: Term, _ span: SourceSpan) throws(Refusal) -> Choice {
    if case .constant(let receiver) = receiver, case .constant(let index) = index {
      return choice(filter.element(of: receiver, at: index))
    }
    switch kind(of: receiver) {
    case .list: return try listElement(receiver, index, span)
    case .map: return try mapElement(receiver, index, span)
    case .optional:
      throw Refusal(.kind, "an index into an optional has no form in SQL", at: span)
    case .string where isSuperscript && kind(of: index) == .int:
      guard let text = receiver.scalar, let position = index.scalar else { return .null }
      try require(.byteCharacter, span)
      let character = SQLExpression.call(.byteCharacter, text, position)
      return .either(.isNotNull(character), Choice(.string(character)), .null)
    default: return try failure(quoting: [receiver, index], span)
    }
  }

  private func listElement(
    _ list: Term, _ index: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    var index = index
    if !isSuperscript, case .constant(let value) = index {
      // A list can be indexed by other numbers of an integral value.
      switch value {
      case .uint(let number): index = .constant(.int(Int64(clamping: number)))
      case .double(let number):
        guard let whole = Int64(exactly: number) else { return .failure(.other) }
        index = .constant(.int(whole))
      default: break
      }
    }
    guard kind(of: index) == .int, let position = index.scalar else {
      if !isSuperscript, kind(of: index).isNumeric {
        throw Refusal(.collection, "an index that is no int has no form in SQL", at: span)
      }
      return try failure(quoting: [index], span)
    }
    let outside: Choice = isSuperscript ? .null : .failure(.other)
    switch list {
    case .list(let expression, let type):
      let element = SQLExpression.call(.listElement, expression, position)
      return .either(
        isIndex(position, below: .call(.listLength, expression)), elementValue(element, type),
        outside)
    case .jsonArray(let json):
      let element = SQLExpression.call(.jsonElement, json, position)
      return .either(
        isIndex(position, below: .call(.jsonLength, json)), split(element), outside)
    default:
      guard let elements = elements(of: list) else { return outside }
      var result: [Choice.Alternative] = []
      for (number, element) in elements.enumerated() {
        result += element.holding(.comparison(.equal, position, .int(Int64(number))))
      }
      let isInside = isIndex(position, below: .int(Int64(elements.count)))
      return Choice(result + outside.holding(!isInside))
    }
  }

  private func isIndex(
    _ position: SQLExpression, below count: SQLExpression
  ) -> SQLExpression {
    .comparison(.greaterEqual, position, .int(0)) && .comparison(.less, position, count)
  }

  private func mapElement(
    _ map: Term, _ key: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    let absent: Choice = isSuperscript ? .null : .failure(.missingKey)
    switch kind(of: key) {
    case .string, .bool, .int, .uint: break
    case .double where !isSuperscript: break
    default: return isSuperscript ? try failure(quoting: [key], span) : .failure(.missingKey)
    }
    if case .constant(.string(let name)) = key {
      return try member(map, name, whenMissing: absent, span)
    }
    guard let entries = entries(of: map) else {
      if case .constant = key { return absent }
      throw Refusal(.collection, "a key that is computed has no form in SQL here", at: span)
    }
    guard case .string(let text) = key else { return absent }
    var result: [Choice.Alternative] = []
    var found: [SQLExpression] = []
    for entry in entries {
      let isThis = .comparison(.equal, text, .text(entry.name)) && entry.presence
      found.append(isThis)
      result += entry.value.holding(isThis)
    }
    return Choice(result + absent.holding(!SQLExpression.any(found)))
  }

  // MARK: Collections that are spelled out

  /// The elements of a list whose length is known.
  func elements(of term: Term) -> [Choice]? {
    switch term {
    case .constant(.list(let values)): values.map { .constant($0) }
    case .tuple(let elements): elements
    default: nil
    }
  }

  /// The entries of a map whose keys are known, and are texts.
  func entries(of term: Term) -> [RecordEntry]? {
    switch term {
    case .constant(.map(let entries)):
      var result: [RecordEntry] = []
      for (key, value) in entries.sorted(by: { $0.key.text < $1.key.text }) {
        guard case .string(let name) = key else { return nil }
        result.append(RecordEntry(name: name, presence: .yes, value: .constant(value)))
      }
      return result
    case .record(let entries): return entries
    default: return nil
    }
  }
}
