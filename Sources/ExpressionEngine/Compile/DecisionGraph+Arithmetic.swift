// What is computed on the way to a question.

extension DecisionGraph {
  /// What an instruction computes; `nil` if that is no ``Computation``, or may fail other than by a result
  /// too large.
  func computation(of instruction: Instruction, _ registers: [Register]) -> Computation? {
    let op: ArithmeticOperator
    let right: Register
    switch instruction.opcode {
    case .add: (op, right) = (.add, registers[instruction.c])
    case .subtract: (op, right) = (.subtract, registers[instruction.c])
    case .multiply: (op, right) = (.multiply, registers[instruction.c])
    case .addConstant: (op, right) = (.add, .constant(instruction.c))
    case .subtractConstant: (op, right) = (.subtract, .constant(instruction.c))
    case .multiplyConstant: (op, right) = (.multiply, .constant(instruction.c))
    case .divideConstant: (op, right) = (.divide, .constant(instruction.c))
    case .remainderConstant: (op, right) = (.remainder, .constant(instruction.c))
    case .negate: return computation(registers[instruction.b])?.negated
    default: return nil
    }
    let left = registers[instruction.b]
    let isMixed = isDouble(left) != isDouble(right)
    let isDouble = isMixed || self.isDouble(left)
    guard !isMixed || program.rules.contains(.mixedArithmetic) else { return nil }
    if let constant = number(right, isDouble) {
      return computation(left, isDouble).flatMap { Computation(op, $0, constant: constant) }
    }
    guard let right = computation(right, isDouble) else { return nil }
    if let constant = number(left, isDouble) {
      return Computation(op, constant: constant, right)
    }
    return computation(left, isDouble).flatMap { Computation(op, $0, right) }
  }

  /// What a register holds as a computation, if it is a number.
  func computation(_ register: Register) -> Computation? {
    computation(register, isDouble(register))
  }

  /// - Parameter isDouble: Whether it is to be a double, to which an int attribute is turned.
  private func computation(_ register: Register, _ isDouble: Bool) -> Computation? {
    switch register {
    case .computed(let computation): return computation.isDouble == isDouble ? computation : nil
    case .place(let place):
      let value = value(of: place)
      guard value.isInt || value.isA(.double) && isDouble else { return nil }
      return Computation(of: place, isDouble: isDouble)
    default: return nil
    }
  }

  private func isDouble(_ register: Register) -> Bool {
    if case .computed(let computation) = register { return computation.isDouble }
    return value(register)?.isA(.double) ?? false
  }

  /// The bits of a constant.
  private func number(_ register: Register, _ isDouble: Bool) -> UInt64? {
    guard case .constant(let number) = register else { return nil }
    let constant = program.constants[number]
    guard constant.isInt || constant.isA(.double) && isDouble else { return nil }
    return isDouble ? constant.asDouble.bitPattern : constant.word0
  }
}

extension Computation {
  /// The decisions that do the operations, the places that they lead to aside.
  var decisions: [DecisionGraph.Question] {
    operations.map { operation in
      switch operation {
      case .load(let place, let factor): question(.intLoad, .load, factor, place)
      case .addProduct(let place, let factor): question(.intAddProduct, .addProduct, factor, place)
      case .subtractProduct(let place, let factor):
        question(.intSubtractProduct, .subtractProduct, factor, place)
      case .apply(let op, let constant):
        question(.intApply, DoubleOperation(op), constant, .none, detail: op.rawValue)
      }
    }
  }

  /// - Parameter detail: The second word of the constant, for ints.
  private func question(
    _ test: Decision.Test, _ operation: DoubleOperation, _ constant: UInt64, _ place: Place,
    detail: UInt8 = 0
  ) -> DecisionGraph.Question {
    DecisionGraph.Question(
      test: isDouble ? .doubleOperation : test,
      constant: Slot(word0: constant, word1: isDouble ? operation.rawValue : UInt64(detail)),
      place: place)
  }
}

extension DoubleOperation {
  /// What applies an operator to a constant. A ``Computation`` subtracts by adding the opposite, and has no
  /// remainders of doubles.
  fileprivate init(_ op: ArithmeticOperator) {
    switch op {
    case .add, .subtract, .remainder: self = .add
    case .multiply: self = .multiply
    case .divide: self = .divide
    }
  }
}
