public import ExpressionEngine
public import ExpressionSyntax
import FilterAnalysis

/// The reasons why a filter matched a context or did not match it.
///
/// An explanation is the tree of the conditions as they are written, each with the value that the
/// engine computes for it and the attributes that it reads. Only a call of `Filter.explain(_:)`
/// has a cost; matching does not become slower.
///
/// ```swift
/// let filter = try Filter("user.age >= 18 && device.platform == \"iOS\"")
/// let context = Context(user: ["age": 16], device: ["platform": "iOS"])
/// print(filter.explain(context).text)
/// ```
public struct Explanation: Sendable, Hashable {
  /// The filter's text.
  package let source: SourceText
  /// The text of the filter.
  public var filter: String { source.text }
  /// The tree of conditions, whose root is the whole filter.
  public let root: Condition
  /// The id of the condition that decided against a match, which is named first in the text; `nil`
  /// if the filter matches.
  public let decidingID: Int?
  /// The smallest set of attribute changes that makes the filter match, in the order of the filter.
  ///
  /// Empty if the filter already matches; `nil` if no set of at most 16 plain changes was found,
  /// which does not mean that there is none: see ``neverMatches``.
  public let changes: [Change]?
  /// Whether the filter certainly matches no user, such as one whose conditions exclude each other.
  public let neverMatches: Bool
  /// Why no changes are offered, as a clause without its end, if that is known: "No value was found
  /// with which `user.a > user.a` holds".
  public let obstacle: String?
  /// Whether the filter had more conditions than an explanation shows.
  public let isTruncated: Bool

  /// The filter's result, exactly as `evaluate(_:_:)` returns or throws it.
  public var outcome: Outcome { root.outcome }

  /// Whether the filter matches; only `true` is a match.
  public var matches: Bool { root.outcome == .value(.bool(true)) }

  /// The condition that decided against a match.
  public var deciding: Condition? { decidingID.flatMap { root.descendant($0) } }

  /// The outcome of evaluating a condition.
  public enum Outcome: Sendable, Hashable {
    /// A value.
    case value(Value)
    /// No value, for the reason that the diagnostic gives.
    case failure(Diagnostic)
    /// Not evaluated, because the result was already decided.
    case notEvaluated
  }

  /// An attribute that a condition reads, and the value that was found.
  public struct Read: Sendable, Hashable {
    /// Whether the attribute was found.
    public enum Presence: String, Sendable, Hashable {
      /// The attribute is present.
      case present
      /// The root is present, but the attribute is not.
      case missing
      /// The variable that the path starts with is not in the context.
      case undeclared
      /// The lookup failed for another reason.
      case failed
    }

    /// The attribute as it is written.
    public var path: String
    /// The place in the filter.
    public var span: SourceSpan
    /// Whether the attribute was found.
    public var presence: Presence
    /// The value; `nil` unless the attribute is present.
    public var value: Value?
    /// The value that replaced a missing attribute, by the rules of the dialect.
    public var standIn: Value?
  }

  /// A part of a condition that is neither an attribute nor a literal, with its value.
  public struct Operand: Sendable, Hashable {
    /// The part as it is written.
    public var text: String
    /// The place in the filter.
    public var span: SourceSpan
    /// The outcome of the part.
    public var outcome: Outcome
  }

  /// The element that a condition inside a loop was evaluated for.
  public struct Element: Sendable, Hashable {
    /// The loop variable.
    public var variable: String
    /// The position in the list, from 0; for a map, the position in the order of its keys.
    public var index: Int
    /// The number of elements.
    public var count: Int
    /// The element.
    public var value: Value
  }

  /// A change of one attribute on the way to a match.
  public struct Change: Sendable, Hashable {
    /// The attribute; for a function of the app its name, such as `device.daysSince`.
    public var path: AttributePath
    /// The call of a function of the app whose result must be another one, as it is written; `nil`
    /// for an attribute.
    public var call: String?
    /// The present value; `nil` if the attribute is missing.
    public var current: Value?
    /// The required value, in the words of the filter: `>= 18`, `one of ["US", "CA"]`.
    public var requirement: String
    /// A value that meets the requirement; `nil` if the attribute must be removed.
    public var example: Value?

    /// One line: `user.age is 16, needs >= 18`.
    public var text: String {
      let now = current.map { "is \($0.shortLiteral)" } ?? "is missing"
      return "\(call ?? path.description) \(now), needs \(requirement)"
    }
  }

  /// One condition of a filter, as it is written, with its outcome.
  public struct Condition: Sendable, Hashable {
    /// The form of a condition.
    public enum Kind: String, Sendable, Hashable {
      /// `a && b && …`.
      case all
      /// `a || b || …`.
      case any
      /// `!a`.
      case not
      /// `a ? b : c`.
      case conditional
      /// `a == b` and the like.
      case comparison
      /// `list.all(x, …)`, `exists` or `exists_one`.
      case loop
      /// A call of a function.
      case call
      /// Anything else.
      case value
    }

    /// The role of a condition in its parent.
    public enum Role: String, Sendable, Hashable {
      /// An operand.
      case operand
      /// The condition before `?`.
      case condition
      /// The branch between `?` and `:`.
      case then
      /// The branch after `:`.
      case otherwise
      /// The body of a loop, for one element.
      case element
    }

    /// The number of the condition, in the order of the text; the whole filter has number 0.
    public var id: Int
    /// The form of the condition.
    public var kind: Kind
    /// The role of the condition in its parent.
    public var role: Role
    /// The condition as it is written.
    public var text: String
    /// The place in the filter.
    public var span: SourceSpan
    /// The outcome of the condition.
    public var outcome: Outcome
    /// The reason why the whole filter is null, if that is a missing name or function.
    public var cause: Diagnostic?
    /// The element of the enclosing loop for which the condition was evaluated.
    public var element: Element?
    /// The attributes that the condition reads, in source order. Those of its parts are listed with
    /// the parts.
    public var reads: [Read]
    /// Computed parts that explain the value.
    public var operands: [Operand]
    /// Facts about the evaluation.
    public var notes: [String]
    /// The parts, in source order.
    public var children: [Condition]

    /// Returns the condition with a number, which is this one or one of its descendants.
    public func descendant(_ id: Int) -> Condition? {
      if self.id == id { return self }
      guard let child = children.last(where: { $0.id <= id }) else { return nil }
      return child.descendant(id)
    }

    /// Whether the condition holds, as `&&`, `||` and `!` see it; `nil` if it has no value.
    public var holds: Bool? {
      guard case .value(let value) = outcome else { return nil }
      return value.isTruthy
    }
  }
}

extension Value {
  /// The literal, shortened to fit beside a condition.
  var shortLiteral: String {
    switch self {
    case .list(let elements) where elements.count > 6:
      let head = elements.prefix(3).map { $0.shortLiteral }.joined(separator: ", ")
      return "[\(head), …] (\(elements.count) elements)"
    case .map(let entries) where entries.count > 4: return "a map of \(entries.count) entries"
    default:
      let text = literal
      return text.count > 72 ? String(text.prefix(71)) + "…" : text
    }
  }
}
