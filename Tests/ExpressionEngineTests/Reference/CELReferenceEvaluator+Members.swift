@testable import ExpressionEngine
@testable import ExpressionSyntax

// Names, selections, indexes, presence and optional steps (§3, §9, §14).

extension CELReferenceEvaluator {
  // MARK: Names

  /// A name, a dotted name, or a selection from any other operand.
  mutating func path(_ id: UInt32) throws(CELReferenceFailure) -> Value {
    if let (names, isRooted) = dottedName(id) { return try resolve(names, isRooted: isRooted) }
    let node = tree.nodes[Int(id)]
    let operand = try evaluate(node.first)
    let name = tree.name(of: node)
    return node.flags.contains(.optional)
      ? try optionalMember(of: operand, named: name) : try member(of: operand, named: name)
  }

  /// The names of a dotted name; `nil` if there is anything else in it.
  func dottedName(_ id: UInt32) -> (names: [String], isRooted: Bool)? {
    let node = tree.nodes[Int(id)]
    guard node.flags.isDisjoint(with: [.optional, .quotedName]) else { return nil }
    switch node.kind {
    case .identifier: return ([tree.name(of: node)], node.flags.contains(.leadingDot))
    case .select:
      guard let (names, isRooted) = dottedName(node.first) else { return nil }
      return (names + [tree.name(of: node)], isRooted)
    default: return nil
    }
  }

  /// Names in scope come first, then the longest variable or type in the innermost scope of the
  /// container; what remains are selections (§3).
  private mutating func resolve(
    _ names: [String], isRooted: Bool
  ) throws(CELReferenceFailure) -> Value {
    if !isRooted, let binding = scope.last(where: { $0.name == names[0] }) {
      return try select(names.dropFirst(), from: content(of: binding))
    }
    let prefixes = isRooted ? [""] : self.prefixes
    let declared = Set(
      environment.declarations.compactMap { declaration in
        if case .variable(let name, _) = declaration { name } else { nil }
      })
    // A declaration settles which part of the name is the variable.
    for count in (1...names.count).reversed() {
      for prefix in prefixes {
        let name = prefix + names[..<count].joined(separator: ".")
        guard declared.contains(name) else { continue }
        guard let value = variables[name] else { throw CELReferenceFailure(.undeclared) }
        return try select(names.dropFirst(count), from: value)
      }
    }
    for count in (1...names.count).reversed() {
      for prefix in prefixes {
        let name = prefix + names[..<count].joined(separator: ".")
        if let value = variables[name] { return try select(names.dropFirst(count), from: value) }
        if library.types.contains(name) {
          return try select(names.dropFirst(count), from: .type(name))
        }
      }
    }
    throw CELReferenceFailure(.undeclared)
  }

  private func select(
    _ names: ArraySlice<String>, from value: Value
  ) throws(CELReferenceFailure) -> Value {
    var result = value
    for name in names { result = try member(of: result, named: name) }
    return result
  }

  /// What a name in scope stands for.
  mutating func content(of binding: Binding) throws(CELReferenceFailure) -> Value {
    switch binding.content {
    case .value(let value): return value
    case .deferred(let deferred):
      if deferred.outcome == nil {
        let outside = scope
        scope = deferred.scope
        defer { scope = outside }
        do throws(CELReferenceFailure) {
          deferred.outcome = .value(try evaluate(deferred.node))
        } catch {
          deferred.outcome = .failure(error.code)
        }
      }
      switch deferred.outcome {
      case .value(let value): return value
      case .failure(let code): throw CELReferenceFailure(code)
      case nil: throw CELReferenceFailure(.undeclared)
      }
    }
  }

  // MARK: Selection

  /// `value.name`: of a map, or of an optional, which makes the step optional, too.
  func member(of value: Value, named name: String) throws(CELReferenceFailure) -> Value {
    switch value {
    case .map(let entries):
      guard let found = entries[.string(name)] else { throw CELReferenceFailure(.noSuchKey) }
      return found
    case .optional: return try optionalMember(of: value, named: name)
    default: throw CELReferenceFailure(.noSuchKey)
    }
  }

  /// `value.?name`.
  func optionalMember(of value: Value, named name: String) throws(CELReferenceFailure) -> Value {
    switch value {
    case .map(let entries): return .optional(entries[.string(name)])
    case .optional(nil): return value
    case .optional(let content?): return try optionalMember(of: content, named: name)
    default: throw CELReferenceFailure(.noSuchKey)
    }
  }

  /// `has(value.name)`.
  func hasMember(_ value: Value, named name: String) throws(CELReferenceFailure) -> Bool {
    switch value {
    case .map(let entries): return entries[.string(name)] != nil
    case .optional(nil): return false
    case .optional(let content?): return try hasMember(content, named: name)
    default: throw CELReferenceFailure(.unexpectedType)
    }
  }

  // MARK: Indexes

  mutating func index(_ node: SyntaxNode) throws(CELReferenceFailure) -> Value {
    let operand = try evaluate(node.first)
    let index = try evaluate(node.second)
    if node.flags.contains(.optional) { return try optionalElement(of: operand, at: index) }
    if case .optional = operand { return try optionalElement(of: operand, at: index) }
    return try element(of: operand, at: index)
  }

  private func element(of value: Value, at index: Value) throws(CELReferenceFailure) -> Value {
    switch value {
    case .list(let elements):
      guard let position = CELReferenceOperators.position(index) else {
        throw CELReferenceFailure(.listIndex)
      }
      guard position >= 0, position < Int128(elements.count) else {
        throw CELReferenceFailure(.indexOutOfRange)
      }
      return elements[Int(position)]
    case .map(let entries):
      // A key of an impossible kind is one that is not there.
      guard let found = CELReferenceOperators.find(index, in: entries) else {
        throw CELReferenceFailure(.noSuchKey)
      }
      return found
    case .optional: return try optionalElement(of: value, at: index)
    default: throw CELReferenceFailure(.notIndexable)
    }
  }

  /// `value[?index]`, and `value[index]` of an optional: what is not there is empty.
  private func optionalElement(
    of value: Value, at index: Value
  ) throws(CELReferenceFailure) -> Value {
    switch value {
    case .optional(nil): return value
    case .optional(let content?): return try optionalElement(of: content, at: index)
    default:
      do throws(CELReferenceFailure) {
        return .optional(try element(of: value, at: index))
      } catch {
        guard error.code == .noSuchKey || error.code == .indexOutOfRange else { throw error }
        return .optional(nil)
      }
    }
  }
}
