// Forms of Lisp.

extension IdiomText {
  // MARK: Lisp

  /// `(and (>= user.age 18) (== user.plan "pro"))`: a text that is nothing else.
  func lisp() -> String? {
    guard pieces.count > 3, pieces[0].isMark("("), let (end, text) = Self.form(pieces, 0, depth: 0),
      end == pieces.count
    else { return nil }
    return text
  }

  /// Reads one value or one form in parentheses from a position.
  private static func form(
    _ pieces: [Piece], _ start: Int, depth: Int
  ) -> (end: Int, text: String)? {
    guard depth < 16, start < pieces.count else { return nil }
    guard pieces[start].isMark("(") else {
      return pieces[start].isValue ? (start + 1, pieces[start].text) : nil
    }
    var index = start + 1
    var op = ""
    while index < pieces.count, pieces[index].kind == .mark, !pieces[index].isMark("(") {
      op += pieces[index].text
      index += 1
    }
    if op.isEmpty, index < pieces.count, pieces[index].kind == .path {
      op = pieces[index].text.lowercased()
      index += 1
    }
    var operands: [String] = []
    while index < pieces.count, !pieces[index].isMark(")") {
      guard let next = form(pieces, index, depth: depth + 1) else { return nil }
      operands.append(next.text)
      index = next.end
    }
    guard index < pieces.count else { return nil }
    let logic = ["and": " && ", "or": " || "]
    if let sign = logic[op], operands.count > 1 {
      let inner = operands.joined(separator: sign)
      return (index + 1, depth == 0 ? inner : "(\(inner))")
    }
    if op == "not", operands.count == 1 { return (index + 1, "!(\(operands[0]))") }
    let signs = [
      "=": "==", "==": "==", "eq": "==", "!=": "!=", ">": ">", ">=": ">=", "<": "<",
      "<=": "<=", "in": "in",
    ]
    guard let sign = signs[op], operands.count == 2 else { return nil }
    return (index + 1, "\(operands[0]) \(sign) \(operands[1])")
  }
}
