// The strings library of the cel dialect (docs/spec/cel.md §17).

extension Machine {
  /// Copies text into the arena.
  mutating func string(_ text: UTF8Bytes) -> Slot {
    orOutOfMemory(arena.copy(text, as: .string))
  }

  /// Returns the byte offset of a position, or fails and returns `nil` if it is outside the text.
  private mutating func offset(of position: Slot, in text: UTF8Bytes) -> Int? {
    guard let number = Int(exactly: position.intValue),
      let offset = UTF8Text.byteOffset(text, ofCodePoint: number)
    else {
      _ = fail(.invalidArgument, position)
      return nil
    }
    return offset
  }

  mutating func celCharacter(of text: Slot, at position: Slot) -> Slot {
    let bytes = text.byteBuffer
    guard let start = offset(of: position, in: bytes) else { return failed }
    let end = start < bytes.count ? start &+ UTF8Text.decode(bytes, at: start).length : start
    return string(UTF8Bytes(rebasing: bytes[start..<end]))
  }

  mutating func celIndex(of needle: Slot, in text: Slot, from position: Slot) -> Slot {
    let bytes = text.byteBuffer
    guard let start = offset(of: position, in: bytes) else { return failed }
    guard let found = UTF8Text.firstIndex(of: needle.byteBuffer, in: bytes, from: start) else {
      return .int(-1)
    }
    return .int(Int64(UTF8Text.codePointCount(UTF8Bytes(rebasing: bytes[..<found]))))
  }

  mutating func celLastIndex(
    of needle: Slot, in text: Slot, startingAtMost position: Slot?
  ) -> Slot {
    let bytes = text.byteBuffer
    var limit = bytes.count
    if let position {
      guard let offset = offset(of: position, in: bytes) else { return failed }
      limit = offset
    }
    guard
      let found = UTF8Text.lastIndex(of: needle.byteBuffer, in: bytes, startingAtMost: limit)
    else { return .int(-1) }
    return .int(Int64(UTF8Text.codePointCount(UTF8Bytes(rebasing: bytes[..<found]))))
  }

  mutating func celSubstring(_ text: Slot, from first: Slot, to last: Slot?) -> Slot {
    let bytes = text.byteBuffer
    guard let start = offset(of: first, in: bytes) else { return failed }
    var end = bytes.count
    if let last {
      guard let offset = offset(of: last, in: bytes) else { return failed }
      guard start <= offset else { return fail(.invalidArgument, last) }
      end = offset
    }
    return string(UTF8Bytes(rebasing: bytes[start..<end]))
  }

  mutating func celReplace(
    _ text: Slot, _ needle: Slot, with replacement: Slot, limit: Int64
  ) -> Slot {
    var output: [UInt8] = []
    let fits = UTF8Text.appendReplacing(
      needle.byteBuffer, with: replacement.byteBuffer, in: text.byteBuffer,
      limit: Int(clamping: limit), maximumLength: textLimit, to: &output)
    return fits ? bytes(output, as: .string) : fail(.memoryLimit)
  }

  /// The maximum length of a text that a function may build before it copies it into the arena.
  var textLimit: Int { arena.limit }

  mutating func celSplit(_ text: Slot, _ separator: Slot, limit: Int64) -> Slot {
    let bytes = text.byteBuffer
    let builder = beginBuilder(capacity: 8)
    if builder.isA(.error) { return builder }
    var fits = true
    UTF8Text.forEachPiece(
      of: bytes, separatedBy: separator.byteBuffer, limit: Int(clamping: limit)
    ) { range in
      guard fits, let piece = arena.copy(UTF8Bytes(rebasing: bytes[range]), as: .string),
        append(piece, to: builder)
      else {
        fits = false
        return
      }
    }
    return fits ? finishedList(builder) : fail(.memoryLimit)
  }

  mutating func celJoin(_ list: Slot, separator: UTF8Bytes) -> Slot {
    var output: [UInt8] = []
    for (index, element) in list.elements.enumerated() {
      guard element.isA(.string) else { return fail(.unexpectedType, element) }
      if index > 0 { output.append(contentsOf: separator) }
      output.append(contentsOf: element.byteBuffer)
      if output.count > textLimit { return fail(.memoryLimit) }
    }
    return bytes(output, as: .string)
  }

  mutating func celQuote(_ text: Slot) -> Slot {
    var output: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.byteBuffer {
      let letter: Unicode.Scalar? =
        switch byte {
        case 0x07: "a"
        case 0x08: "b"
        case 0x0C: "f"
        case 0x0A: "n"
        case 0x0D: "r"
        case 0x09: "t"
        case 0x0B: "v"
        case UInt8(ascii: "\\"): "\\"
        case UInt8(ascii: "\""): "\""
        default: nil
        }
      if let letter {
        output.append(UInt8(ascii: "\\"))
        output.append(UInt8(ascii: letter))
      } else {
        output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
    // Values from outside may contain text that is not well-formed.
    guard !UTF8Text.isValid(text.byteBuffer) else { return bytes(output, as: .string) }
    var mended: [UInt8] = []
    output.withUnsafeBufferPointer { UTF8Text.appendLossy($0, to: &mended) }
    return bytes(mended, as: .string)
  }
}
