import ExpressionSyntax

extension SQLDialect {
  /// Refuses what the engine cannot hold.
  func check(_ expression: SQLExpression, at span: SourceSpan) throws(Refusal) {
    let expression = SQLSharing.shared(expression, self)
    guard writtenSize(of: expression) < FilterTranslator.maximumSize else {
      throw Refusal(.size, "the SQL for this would be too large", at: span)
    }
    var waiting = [expression]
    while let next = waiting.popLast() {
      switch next.form {
      case .text(let text) where !acceptsNul && text.unicodeScalars.contains("\0"):
        throw Refusal(.text, "\(title) cannot hold a text with U+0000", at: span)
      case .double(let bits)
      where !Double(bitPattern: bits).isFinite && doubleLiteral.special.isEmpty:
        throw Refusal(.arithmetic, "\(title) has no infinity and no NaN", at: span)
      case .field:
        guard hasStructs else {
          throw Refusal(.column, "\(title) has no structs", at: span)
        }
      case .call(.jsonKind, _) where !jsonKinds.isEmpty: break
      case .call(let function, _):
        guard templates[function] != nil else {
          throw Refusal(
            .function, "\(title) has no function for this (\(function.rawValue))", at: span)
        }
      case .loop(let loop, _, _, _):
        guard loops[loop] != nil else {
          throw Refusal(.collection, "\(title) has no function for this loop", at: span)
        }
      default: break
      }
      waiting += next.parts
    }
  }

  /// The number of nodes of an expression, those that the form of a function repeats counted as often.
  private func writtenSize(of expression: SQLExpression) -> Int {
    var size = 0
    var waiting = [(expression, 1)]
    while let (next, times) = waiting.popLast(), size < FilterTranslator.maximumSize {
      size += times
      guard case .call(let function, let operands) = next.form else {
        waiting += next.parts.map { ($0, times) }
        continue
      }
      let counts = templates.uses(of: function)
      for (index, operand) in operands.enumerated() {
        // An operand that is not written is counted, too.
        waiting.append((operand, times * (counts.indices.contains(index) ? counts[index] : 1)))
      }
    }
    return size
  }
}
