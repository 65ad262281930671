extension RegexTranslator {
  /// Reads `{n}`, `{n,}` or `{n,m}`.
  mutating func translateBrace() throws(RegexError) {
    var reader = index &+ 1
    let minimum = number(&reader)
    var maximum = minimum
    var hasComma = false
    if reader < text.count, text[reader] == UInt8(ascii: ",") {
      hasComma = true
      reader &+= 1
      skipBlanks(&reader)
      maximum = reader < text.count && text[reader] == UInt8(ascii: "}") ? nil : number(&reader)
    }
    let isOpenEnded = hasComma && reader < text.count && maximum == nil
    let isClosed = reader < text.count && text[reader] == UInt8(ascii: "}")
    guard let minimum, isClosed, maximum != nil || isOpenEnded else {
      guard !flavor.allowsLiteralBrace else {
        index &+= 1
        return emitLiteral(UInt32(UInt8(ascii: "{")))
      }
      guard atom != nil else {
        throw failure("repetition operator missing expression", at: index, length: 1)
      }
      throw reader >= text.count
        ? failure("unclosed counted repetition", at: index, length: reader &- index)
        : failure(
          "repetition quantifier expects a valid decimal", at: reader, length: 1)
    }
    let length = reader &+ 1 &- index
    if let maximum, minimum > maximum {
      throw failure(
        "invalid repetition count range, the start must be <= the end", at: index, length: length)
    }
    let largest = max(minimum, maximum ?? 0)
    guard largest <= flavor.maximumRepetition else {
      throw RegexError(
        "a repetition may not count beyond \(flavor.maximumRepetition) in \(flavor.name)",
        kind: .tooLarge, offset: index, length: length)
    }
    try repeatAtom(minimum, maximum, length: length)
  }

  private func skipBlanks(_ reader: inout Int) {
    guard flags.contains(.verbose) else { return }
    while reader < text.count, text[reader] == 0x20 { reader &+= 1 }
  }

  /// Reads a count; at most ten million, which is beyond every limit.
  private func number(_ reader: inout Int) -> Int? {
    skipBlanks(&reader)
    var value = 0
    let start = reader
    while reader < text.count, text[reader] &- 0x30 < 10 {
      value = min(value &* 10 &+ Int(text[reader] &- 0x30), 10_000_000)
      reader &+= 1
    }
    let hasDigits = reader > start
    skipBlanks(&reader)
    return hasDigits ? value : nil
  }

  /// Repeats what was translated last.
  ///
  /// - Parameter length: The length of the operator, without the `?` behind it.
  mutating func repeatAtom(
    _ minimum: Int, _ maximum: Int?, length: Int
  ) throws(RegexError) {
    guard var repeated = atom else {
      throw failure("repetition operator missing expression", at: index, length: length)
    }
    let source = index
    index &+= length
    var isLazy = false
    if index < text.count, text[index] == UInt8(ascii: "?") {
      isLazy = true
      index &+= 1
    }
    if flags.contains(.swapGreed) { isLazy.toggle() }
    if repeated.stacked > 0 {
      guard flavor.allowsStackedRepetition else {
        throw failure(
          "a repetition cannot be repeated in \(flavor.name); put it into a group", at: source,
          length: length)
      }
      guard repeated.stacked &+ groups.count < limits.nesting else {
        throw RegexError(
          "more than \(limits.nesting) levels of nesting", kind: .tooLarge, offset: source,
          length: length)
      }
    }
    let count = max(minimum, maximum ?? 1, 1)
    let (total, overflow) = repeated.product.multipliedReportingOverflow(by: count)
    guard !overflow, total <= flavor.maximumRepetitionProduct else {
      throw RegexError(
        "nested repetitions count beyond \(flavor.maximumRepetitionProduct) together",
        kind: .tooLarge, offset: source, length: length)
    }
    repeated.product = total
    product = max(product, total)
    if maximum.map({ $0 > 8 }) ?? true { hasWideRepetition = true }
    if repeated.isAssertion || repeated.stacked > 0 { wrap(&repeated) }
    emitRepetition(of: repeated, minimum, maximum, isLazy: isLazy)
    repeated.isSingle = false
    repeated.stacked &+= 1
    atom = repeated
  }

  private mutating func wrap(_ repeated: inout Atom) {
    output.insert(contentsOf: "(?:".utf8, at: repeated.outputStart)
    emit(")")
    repeated.isSingle = false
    repeated.isAssertion = false
  }

  private mutating func emitRepetition(
    of repeated: Atom, _ minimum: Int, _ maximum: Int?, isLazy: Bool
  ) {
    if purpose == .linear, repeated.isSingle, minimum > 0, maximum == nil {
      let copy = output[repeated.outputStart...]
      if minimum > 1 { emitCount(minimum, minimum) }
      output.append(contentsOf: copy)
      emit("*")
      return
    }
    switch (minimum, maximum) {
    case (0, nil): emit("*")
    case (1, nil): emit("+")
    case (0, 1): emit("?")
    default: emitCount(minimum, maximum)
    }
    if isLazy, purpose == .backtracking, minimum != maximum { emit("?") }
  }

  private mutating func emitCount(_ minimum: Int, _ maximum: Int?) {
    emit("{")
    IntegerText.append(UInt64(minimum), to: &output)
    if maximum != minimum { emit(",") }
    if let maximum, maximum != minimum { IntegerText.append(UInt64(maximum), to: &output) }
    emit("}")
  }
}
