package import ExpressionEngine
package import ExpressionSyntax

/// A condition that reads one or two attributes of known types, and nothing else.
///
/// The engine evaluates it for values that the schema allows. It shows a condition with the same
/// result for all of them.
package struct SampledCondition {
  /// The result for all values.
  package enum Verdict {
    /// Every evaluation fails; the first failure.
    case fails(EvaluationError)
    case never
    case always
  }

  private let tree: SyntaxTree
  private let id: NodeID
  private let attributes: [AttributeSchema.Attribute]
  private let paths: [AttributePath]
  private let samples: [SampleValues]
  private let fragment: CompiledFragment
  private let coverage: SampleValues.Coverage
  private let asksForPresence: Bool

  /// Whether it reads two attributes.
  package var isPlural: Bool { attributes.count > 1 }

  /// The attributes that it reads, for messages.
  package var names: String { attributes.map { "`\($0.path)`" }.joined(separator: " and ") }

  /// Reads a condition.
  ///
  /// - Returns: `nil` if it reads anything else, or values that the schema does not know.
  package init?(_ id: NodeID, in outline: FilterOutline, schema: AttributeSchema) {
    let tree = outline.tree
    self.tree = tree
    self.id = id
    guard let reading = Reading(id, in: outline, schema: schema), !reading.mayReadTextAsBool,
      (1...2).contains(reading.paths.count),
      let fragment = try? CompiledFragment(tree, id, environment: outline.environment)
    else { return nil }
    paths = reading.paths
    attributes = reading.attributes
    asksForPresence = reading.asksForPresence
    self.fragment = fragment
    samples = attributes.compactMap { SampleValues($0, constants: reading.constants) }
    guard samples.count == attributes.count else { return nil }
    let least = samples.map({ $0.coverage }).min() ?? .types
    coverage =
      least == .comparisons
        && !(paths.count == 1 && Self.comparesWithConstants(id, tree, attributes[0].format))
      ? .types : least
  }

  /// Returns whether a condition only compares or searches an attribute, its size or an element by
  /// constants.
  private static func comparesWithConstants(
    _ id: NodeID, _ tree: SyntaxTree, _ format: AttributeSchema.Attribute.Format?
  ) -> Bool {
    let node = tree[id]
    if format != nil {
      // The samples are days of some years: enough for what repeats, and to reject dates that do
      // not exist.
      guard node.kind == .binary, [.equal, .notEqual, .in].contains(node.op) else {
        return readsPartOfMoment(node, tree)
      }
    }
    func isTerm(_ id: NodeID) -> Bool {
      let node = tree[id]
      if tree.attributePath(of: id) != nil || tree.constant(of: id) != nil { return true }
      switch node.kind {
      case .index:
        return tree.attributePath(of: node.operand) != nil
          && tree.constant(of: node.subscriptIndex) != nil
      case .call:
        guard tree.name(of: node) == "size" else { return false }
        let operands = tree.operands(of: node)
        return operands.count == 1 && tree.attributePath(of: operands[0]) != nil
      default: return false
      }
    }
    if readsPartOfMoment(node, tree) { return true }
    switch node.kind {
    case .binary: return isTerm(node.left) && isTerm(node.right)
    case .call:
      return ["startsWith", "endsWith", "contains"].contains(tree.name(of: node))
        && node.receiver != nil && tree.operands(of: node).allSatisfy { isTerm($0) }
    default: return false
    }
  }

  /// Returns whether a condition compares a month, a day or an hour with a constant.
  private static func readsPartOfMoment(_ node: SyntaxNode, _ tree: SyntaxTree) -> Bool {
    guard let comparison = ConstantComparison(node, in: tree) else { return false }
    let part = tree[comparison.subject]
    guard part.kind == .call, let moment = part.receiver.map({ tree[$0] }), part.childCount == 0,
      tree.name(of: part).hasPrefix("get"), tree.name(of: part) != "getFullYear"
    else { return false }
    return moment.kind == .call && tree.name(of: moment) == "timestamp"
  }

  /// Evaluates the condition until samples differ.
  ///
  /// - Parameter limit: The largest number of combinations of samples.
  package func verdict(limit: Int) -> Verdict? {
    guard samples.reduce(1, { $0 * ($1.values.count + 1) }) <= limit else { return nil }
    var failure: EvaluationError?
    // Where there is no value, or no element, nothing can be of a wrong kind.
    var ofValues: Set<Outcome> = []
    var ofPossible: Set<Outcome> = []
    var ofAll: Set<Outcome> = []
    for sample in combinations() {
      let outcome: Outcome
      do throws(EvaluationError) {
        outcome = try fragment.evaluate(sample.context).isTruthy ? .holds : .doesNot
      } catch {
        if sample.form == .value { failure = failure ?? error }
        outcome = .fails
      }
      // A failure is not a test for presence.
      if outcome != .fails || sample.form < .unexpectedlyMissing { ofAll.insert(outcome) }
      if sample.form < .unexpectedlyMissing { ofPossible.insert(outcome) }
      if sample.form == .value { ofValues.insert(outcome) }
      if ofPossible.contains(.holds), ofValues.count > 1 { return nil }
    }
    if ofValues == [.fails], !ofPossible.contains(.holds), let failure { return .fails(failure) }
    guard coverage > .types, !asksForPresence else { return nil }
    if !ofPossible.contains(.holds) { return .never }
    return ofAll == [.holds] ? .always : nil
  }

  /// The attribute without which the condition fails, if it is optional; `nil` for several.
  package var failingWhenMissing: AttributePath? {
    guard paths.count == 1, attributes[0].isOptional, !asksForPresence else { return nil }
    // Without any combination the attribute is never set.
    return (try? fragment.evaluate(Combination().context)) == nil ? paths[0] : nil
  }

  private enum Outcome { case fails, holds, doesNot }

  /// The form of a combination: that of its worst value.
  private enum Form: Comparable {
    case value
    case emptyList
    case missing
    /// The attribute is not optional, and not set by the SDKs either.
    case unexpectedlyMissing
  }

  private struct Combination {
    var context = Context(variables: ["user": [:], "device": [:], "params": [:]])
    var form = Form.value
  }

  /// The combinations of samples, each made when it is asked for: most conditions need a few.
  private func combinations() -> some Sequence<Combination> {
    let choices = zip(attributes, samples).map { attribute, sample in
      var values: [(value: Value?, form: Form)] = sample.values.map {
        ($0, $0 == .list([]) ? .emptyList : .value)
      }
      if attribute.isOptional {
        values.append((nil, .missing))
      } else if attribute.since == nil {
        values.append((nil, .unexpectedlyMissing))
      }
      return values
    }
    let count = choices.reduce(1) { $0 * $1.count }
    return (0..<count).lazy.map { number in
      var rest = number
      var combination = Combination()
      for (path, values) in zip(paths, choices) {
        let (value, form) = values[rest % values.count]
        rest /= values.count
        combination.context = combination.context.setting(path, to: value)
        combination.form = max(combination.form, form)
      }
      return combination
    }
  }

  /// Returns the finding for a condition that never holds, or always does.
  package func finding(isAlways: Bool) -> Diagnostic {
    let truth = isAlways ? "always true" : "never true"
    return Diagnostic.always(
      isAlways,
      "`\(tree.text(ofNode: id).shortened(to: 60))` is \(truth)", at: tree[id].span,
      label: isAlways ? truth : "always false", notes: [reason],
      helps: isAlways ? ["remove the condition, or correct it"] : [])
  }

  /// The reason why the condition always has the same result.
  private var reason: String {
    if coverage == .everything {
      return isPlural ? "whatever values \(names) have" : "this holds for every value of \(names)"
    }
    let type = attributes.first.map { $0.type.name } ?? "value"
    return "whatever \(type) \(names) is"
  }
}

extension SampledCondition {
  /// The attributes and constants of a condition.
  private struct Reading {
    var paths: [AttributePath] = []
    var attributes: [AttributeSchema.Attribute] = []
    var constants: [Value] = []
    /// Whether it asks if there is a value, which is never a mistake.
    var asksForPresence = false

    /// Reads a condition.
    ///
    /// - Returns: `nil` if it reads what the schema does not know.
    init?(_ condition: NodeID, in outline: FilterOutline, schema: AttributeSchema) {
      let tree = outline.tree
      var work = [condition]
      while let id = work.popLast() {
        let node = tree[id]
        if let path = outline.freePath(id) {
          guard let attribute = schema.attribute(at: path), attribute.path == path.description
          else { return nil }
          guard !paths.contains(path) else { continue }
          paths.append(path)
          attributes.append(attribute)
        } else if tree.isLiteral(id) || node.kind == .list, let constant = tree.constant(of: id) {
          add(constant)
        } else {
          switch node.kind {
          case .identifier where !outline.isBound[Int(id.index)]: return nil
          case .call:
            let name = tree.name(of: node)
            guard outline.isLibraryFunction(name), !outline.isHostFunction(name) else { return nil }
            if name == "has" || name == "hasFn" { asksForPresence = true }
          case .message: return nil
          default: break
          }
          work += tree.parts(of: node)
        }
      }
    }

    private mutating func add(_ constant: Value) {
      constants.append(constant)
      switch constant {
      case .list(let elements): constants += elements
      case .null, .string(""): asksForPresence = true
      default: break
      }
    }

    /// Whether a text and a bool may be the same value: Superscript reads the texts "true" and
    /// "false" as bools, also those of attributes.
    var mayReadTextAsBool: Bool {
      let types = attributes.map { $0.type }
      return constants.contains { constant in
        switch constant {
        case .bool: types.contains(.string)
        case .string("true"), .string("false"): types.contains(.bool)
        default: false
        }
      }
    }
  }
}
