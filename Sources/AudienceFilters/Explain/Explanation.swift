public import ExpressionEngine
public import ExpressionSyntax

/// Why a filter matched a context, or why it did not.
///
/// An explanation is the tree of the conditions as they are written, each with the value that the
/// engine computes for it and the attributes that it read. Making one costs nothing until
/// ``Filter/explain(_:)`` is called.
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
  /// The tree of conditions; its root stands for the whole filter.
  public let root: Condition
  /// The number of the condition that decided against a match, and stands first in the text; `nil`
  /// when the filter matches.
  public let decidingID: Int?
  /// The smallest set of attribute changes that makes the filter match, in the order of the filter.
  ///
  /// Empty when the filter matches already; `nil` when no set of at most 16 plain changes was found.
  public let changes: [Change]?
  /// Whether the filter had more conditions than an explanation shows.
  public let isTruncated: Bool

  /// What the filter answers: exactly what ``evaluate(_:_:)`` answers.
  public var outcome: Outcome { root.outcome }

  /// Whether the filter matches: only `true` does.
  public var matches: Bool { root.outcome == .value(.bool(true)) }

  /// The condition that decided against a match.
  public var deciding: Condition? { decidingID.flatMap { root.descendant($0) } }

  /// What evaluating a condition came to.
  public enum Outcome: Sendable, Hashable {
    /// A value.
    case value(Value)
    /// No value, for the reason that the diagnostic tells.
    case failure(Diagnostic)
    /// It was not evaluated, because the rest had decided.
    case notEvaluated
  }

  /// An attribute that a condition reads, and what was found.
  public struct Read: Sendable, Hashable {
    /// What happened to the attribute.
    public enum Presence: String, Sendable, Hashable {
      /// It was there.
      case present
      /// Its root is there, the attribute is not.
      case missing
      /// The variable that it starts with is not in the context.
      case undeclared
      /// Looking it up failed for another reason.
      case failed
    }

    /// The attribute as it is written.
    public var path: String
    /// The place in the filter.
    public var span: SourceSpan
    /// Whether it was there.
    public var presence: Presence
    /// Its value; `nil` unless it was there.
    public var value: Value?
    /// What stood in for it when it was missing, by the rules of the dialect.
    public var standIn: Value?
  }

  /// A part of a condition that is no attribute and no literal, with its value.
  public struct Operand: Sendable, Hashable {
    /// The part as it is written.
    public var text: String
    /// The place in the filter.
    public var span: SourceSpan
    /// What it came to.
    public var outcome: Outcome
  }

  /// The element that a condition inside a loop was evaluated for.
  public struct Element: Sendable, Hashable {
    /// The loop variable.
    public var variable: String
    /// The position in the list, from 0, or in the order of keys.
    public var index: Int
    /// The number of elements.
    public var count: Int
    /// The element.
    public var value: Value
  }

  /// One attribute to change, so that the filter matches.
  public struct Change: Sendable, Hashable {
    /// The attribute.
    public var path: AttributePath
    /// Its value now; `nil` when it is missing.
    public var current: Value?
    /// What is needed, in the words of the filter: `>= 18`, `one of ["US", "CA"]`.
    public var requirement: String
    /// A value that does it; `nil` when the attribute must be removed.
    public var example: Value?

    /// One line: `user.age is 16, needs >= 18`.
    public var text: String {
      let now = current.map { "is \($0.shortLiteral)" } ?? "is missing"
      return "\(path) \(now), needs \(requirement)"
    }
  }

  /// One condition of a filter, as it is written, and what it came to.
  public struct Condition: Sendable, Hashable {
    /// What a condition is made of.
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

    /// The part that a condition plays in its parent.
    public enum Role: String, Sendable, Hashable {
      /// An operand.
      case operand
      /// What stands before `?`.
      case condition
      /// What stands between `?` and `:`.
      case then
      /// What stands behind `:`.
      case otherwise
      /// The body of a loop, for one element.
      case element
    }

    /// The number of the condition, from 0 for the whole filter, in the order of the text.
    public var id: Int
    /// What it is made of.
    public var kind: Kind
    /// The part that it plays in its parent.
    public var role: Role
    /// The condition as it is written.
    public var text: String
    /// The place in the filter.
    public var span: SourceSpan
    /// What it came to.
    public var outcome: Outcome
    /// Why the whole filter is null, when a missing name or function is the reason.
    public var cause: Diagnostic?
    /// The element of the loop around it.
    public var element: Element?
    /// The attributes that it reads, in source order; those of its parts are at the parts.
    public var reads: [Read]
    /// Computed parts that explain the value.
    public var operands: [Operand]
    /// Facts about the evaluation.
    public var notes: [String]
    /// Its parts, in source order.
    public var children: [Condition]

    /// The condition with a number, here or below.
    public func descendant(_ id: Int) -> Condition? {
      if self.id == id { return self }
      guard let child = children.last(where: { $0.id <= id }) else { return nil }
      return child.descendant(id)
    }

    /// Whether it holds, as `&&`, `||` and `!` see it; `nil` when it has no value.
    public var holds: Bool? {
      guard case .value(let value) = outcome else { return nil }
      return value.isTruthy
    }
  }
}

extension Value {
  /// The literal, cut to a length that fits beside a condition.
  var shortLiteral: String {
    switch self {
    case .list(let elements) where elements.count > 6:
      let head = elements.prefix(3).map(\.shortLiteral).joined(separator: ", ")
      return "[\(head), …] (\(elements.count) elements)"
    case .map(let entries) where entries.count > 4: return "a map of \(entries.count) entries"
    default:
      let text = literal
      return text.count > 72 ? String(text.prefix(71)) + "…" : text
    }
  }
}
