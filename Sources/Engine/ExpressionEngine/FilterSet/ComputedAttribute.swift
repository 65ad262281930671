/// An arithmetic expression over attributes, which a set treats as another attribute. It is
/// computed once for each context, however many conditions compare it with constants.
///
/// The expression is in postfix form: an attribute is its number, perhaps with a bit for its size,
/// a constant its tag and its two halves, an operator its raw value.
enum ComputedAttribute {
  static let sizeBit: UInt32 = 1 << 29
  static let constantBit: UInt32 = 1 << 30
  static let operatorBit: UInt32 = 1 << 31
  /// The maximum number of words of an expression, and of values on its stack.
  static let maximumWords = 48
  static let maximumDepth = 8

  /// Returns the value of an expression, or ``Slot/absent`` if it has no value or is not a number.
  ///
  /// - Parameter value: Returns the value of an attribute by its number, or ``Slot/absent``.
  static func compute(
    _ code: UnsafeBufferPointer<UInt32>, isSuperscript: Bool, _ value: (Int) -> Slot
  ) -> Slot {
    var machine = Machine(rules: isSuperscript ? .superscript : .cel, limits: .standard)
    return withUnsafeTemporaryAllocation(of: Slot.self, capacity: maximumDepth) { stack in
      var depth = 0
      var next = 0
      while next < code.count {
        let word = code[next]
        next &+= 1
        if word & operatorBit != 0 {
          // The reader wrote two operands before each operator.
          depth &-= 1
          guard let op = ArithmeticOperator(rawValue: UInt8(truncatingIfNeeded: word)) else {
            return .absent
          }
          let result = machine.arithmetic(op, stack[depth &- 1], stack[depth])
          guard result.isNumber else { return .absent }
          stack[depth &- 1] = result
        } else if word & constantBit != 0 {
          stack[depth] = Slot(
            word0: UInt64(code[next]) | UInt64(code[next &+ 1]) << 32,
            word1: UInt64(word & ~constantBit))
          depth &+= 1
          next &+= 2
        } else {
          var operand = value(Int(word & ~sizeBit))
          if word & sizeBit != 0 {
            switch operand.tag {
            case .string, .bytes, .list, .map:
              operand = isSuperscript ? machine.size(operand) : machine.celSize(operand)
            default: return .absent
            }
          }
          guard operand.isNumber else { return .absent }
          stack[depth] = operand
          depth &+= 1
        }
      }
      return stack[0]
    }
  }
}

extension FilterReader {
  /// Returns an arithmetic expression or the size of an attribute as an attribute, or `nil` if the
  /// node is of another kind or too large.
  mutating func computedOperand(_ ir: borrowing IR, _ id: UInt32) -> Operand? {
    var expression = Expression()
    let kind = ir.nodes[Int(id)].kind
    guard kind == .arithmetic || kind == .call, append(ir, id, to: &expression, level: 0),
      let first = expression.firstAttribute
    else { return nil }
    let number = number(ofComputed: expression.words, first: first)
    return Operand(attribute: number, isNullWhenMissing: false)
  }

  /// An expression under construction.
  private struct Expression {
    var words: [UInt32] = []
    var depth = 0
    var firstAttribute: UInt32?
  }

  /// Appends an operand in postfix form.
  private mutating func append(
    _ ir: borrowing IR, _ id: UInt32, to expression: inout Expression, level: Int
  ) -> Bool {
    let node = ir.nodes[Int(id)]
    guard level < ComputedAttribute.maximumDepth,
      expression.words.count < ComputedAttribute.maximumWords
    else { return false }
    switch node.kind {
    case .arithmetic:
      guard append(ir, node.first, to: &expression, level: level + 1),
        append(ir, node.second, to: &expression, level: level + 1)
      else { return false }
      expression.words.append(ComputedAttribute.operatorBit | UInt32(node.detail))
      expression.depth -= 1
      return true
    case .constant:
      let slot = ir.constants[Int(node.first)]
      guard slot.isNumber else { return false }
      expression.words.append(ComputedAttribute.constantBit | UInt32(slot.tagByte))
      expression.words.append(UInt32(truncatingIfNeeded: slot.word0))
      expression.words.append(UInt32(truncatingIfNeeded: slot.word0 >> 32))
    case .attribute, .variable:
      guard let operand = operand(ir, id) else { return false }
      expression.words.append(operand.attribute)
      expression.firstAttribute = expression.firstAttribute ?? operand.attribute
    case .call:
      let arguments = ir.children(of: node)
      guard ir.functions[Int(node.first)].intrinsic == .size, arguments.count == 1,
        let operand = operand(ir, arguments[0])
      else { return false }
      expression.words.append(operand.attribute | ComputedAttribute.sizeBit)
      expression.firstAttribute = expression.firstAttribute ?? operand.attribute
    default: return false
    }
    expression.depth += 1
    return expression.depth <= ComputedAttribute.maximumDepth
  }
}
