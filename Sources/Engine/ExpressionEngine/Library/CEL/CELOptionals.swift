// Optional values (docs/spec/cel.md §14).

enum CELOptionals {
  static let definitions: [FunctionDefinition] = [
    .cel(
      "optional.of", "an optional that holds a value",
      [
        .init("optional.of(A) -> optional_type(A)", "optional.of(1)", "optional.of(1)") {
          $0.optional($1[0])
        }
      ]),
    .cel(
      "optional.none", "an optional that is empty",
      [
        .init("optional.none() -> optional_type(A)", "optional.none()", "optional.none()") {
          _, _ in Slot(.optional, 0)
        }
      ]),
    .cel(
      "optional.ofNonZeroValue", "an optional that is empty for null, zero and everything empty",
      [
        .init(
          "optional.ofNonZeroValue(A) -> optional_type(A)", #"optional.ofNonZeroValue("")"#,
          "optional.none()"
        ) { $1[0].isZeroValue ? Slot(.optional, 0) : $0.optional($1[0]) }
      ]),
    .cel(
      "hasValue", "whether an optional holds a value",
      [
        .init("optional_type(A).hasValue() -> bool", "optional.of(null).hasValue()", "true") {
          .bool($1[0].word0 != 0)
        }
      ]),
    .cel(
      "value", "what an optional holds; an error when it is empty",
      [
        .init("optional_type(A).value() -> A", "optional.of(1).value()", "1") {
          $1[0].optionalContent ?? $0.fail(.emptyOptional)
        }
      ]),
    .celMacro(
      "or", "an optional, or another one when it is empty",
      ["optional_type(A).or(optional_type(A)) -> optional_type(A)"],
      [.init("optional.none().or(optional.of(2))", "optional.of(2)")]),
    .celMacro(
      "orValue", "what an optional holds, or another value when it is empty",
      ["optional_type(A).orValue(A) -> A"], [.init("optional.none().orValue(2)", "2")]),
    .celMacro(
      "optMap", "an optional of an expression over what the optional holds",
      ["optional_type(A).optMap(variable, B) -> optional_type(B)"],
      [.init("optional.of(1).optMap(x, x + 1)", "optional.of(2)")]),
    .celMacro(
      "optFlatMap", "an optional expression over what the optional holds",
      ["optional_type(A).optFlatMap(variable, optional_type(B)) -> optional_type(B)"],
      [.init(#"optional.of({"a": 1}).optFlatMap(m, m.?b)"#, "optional.none()")]),
    .cel(
      "first", "the first element of a list, if there is one",
      [
        .init("list(A).first() -> optional_type(A)", "[1, 2].first()", "optional.of(1)") {
          guard let element = $1[0].elements.first else { return Slot(.optional, 0) }
          return $0.optional(element)
        }
      ]),
    .cel(
      "last", "the last element of a list, if there is one",
      [
        .init("list(A).last() -> optional_type(A)", "[].last()", "optional.none()") {
          guard let element = $1[0].elements.last else { return Slot(.optional, 0) }
          return $0.optional(element)
        }
      ]),
    .cel(
      "optional.unwrap", "what the optionals of a list hold, without the empty ones",
      [
        .init(
          "optional.unwrap(list(optional_type(A))) -> list(A)",
          "optional.unwrap([optional.of(1), optional.none()])", "[1]"
        ) { $0.celUnwrap($1[0]) }
      ]),
    .cel(
      "unwrapOpt", "what the optionals of a list hold, without the empty ones",
      [
        .init(
          "list(optional_type(A)).unwrapOpt() -> list(A)", "[optional.of(1)].unwrapOpt()", "[1]"
        ) { $0.celUnwrap($1[0]) }
      ]),
  ]
}

extension FunctionDefinition {
  /// `a.?b`.
  static let celOptionalSelect = FunctionDefinition(
    "_?._", parameters: [.any, .string], signatures: [], summary: "an optional of a field",
    examples: [],
    form: .function { $0.optionalMember(of: $1[0], named: $1[1]) })

  /// `a[?b]`.
  static let celOptionalIndex = FunctionDefinition(
    "_[?_]", parameters: [.any, .any], signatures: [], summary: "an optional of an element",
    examples: [],
    form: .function { $0.optionalElement(of: $1[0], at: $1[1]) })

  /// `has(a.b)`.
  static let celHas = FunctionDefinition(
    "has", parameters: [.any, .string], signatures: [], summary: "whether a field is there",
    examples: [],
    form: .function { $0.celHas($1[0], $1[1]) })
}

extension Machine {
  /// Returns whether a map, or the map in an optional, has a field (docs/spec/cel.md §9).
  mutating func celHas(_ receiver: Slot, _ name: Slot) -> Slot {
    switch receiver.tag {
    case .map: return .bool(receiver.table.find(name, crossNumeric: false) != nil)
    case .optional:
      guard let content = receiver.optionalContent else { return .bool(false) }
      return celHas(content, name)
    default: return fail(.unexpectedType, receiver)
    }
  }

  /// The contents of a list of optionals.
  mutating func celUnwrap(_ list: Slot) -> Slot {
    let builder = beginBuilder(capacity: Int(list.aux))
    if builder.isA(.error) { return builder }
    for element in list.elements {
      let result = append(optional: element, to: builder)
      if result.isA(.error) { return result }
    }
    return finishedList(builder)
  }
}

extension Slot {
  /// Whether `optional.ofNonZeroValue` of the value is empty. Instants never are.
  fileprivate var isZeroValue: Bool {
    switch tag {
    case .null: true
    case .bool, .int, .uint: word0 == 0
    case .double: doubleValue == 0
    case .string, .bytes, .list, .map: aux == 0
    case .duration: word0 == 0 && aux == 0
    default: false
    }
  }
}
