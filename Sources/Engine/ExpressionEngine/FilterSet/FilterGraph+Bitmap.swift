extension FilterGraph {
  /// Applies the rows of all attributes.
  func evaluate(
    _ bitmap: FilterBitmap, _ context: ContextStorage, _ scratch: inout FilterGraphScratch,
    _ matches: UnsafeMutablePointer<UInt64>
  ) {
    let count = bitmap.initial.count
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(count, 1)) { memory in
      guard let result = memory.baseAddress, let initial = bitmap.initial.baseAddress else {
        return
      }
      result.initialize(from: initial, count: count)
      let roots = context.roots
      let findsUndeclared = lacksSensitiveRoot(roots)
      for index in attributes.indices {
        let attribute = attributes.baseAddress.unsafelyUnwrapped + index
        let value = value(attribute, roots)
        var position = ValueLine.missing
        if !value.isA(.error) {
          position = attribute.pointee.line.position(of: value)
        } else if findsUndeclared, isUndeclared(attribute, context) {
          position = ValueLine.undeclared
        }
        if position != ValueLine.missing { _ = noteFailures(position, attribute, &scratch) }
        bitmap.join(bitmap.attributes[index], Int(position), result)
        for number in attribute.pointee.tests.range {
          let holds = holds(tests[number], value, position, attribute, &scratch)
          bitmap.join(bitmap.tests[number], holds ? 1 : 0, result)
        }
      }
      bitmap.finish(result)
      for word in 0..<bitmap.wordCount {
        var bits = result[word]
        while bits != 0 {
          let filter = bitmap.filters[word &* 64 &+ bits.trailingZeroBitCount]
          report(filter, &scratch, matches)
          bits &= bits &- 1
        }
      }
    }
  }

  /// Returns whether the condition of a test is true.
  @inline(__always)
  private func holds(
    _ test: Test, _ value: Slot, _ position: UInt32, _ attribute: UnsafePointer<Attribute>,
    _ scratch: inout FilterGraphScratch
  ) -> Bool {
    if position == ValueLine.missing { return test.isInitial }
    guard position != ValueLine.undeclared else { return false }
    let holds = test.test.holds(
      value, test.constant, isSuperscript: attribute.pointee.reference.isSuperscript)
    guard let holds else {
      noteFailure(of: test, attribute, &scratch)
      return false
    }
    return holds != test.isOpposite
  }
}
