#if PCRE2 && (os(Linux) || os(macOS))
  import CPCRE2

  /// A pattern compiled to machine code by PCRE2, for texts of ASCII.
  ///
  /// Unchecked Sendable: PCRE2 never changes compiled code when it matches, and what it does change is
  /// per thread (``PCRE2ThreadState``).
  final class PCRE2Pattern: @unchecked Sendable {
    /// How many backtracking steps one search may take, over all places where a match can start.
    private static let stepLimit = 200_000

    private let code: OpaquePointer

    /// Compiles a pattern of ``RegexProgram/asciiPattern()``.
    ///
    /// - Returns: `nil` if PCRE2 refuses it or has no machine code for it.
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

    /// Whether the pattern matches somewhere in a text; `nil` if the text is not ASCII, or the match
    /// takes too many steps.
    func matches(_ text: UTF8Bytes) -> Bool? {
      guard let base = text.baseAddress, Self.isASCII(text),
        let state = PCRE2ThreadState.current()
      else { return nil }
      // The engine counts steps anew for each place that it starts from.
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
