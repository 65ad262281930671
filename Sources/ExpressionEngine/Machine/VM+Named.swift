// Plain code for contexts that it was not specialized for: attributes are found by their names.

extension VM {
  /// Executes a fused comparison of an attribute with a constant; answers `false` to give up, which is
  /// what happens to comparisons that may fail or that convert one kind into another.
  @inline(never)
  static func compareAttribute(
    _ instruction: Instruction, _ header: UnsafePointer<ProgramHeader>,
    _ roots: UnsafePointer<UInt>, _ frame: UnsafeMutablePointer<Slot>
  ) -> Bool {
    let x = FusedComparison(rawValue: instruction.x)
    let reference = header.pointee.attributes + instruction.b
    guard let root = UnsafeRawPointer(bitPattern: roots[Int(reference.pointee.root)]),
      let found = MapTable(base: root).find(
        hash: reference.pointee.hash, string: reference.pointee.name)
    else {
      guard x.missing != .fail, isMissing(reference, header, roots) else { return false }
      store(x.missing == .true, x, frame + instruction.a)
      return true
    }
    let value = found.pointee
    let constant = header.pointee.constants[instruction.c]
    let order: Int
    switch instruction.opcode {
    case .compareAttributeString:
      guard value.isA(.string) else { return false }
      order = sameText(value, constant) ? 0 : 1
    case .compareAttributeInt where value.isInt:
      order = intOrder(value, constant)
    case .compareAttributeInt, .compareAttribute:
      guard value.isA(.double), constant.isNumber, !value.doubleValue.isNaN,
        !constant.isA(.double) || !constant.doubleValue.isNaN
      else { return false }
      order = doubleOrder(value, constant)
    case .compareAttributeBool:
      guard value.isA(.bool) else { return false }
      order = value.word0 == constant.word0 ? 0 : 1
    case .compareAttributeReadings:
      guard value.isA(.string) else { return false }
      order = sameText(value, constant.elements[0]) ? 0 : 1
    case .orderAttributeString:
      guard value.isA(.string) else { return false }
      order = Slot.byteOrder(value, constant)
    case .attributeInSet:
      guard value.isA(.string) else { return false }
      order = isMember(value, ofSet: constant) ? 0 : 1
    case .attributeInConstant:
      guard value.isA(.string) else { return false }
      order = isMember(value, ofList: constant) ? 0 : 1
    default: return false
    }
    store(x.mask.accepts(order), x, frame + instruction.a)
    return true
  }

  @inline(__always)
  private static func store(
    _ isTrue: Bool, _ x: FusedComparison, _ target: UnsafeMutablePointer<Slot>
  ) {
    if x.conjoins {
      target.pointee.word0 &= isTrue ? 1 : 0
    } else {
      target.pointee = .bool(isTrue)
    }
  }

  /// Loads an attribute or a variable; answers `false` to give up.
  @inline(never)
  static func loadAttribute(
    _ instruction: Instruction, _ header: UnsafePointer<ProgramHeader>,
    _ roots: UnsafePointer<UInt>, _ frame: UnsafeMutablePointer<Slot>
  ) -> Bool {
    let reference = header.pointee.attributes + instruction.wide
    if let found = probe(reference, roots) {
      frame[instruction.a] = found.pointee
      return true
    }
    guard instruction.opcode == .loadAttribute, instruction.x == MissingPolicy.null.rawValue,
      isMissing(reference, header, roots)
    else { return false }
    frame[instruction.a] = .null
    return true
  }

  /// Whether an attribute that was not found is just missing: its root is there, or need not be, and
  /// nothing else can stand for it.
  private static func isMissing(
    _ reference: UnsafePointer<AttributeReference>, _ header: UnsafePointer<ProgramHeader>,
    _ roots: UnsafePointer<UInt>
  ) -> Bool {
    !header.pointee.rules.contains(.dottedVariables)
      && (roots[Int(reference.pointee.root)] != 0 || reference.pointee.rootIsOptional)
  }
}
