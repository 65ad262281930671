#if PCRE2 && os(Linux)
  import CPCRE2

  /// A pattern compiled to machine code by PCRE2, for ASCII texts.
  ///
  /// Unchecked `Sendable`: PCRE2 does not change compiled code when it matches, and the state it
  /// does change is per thread (``PCRE2ThreadState``).
  final class PCRE2Pattern: @unchecked Sendable {
    /// The maximum number of backtracking steps of one search, over all possible starts of a match.
    private static let stepLimit = 200_000

    private let code: OpaquePointer

    /// Compiles a pattern of ``RegexProgram/asciiPattern()``.
    ///
    /// - Returns: `nil` if PCRE2 rejects it or cannot compile it to machine code.
    init?(_ pattern: [UInt8]) {
      guard let context = pcre2_compile_context_create_8(nil) else { return nil }
      defer { pcre2_compile_context_free_8(context) }
      pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
      // The parser has bounded the nesting; repetitions and classes add groups of their own.
      pcre2_set_parens_nest_limit_8(context, 1_000)
      var error: CInt = 0
      var offset = 0
      let code = pcre2_compile_8(
        pattern, pattern.count, UInt32(PCRE2_DOTALL) | UInt32(PCRE2_NO_AUTO_CAPTURE), &error,
        &offset, context)
      guard let code else { return nil }
      guard pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE)) == 0 else {
        pcre2_code_free_8(code)
        return nil
      }
      self.code = code
    }

    deinit { pcre2_code_free_8(code) }

    /// Returns whether the pattern matches anywhere in a text, or `nil` if the text is not ASCII or
    /// the match takes too many steps.
    func matches(_ text: UTF8Bytes) -> Bool? {
      guard let base = text.baseAddress, Self.isASCII(text),
        let state = PCRE2ThreadState.current()
      else { return nil }
      // The engine restarts the count of steps for each start of a match.
      state.pointee.setLimit(UInt32(clamping: max(Self.stepLimit / (text.count &+ 1), 16)))
      let result = pcre2_jit_match_8(
        code, base, text.count, 0, 0, state.pointee.matchData, state.pointee.context)
      if result >= 0 { return true }
      return result == PCRE2_ERROR_NOMATCH ? false : nil
    }

    private static func isASCII(_ text: UTF8Bytes) -> Bool {
      let bytes = UnsafeRawBufferPointer(text)
      var bits: UInt64 = 0
      var index = 0
      while bytes.count &- index >= 8 {
        bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index &+= 8
      }
      while index < bytes.count {
        bits |= UInt64(bytes[index])
        index &+= 1
      }
      return bits & 0x8080_8080_8080_8080 == 0
    }
  }
#endif
