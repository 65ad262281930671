/// A ``ComputedAttribute`` over the columns of a batch.
struct ComputedColumn {
  /// The columns by the numbers of the attributes that are read.
  private(set) var columns: [Int: Column] = [:]
  /// Whether the expression adds, subtracts and multiplies ints, so that a step computes it for
  /// many users.
  private(set) var isInteger = true
  /// The number of values on the stack of the expression.
  private(set) var depth = 1
  private let code: [UInt32]
  /// Whether ints that are too large wrap around, as in the superscript dialect.
  private let wraps: Bool

  /// - Parameter attribute: A computed attribute of the plan.
  init(_ attribute: BatchPlan.Attribute, _ plan: BatchPlan, _ batch: ColumnBatch) {
    code = attribute.code
    wraps = attribute.isNormalized
    var next = 0
    var height = 0
    while next < code.count {
      let word = code[next]
      next += 1
      if word & ComputedAttribute.operatorBit != 0 {
        height -= 1
        switch ArithmeticOperator(rawValue: UInt8(truncatingIfNeeded: word)) {
        case .add, .subtract, .multiply: break
        default: isInteger = false
        }
        continue
      }
      height += 1
      depth = max(depth, height)
      if word & ComputedAttribute.constantBit != 0 {
        if UInt8(truncatingIfNeeded: word) != SlotTag.int.rawValue { isInteger = false }
        next += 2
      } else {
        let number = Int(word & ~ComputedAttribute.sizeBit)
        let column = batch.column(plan.attributes[number].path)
        columns[number] = column
        let isSize = word & ComputedAttribute.sizeBit != 0
        if isSize ? column?.hasLists != true : column?.hasInts != true { isInteger = false }
      }
    }
  }

  /// Computes the expression, in which every value is an int.
  ///
  /// - Parameters:
  ///   - rows: The users.
  ///   - values: The memory of the stack, whose first `rows.count` places become the results.
  ///   - overflows: A byte for each user, which becomes 1 if there is no value.
  func compute(
    _ rows: Range<Int>, _ values: UnsafeMutableBufferPointer<Int64>,
    overflows: UnsafeMutablePointer<UInt8>
  ) {
    guard let stack = values.baseAddress else { return }
    let count = rows.count
    var top = stack - count
    var next = 0
    while next < code.count {
      let word = code[next]
      next &+= 1
      if word & ComputedAttribute.constantBit != 0, word & ComputedAttribute.operatorBit == 0 {
        top += count
        let bits = UInt64(code[next]) | UInt64(code[next &+ 1]) << 32
        top.update(repeating: Int64(bitPattern: bits), count: count)
        next &+= 2
      } else if word & ComputedAttribute.operatorBit == 0 {
        top += count
        // Ints, or the sizes of lists.
        columns[Int(word & ~ComputedAttribute.sizeBit)]?
          .copyInts(rows, to: top, missing: overflows)
      } else {
        let right = top
        top -= count
        let left = top
        switch ArithmeticOperator(rawValue: UInt8(truncatingIfNeeded: word)) {
        case .add: apply(left, right, overflows, count) { $0.addingReportingOverflow($1) }
        case .subtract:
          apply(left, right, overflows, count) { $0.subtractingReportingOverflow($1) }
        default:
          apply(left, right, overflows, count) { $0.multipliedReportingOverflow(by: $1) }
        }
      }
    }
  }

  @inline(__always)
  private func apply(
    _ left: UnsafeMutablePointer<Int64>, _ right: UnsafeMutablePointer<Int64>,
    _ overflows: UnsafeMutablePointer<UInt8>, _ count: Int,
    _ body: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) {
    for row in 0..<count {
      let (value, overflow) = body(left[row], right[row])
      left[row] = value
      overflows[row] |= overflow && !wraps ? 1 : 0
    }
  }
}

extension Column {
  /// Whether all values are ints of at most 64 bits.
  fileprivate var hasInts: Bool {
    switch storage {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: true
    default: false
    }
  }

  /// Whether all values are lists.
  fileprivate var hasLists: Bool {
    if case .list = storage { true } else { false }
  }

  /// Copies ints or the sizes of lists, and sets a byte where there is none.
  fileprivate func copyInts(
    _ rows: Range<Int>, to target: UnsafeMutablePointer<Int64>,
    missing: UnsafeMutablePointer<UInt8>
  ) {
    @inline(__always)
    func copy<Element: BinaryInteger>(_ values: UnsafePointer<Element>) {
      let source = values + (start &+ rows.lowerBound)
      for row in 0..<rows.count { target[row] = Int64(truncatingIfNeeded: source[row]) }
    }
    switch storage {
    case .int8(let values): copy(values)
    case .int16(let values): copy(values)
    case .int32(let values): copy(values)
    case .int64(let values): copy(values)
    case .uint8(let values): copy(values)
    case .uint16(let values): copy(values)
    case .uint32(let values): copy(values)
    case .list(let bounds, _):
      for row in 0..<rows.count {
        target[row] = Int64(bounds.range(start &+ rows.lowerBound &+ row).count)
      }
    default: missing.update(repeating: 1, count: rows.count)
    }
    guard validity != nil else { return }
    for row in 0..<rows.count where !isValid(start &+ rows.lowerBound &+ row) { missing[row] = 1 }
  }
}
