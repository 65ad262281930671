import ExpressionEngine
import ExpressionSyntax

// Calls of library functions and of the host's.

extension FilterTranslator {
  /// A call of a library function.
  mutating func call(
    _ function: Int, _ arguments: [Int], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    let name = filter.functionNames[function]
    return try strict(arguments) { translator, terms throws(Refusal) in
      let constants = terms.compactMap { term in
        if case .constant(let value) = term { value } else { nil }
      }
      if constants.count == terms.count {
        for value in constants { try translator.refuseIdentity(of: value, value, span) }
        return translator.choice(translator.filter.call(function, constants))
      }
      return translator.isSuperscript
        ? try translator.superscriptCall(name, terms, span)
        : try translator.celCall(name, terms, span)
    }
  }

  /// A call of a function of the host, if a column holds its results or they are the same for all rows.
  mutating func hostCall(
    _ table: String, _ name: String, _ arguments: [Int], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    let path = table.isEmpty || table == "." ? name : "\(table).\(name)"
    return try strict(arguments) { translator, terms throws(Refusal) in
      var values: [Value] = []
      for term in terms {
        guard case .constant(let value) = term else {
          throw Refusal(
            .hostFunction, "no database can call `\(path)` with a value of the row",
            at: span)
        }
        values.append(value)
      }
      if values.count == 1, case .string(let argument) = values[0],
        let column = translator.variables.part(table, "\(name)(\(argument))")
      {
        return .either(column.presence, try translator.read(column.shape, span), .null)
      }
      guard let answer = translator.hostAnswers(table, name, values) else {
        throw Refusal(
          .hostFunction,
          path == name
            ? "no database can call `\(name)`, which is a function of the app"
            : "no database can call `\(path)`, which belongs to the device",
          at: span)
      }
      return .constant(translator.isSuperscript ? answer.normalized : answer)
    }
  }

  private func refused(_ name: String, _ span: SourceSpan) -> Refusal {
    let bare = name.drop { $0 == "." }.prefix { $0 != "/" }
    return Refusal(.function, "`\(bare)` has no form in SQL", at: span)
  }

  // MARK: Superscript

  private mutating func superscriptCall(
    _ name: String, _ terms: [Term], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard let first = terms.first else { return .null }
    switch name {
    case "size": return try size(first, span)
    case "contains": return try superscriptContains(first, terms[1], span)
    case "startsWith", "endsWith", "matches": return try textTest(name, first, terms[1], span)
    case "unknownFunction", "test_custom_func": return .null
    case "max": return try superscriptMax(terms, span)
    case "intToString", "uintToString", "string":
      switch first {
      case .string: return Choice(first)
      case .int(let number), .uint(let number): return Choice(.string(.call(.textOfInt, number)))
      case .double, .bytes: throw refused(name, span)
      default: return try failure(quoting: [first], span)
      }
    case "boolToString":
      return first.scalar.map {
        .either($0, .constant(.string("true")), .constant(.string("false")))
      }
        ?? .failure(.other)
    case "double":
      switch kind(of: first) {
      case .double: return Choice(first)
      case .int, .uint:
        return asDouble(first).map { Choice(.double($0, mayBeNaN: false)) } ?? .failure(.other)
      case .string: throw refused(name, span)
      default: return try failure(quoting: [first], span)
      }
    case "int":
      switch first {
      case .int: return Choice(first)
      case .uint(let number): return try narrowed(number, span)
      case .double(let number, _): return try truncated(first, number, span)
      case .string(let text):
        return try parsed(.int(.call(.intOfText, text)), by: .intOfText, span)
      default: return try failure(quoting: [first], span)
      }
    case "uint":
      switch first {
      case .uint: return Choice(first)
      case .int(let number):
        return .either(
          .comparison(.less, number, .int(0)), .failure(.other), Choice(.uint(number)))
      case .string(let text):
        return try parsed(.uint(.call(.uintOfText, text)), by: .uintOfText, span)
      case .double: throw refused(name, span)
      default: return try failure(quoting: [first], span)
      }
    case "hasFn":
      guard kind(of: first) != .string else { throw refused(name, span) }
      return try failure(quoting: [first], span)
    case "bytes":
      guard let text = first.scalar else { throw refused(name, span) }
      try require(.bytesOfText, span)
      return Choice(.bytes(.call(.bytesOfText, text)))
    default: throw refused(name, span)
    }
  }

  /// The number of elements, entries, octets, and for texts what the dialect counts.
  private func size(_ term: Term, _ span: SourceSpan) throws(Refusal) -> Choice {
    switch kind(of: term) {
    case .string:
      guard let text = term.scalar else { return .failure(.other) }
      return Choice(.int(.call(isSuperscript ? .byteLength : .codePointLength, text)))
    case .bytes:
      guard let bytes = term.scalar else { return .failure(.other) }
      return Choice(.int(.call(.octetLength, bytes)))
    case .list, .map: return Choice(.int(try length(of: term, span)))
    default: return try failure(quoting: [term], span)
    }
  }

  /// The number of elements of a list or entries of a map.
  func length(of term: Term, _ span: SourceSpan) throws(Refusal) -> SQLExpression {
    switch term {
    case .list(let list, _): return .call(.listLength, list)
    case .jsonArray(let json): return .call(.jsonLength, json)
    case .jsonObject(let json):
      try require(.jsonKeys, span)
      return .call(.listLength, .call(.jsonKeys, json))
    case .tuple(let elements): return .int(Int64(elements.count))
    case .record(let entries):
      let certain = entries.filter { $0.presence.isYes }.count
      var sum = SQLExpression.int(Int64(certain))
      for entry in entries where !entry.presence.isYes {
        let one = SQLExpression.choice(
          [SQLBranch(condition: entry.presence, value: .int(1))], otherwise: .int(0))
        try require(.add, span)
        sum = .call(.narrow, .call(.add, sum, one))
      }
      return sum
    case .constant(.list(let values)): return .int(Int64(values.count))
    case .constant(.map(let entries)): return .int(Int64(entries.count))
    default: return .int(0)
    }
  }

  private mutating func superscriptContains(
    _ whole: Term, _ part: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    switch kind(of: whole) {
    case .string:
      guard kind(of: part) == .string, let text = whole.scalar, let piece = part.scalar else {
        return .constant(.bool(false))
      }
      return .bool(.call(.contains, text, piece))
    case .list: return .bool(try isElement(part, of: whole, span))
    case .map:
      switch kind(of: part) {
      case .string, .bool, .int, .uint: return .bool(try isKey(part, of: whole, span))
      default: return try failure(quoting: [part], span)
      }
    case .bytes:
      guard kind(of: part) == .bytes else { return .constant(.bool(false)) }
      throw refused("contains", span)
    default: return .constant(.bool(false))
    }
  }

  private func textTest(
    _ name: String, _ text: Term, _ part: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard let subject = text.scalar, let other = part.scalar else { return .failure(.other) }
    switch name {
    case "startsWith": return .bool(.call(.hasPrefix, subject, other))
    case "endsWith": return .bool(.call(.hasSuffix, subject, other))
    default:
      guard case .constant(.string(let pattern)) = part else {
        throw Refusal(.pattern, "a pattern of the row has no form in SQL", at: span)
      }
      let portable: PortablePattern
      do {
        portable = try PortablePattern(pattern, isUnicodeAware: isSuperscript)
      } catch {
        throw Refusal(.pattern, error.message, at: span)
      }
      if let test = portable.plainTest(of: subject) { return .bool(test) }
      try require(.matches, span)
      return .bool(.call(.matches, subject, .text(portable.text(for: dialect.patterns))))
    }
  }

  private mutating func superscriptMax(
    _ terms: [Term], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    var values = terms.map { Choice($0) }
    if terms.count == 1 {
      guard kind(of: terms[0]) == .list else { return Choice(terms[0]) }
      guard let elements = elements(of: terms[0]) else { throw refused("max", span) }
      values = elements
    }
    guard var largest = values.first else { return .null }
    for value in values.dropFirst() {
      largest = try strict([largest, value]) { translator, pair throws(Refusal) in
        let isLarger = try translator.compare(.greater, pair[0], pair[1], span)
        return isLarger.map { term in
          .either(translator.truth(of: term), Choice(pair[0]), Choice(pair[1]))
        }
      }
    }
    return largest
  }

  /// A number that is read of a text, and fails where the text is none.
  private func parsed(
    _ number: Term, by function: SQLFunction, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    try require(function, span)
    guard let value = number.scalar else { return .failure(.other) }
    return .either(.isNotNull(value), Choice(number), .failure(.other))
  }

  /// An unsigned integer as an int, unless it is too large.
  private func narrowed(_ number: SQLExpression, _ span: SourceSpan) throws(Refusal) -> Choice {
    try require(.narrow, span)
    let int = SQLExpression.call(.narrow, number)
    return .either(.isNull(int), .failure(.other), Choice(.int(int)))
  }

  /// A double as an int.
  private func truncated(
    _ term: Term, _ number: SQLExpression, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    try require(.truncate, span)
    let least = SQLExpression.double(-0x1p63)
    let most = SQLExpression.double(0x1p63)
    let isNaN = isNaN(term)
    if !isSuperscript {
      let fits = .comparison(.greater, number, least) && .comparison(.less, number, most)
      return .either(!isNaN && fits, Choice(.int(.call(.truncate, number))), .failure(.other))
    }
    // Both ends of the range count, the upper one as the largest int; NaN becomes 0.
    let fits = .comparison(.greaterEqual, number, least) && .comparison(.lessEqual, number, most)
    let value = SQLExpression.choice(
      [
        SQLBranch(
          condition: .comparison(.equal, number, most), value: .int(.max)),
        SQLBranch(condition: .comparison(.equal, number, least), value: .int(.min)),
      ], otherwise: .call(.truncate, number))
    return .either(
      isNaN, .constant(.int(0)), .either(fits, Choice(.int(value)), .failure(.other)))
  }

  // MARK: CEL

  private mutating func celCall(
    _ name: String, _ terms: [Term], _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard let first = terms.first else { throw refused(name, span) }
    let kinds = terms.map { kind(of: $0) }
    switch name {
    case "size/1", ".size/1": return try size(first, span)
    case ".contains/2", ".startsWith/2", ".endsWith/2", ".matches/2", "matches/2":
      guard kinds == [.string, .string] else { return .failure(.other) }
      if name == ".contains/2" {
        guard let text = first.scalar, let part = terms[1].scalar else { return .failure(.other) }
        return .bool(.call(.contains, text, part))
      }
      return try textTest(
        name == "matches/2" ? "matches" : String(name.dropFirst().prefix { $0 != "/" }), first,
        terms[1], span)
    case "has": return try celHas(first, terms[1], span)
    case "_?._":
      guard case .constant(.string(let field)) = terms[1] else { throw refused("?.", span) }
      return try optionalMember(of: first, field, span)
    case "dyn/1": return Choice(first)
    case "type/1":
      guard let type = kinds[0].typeName else { throw refused(name, span) }
      return .constant(.type(type))
    case "optional.of/1": return Choice(.optional(Choice(first)))
    case ".hasValue/1":
      guard kinds[0] == .optional else { return .failure(.other) }
      return .constant(.bool(content(of: first) != nil))
    case ".value/1":
      guard kinds[0] == .optional else { return .failure(.other) }
      return content(of: first) ?? .failure(.other)
    case "bool/1":
      guard kinds[0] == .bool || kinds[0] == .string else { return .failure(.other) }
      if kinds[0] == .bool { return Choice(first) }
      return try celBool(first, span)
    case "int/1": return try celInt(first, kinds[0], span)
    case "double/1":
      switch kinds[0] {
      case .double: return Choice(first)
      case .int, .uint:
        return asDouble(first).map { Choice(.double($0, mayBeNaN: false)) } ?? .failure(.other)
      case .string: throw refused(name, span)
      default: return .failure(.other)
      }
    case "string/1":
      switch first {
      case .string: return Choice(first)
      case .int(let number), .uint(let number): return Choice(.string(.call(.textOfInt, number)))
      case .bool(let condition):
        return .either(condition, .constant(.string("true")), .constant(.string("false")))
      case .double, .bytes, .timestamp: throw refused(name, span)
      default: return .failure(.other)
      }
    case "timestamp/1":
      switch kinds[0] {
      case .timestamp: return Choice(first)
      case .string, .int: throw refused(name, span)
      default: return .failure(.other)
      }
    case "bytes/1":
      switch kinds[0] {
      case .bytes: return Choice(first)
      case .string:
        guard let text = first.scalar else { return .failure(.other) }
        try require(.bytesOfText, span)
        return Choice(.bytes(.call(.bytesOfText, text)))
      default: return .failure(.other)
      }
    default: throw refused(name, span)
    }
  }

  /// Whether a map has a field.
  private func celHas(
    _ term: Term, _ name: Term, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    guard case .constant(.string(let field)) = name else { throw refused("has", span) }
    switch kind(of: term) {
    case .map:
      let found = try member(term, field, whenMissing: .failure(.missingKey), span)
      return .bool(!found.failing(.missingKey))
    case .optional:
      guard let content = content(of: term) else { return .constant(.bool(false)) }
      return try content.map { inner throws(Refusal) in try celHas(inner, name, span) }
    default: return .failure(.other)
    }
  }

  private func celBool(_ text: Term, _ span: SourceSpan) throws(Refusal) -> Choice {
    guard let text = text.scalar else { return .failure(.other) }
    func isOne(_ words: [String]) -> SQLExpression {
      SQLExpression(.oneOf(text, words.map { .text($0) }))
    }
    let yes = isOne(["true", "True", "TRUE", "t", "1"])
    let no = isOne(["false", "False", "FALSE", "f", "0"])
    return Choice([(yes || no, .bool(yes)), (!yes && !no, .failure(.other))])
  }

  private func celInt(
    _ term: Term, _ kind: TermKind, _ span: SourceSpan
  ) throws(Refusal) -> Choice {
    switch term {
    case .int: return Choice(term)
    case .uint(let number): return try narrowed(number, span)
    case .double(let number, _): return try truncated(term, number, span)
    case .string, .timestamp: throw refused("int", span)
    default: return .failure(.other)
    }
  }
}

extension Value {
  /// The value as the superscript dialect reads it of a context or of the host: words for bools are
  /// bools, and instants are whole seconds.
  var normalized: Value {
    switch self {
    case .string("true"): .bool(true)
    case .string("false"): .bool(false)
    case .timestamp(let instant): .int(instant.seconds)
    case .list(let elements): .list(elements.map(\.normalized))
    case .map(let entries): .map(entries.mapValues(\.normalized))
    default: self
    }
  }
}
