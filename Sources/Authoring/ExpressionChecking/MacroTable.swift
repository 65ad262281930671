import ExpressionSyntax

/// The typing rule of a macro call (docs/spec/cel.md §8, §14–§16, §22; docs/spec/superscript.md §3,
/// §11).
enum MacroRule: Sendable, Hashable {
  /// `has(e.f)`.
  case presence
  /// `hasFn(name)`: a bool, whatever the argument is.
  case opaqueBool
  /// `maybe(ignored, e, fallback)`.
  case fallback
  /// `e.all(x, p)`, `e.exists(i, v, p)` and the like: a bool.
  case quantifier
  /// `e.filter(x, p)`.
  case filter
  /// `e.map(x, t)` and `e.transformList(i, v, t)`, with or without a filter before `t`.
  case list
  /// `e.transformMap(k, v, t)`, with or without a filter before `t`.
  case mapValues
  /// `e.transformMapEntry(k, v, m)`, with or without a filter before `m`.
  case mapEntries
  /// `cel.bind(x, init, e)`.
  case bind
  /// `cel.block([e0, e1], r)`.
  case block
  /// `cel.index(n)`.
  case blockIndex
  /// `cel.iterVar(d, u)` and `cel.accuVar(d, u)`.
  case blockVariable
  /// `o.optMap(x, e)`.
  case optionalMap
  /// `o.optFlatMap(x, e)`.
  case optionalFlatMap
  /// `l.sortBy(x, key)`.
  case sortBy
}

/// One macro of one style and number of arguments.
struct MacroForm: Sendable, Hashable {
  /// The name, with its name space if it has one.
  let name: String
  /// Whether it is called on a value; the others are called by their whole name.
  let isReceiverStyle: Bool
  /// The number of arguments in parentheses.
  let count: Int
  /// The number of variables it introduces, which are its first arguments.
  let variables: Int
  /// Its typing rule.
  let rule: MacroRule
}

/// The macros that the checker knows how to type.
enum MacroTable {
  /// All forms.
  static let forms: [MacroForm] =
    [
      MacroForm(name: "has", isReceiverStyle: false, count: 1, variables: 0, rule: .presence),
      MacroForm(name: "hasFn", isReceiverStyle: false, count: 1, variables: 0, rule: .opaqueBool),
      MacroForm(name: "maybe", isReceiverStyle: false, count: 3, variables: 0, rule: .fallback),
      MacroForm(name: "cel.bind", isReceiverStyle: false, count: 3, variables: 1, rule: .bind),
      MacroForm(name: "cel.block", isReceiverStyle: false, count: 2, variables: 0, rule: .block),
      MacroForm(
        name: "cel.index", isReceiverStyle: false, count: 1, variables: 0, rule: .blockIndex),
      MacroForm(
        name: "cel.iterVar", isReceiverStyle: false, count: 2, variables: 0, rule: .blockVariable),
      MacroForm(
        name: "cel.accuVar", isReceiverStyle: false, count: 2, variables: 0, rule: .blockVariable),
    ]
    + [
      method("optMap", 2, 1, .optionalMap), method("optFlatMap", 2, 1, .optionalFlatMap),
      method("sortBy", 2, 1, .sortBy), method("filter", 2, 1, .filter), method("map", 2, 1, .list),
      method("map", 3, 1, .list), method("transformList", 3, 2, .list),
      method("transformList", 4, 2, .list), method("transformMap", 3, 2, .mapValues),
      method("transformMap", 4, 2, .mapValues), method("transformMapEntry", 3, 2, .mapEntries),
      method("transformMapEntry", 4, 2, .mapEntries),
    ]
    + ["all", "exists", "exists_one", "existsOne"].flatMap {
      [method($0, 2, 1, .quantifier), method($0, 3, 2, .quantifier)]
    }

  /// The forms of a name.
  static let byName = Dictionary(grouping: forms, by: { $0.name })

  private static func method(
    _ name: String, _ count: Int, _ variables: Int, _ rule: MacroRule
  ) -> MacroForm {
    MacroForm(name: name, isReceiverStyle: true, count: count, variables: variables, rule: rule)
  }
}
