import ExpressionSyntax

// source ─Tokenizer▶ … ─Compiler▶ Program ─[Disassembler]▶ text

extension Filter {
  /// The compiled code as text: a header with the sizes of the frame and the pools, then one
  /// instruction per line with its operands, its mode and its source, then the failure handlers.
  ///
  /// - Complexity: O(size of the program).
  package var disassembly: String { Disassembler(program: program, source: source).text }

  /// The effect of each opcode of the compiled code, one line each, in the order of first use.
  package var opcodeLegend: String {
    var listing = ListingText()
    var seen: Set<Opcode> = []
    for index in 0..<program.codeCount {
      let opcode = program.code[index].opcode
      guard seen.insert(opcode).inserted else { continue }
      listing.add("\(opcode)", OpcodeTable[opcode].summary)
    }
    return listing.text()
  }
}

/// Prints a ``Program``. The ``OpcodeTable`` defines the roles of operands.
struct Disassembler {
  let program: Program
  let source: SourceText

  var text: String {
    var text = header
    var listing = ListingText()
    for index in 0..<program.codeCount {
      let instruction = program.code[index]
      listing.add(
        Self.address(index), "\(instruction.opcode)", operands(of: instruction),
        mode(of: instruction), "; " + source.excerpt(of: program.spans[index]))
    }
    text += listing.text()
    if !program.handlers.isEmpty {
      text += "handlers\n"
      var handlers = ListingText()
      for handler in program.handlers {
        handlers.add(
          "\(Self.address(Int(handler.start)))..<\(Self.address(Int(handler.end)))",
          "-> \(Self.address(Int(handler.target)))", handler.rescues.listingText,
          handler.register.map { "failure in r\($0)" } ?? "")
      }
      text += handlers.text()
    }
    return text
  }

  private var header: String {
    let sizes: [(Int, String)] = [
      (program.registerCount, "register"), (program.codeCount, "instruction"),
      (program.constantCount, "constant"), (program.attributeCount, "attribute"),
      (program.functions.count, "function"), (program.hostFunctions.count, "host function"),
      (program.patterns.count, "pattern"),
    ]
    return sizes.filter { $0.0 > 0 }.map { count, name in
      "\(count) \(name)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ") + "\n"
  }

  /// Returns a position in the code with at least four digits.
  static func address(_ index: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func operands(of instruction: Instruction) -> String {
    let info = OpcodeTable[instruction.opcode]
    let values =
      switch info.format {
      case .registers: [instruction.a, instruction.b, instruction.c]
      case .wide: [instruction.a, instruction.wide]
      }
    return zip(info.roles, values).compactMap { role, value in
      instruction.opcode == .expect && role == .number
        ? SlotKinds(rawValue: UInt32(truncatingIfNeeded: value)).listingText : operand(value, role)
    }.joined(separator: ", ")
  }

  private func operand(_ value: Int, _ role: OperandRole) -> String? {
    switch role {
    case .unused: return nil
    case .target, .source, .update: return "r\(value)"
    case .constant:
      return value < program.constantCount ? program.constants[value].listingLiteral : "k\(value)"
    case .attribute:
      return value < program.attributeCount
        ? program.attributes[value].listingName : "attribute \(value)"
    case .function:
      return value < program.functions.count ? program.functions[value].name : "f\(value)"
    case .hostFunction:
      guard value < program.hostFunctions.count else { return "host \(value)" }
      return program.hostFunctions[value].path
    case .pattern: return "pattern \(value)"
    case .label: return Self.address(value)
    case .number: return String(value)
    }
  }

  /// Returns the meaning of the 8-bit operand `x`, in words.
  private func mode(of instruction: Instruction) -> String {
    let x = instruction.x
    switch instruction.opcode {
    case .compare, .compareConstant, .compareReadings: return ComparisonMask(bits: x).spelling
    case .loadAttribute, .loadMember:
      return MissingPolicy(rawValue: x)?.listingText ?? "mode \(x)"
    case .not: return x == 1 ? "bool only" : ""
    case .call, .callHost:
      return x == .max ? "arguments in a list" : "\(x) argument\(x == 1 ? "" : "s")"
    case .loopBegin: return x == 1 ? "lists and maps" : "lists"
    case .expect, .raise: return FailureCode(rawValue: x).map { "\($0)" } ?? "code \(x)"
    default: return x == 0 ? "" : "mode \(x)"
    }
  }
}
