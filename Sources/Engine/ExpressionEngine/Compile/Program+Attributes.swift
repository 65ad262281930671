extension Program {
  /// The attributes that the program reads, by root and name, each once, in the order of the code.
  var attributePaths: [Requirements.Attribute] {
    var seen: Set<Requirements.Attribute> = []
    var result: [Requirements.Attribute] = []
    for index in 0..<codeCount {
      guard let number = attributeRead(by: code[index]) else { continue }
      let reference = attributes[number]
      let root = Root.allCases[Int(reference.root) % ContextStorage.rootCount]
      let path = Requirements.Attribute(
        root: root == .other ? nil : root.name, name: reference.name.text)
      // A few are compared one by one; beyond that, a set keeps long filters linear.
      if result.count == 16, seen.isEmpty { seen = Set(result) }
      if seen.isEmpty ? !result.contains(path) : seen.insert(path).inserted { result.append(path) }
    }
    return result
  }

  /// Returns the number of the attribute that an instruction reads from the context, if any.
  private func attributeRead(by instruction: Instruction) -> Int? {
    // Members also have a name, but look it up in a value. The alternatives of a dotted name are
    // not attributes that a caller could provide.
    guard instruction.opcode != .loadMember, instruction.opcode != .loadDeclared else { return nil }
    let info = OpcodeTable[instruction.opcode]
    guard info.roles[1] == .attribute else { return nil }
    return info.format == .wide ? instruction.wide : instruction.b
  }
}
