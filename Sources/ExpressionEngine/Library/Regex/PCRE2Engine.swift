#if canImport(CPCRE2)
  import CPCRE2
  import Synchronization

  /// Compiles patterns with PCRE2 and its just-in-time compiler.
  struct PCRE2Engine: RegexEngine {
    func compile(
      _ pattern: UTF8Bytes, flavor: RegexFlavor, limits: RegexLimits
    ) throws(RegexError) -> CompiledRegex {
      var translator = RegexTranslator(pattern, flavor: flavor, limits: limits)
      try translator.translate()
      let code = try PCRE2Engine.compile(
        translator.output, options: 0, properties: translator.properties)
      let matcher = PCRE2Regex(
        code: code, translator: translator, pattern: Array(pattern), flavor: flavor, limits: limits)
      return CompiledRegex(
        pattern: Array(pattern), flavor: flavor, groupNames: translator.groupNames,
        matcher: matcher)
    }

    /// Compiles a translated pattern.
    static func compile(
      _ translation: [UInt8], options: UInt32, properties: [(output: Int, source: Range<Int>)]
    ) throws(RegexError) -> OpaquePointer {
      guard let context = pcre2_compile_context_create_8(nil) else {
        throw RegexError("out of memory", kind: .engine)
      }
      defer { pcre2_compile_context_free_8(context) }
      pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF))
      // The translator has bounded the nesting of the pattern; classes and repetitions add to it.
      pcre2_set_parens_nest_limit_8(context, 1_000)
      var code: CInt = 0
      var offset = 0
      let allOptions =
        options | UInt32(PCRE2_UTF) | UInt32(PCRE2_DOTALL) | UInt32(PCRE2_ALT_CIRCUMFLEX)
        | UInt32(PCRE2_NEVER_BACKSLASH_C)
      let compiled = translation.withUnsafeBufferPointer { bytes in
        pcre2_compile_8(
          bytes.baseAddress ?? emptySubject, bytes.count, allOptions, &code, &offset, context)
      }
      if let compiled { return compiled }
      throw error(code, at: offset, properties: properties)
    }

    private static func error(
      _ code: CInt, at offset: Int, properties: [(output: Int, source: Range<Int>)]
    ) -> RegexError {
      switch code {
      case PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY,
        PCRE2_ERROR_MALFORMED_UNICODE_PROPERTY:
        let place = properties.last { $0.output <= offset }?.source ?? 0..<0
        return RegexError(
          "there is no Unicode property of this name", offset: place.lowerBound,
          length: place.count)
      case PCRE2_ERROR_PATTERN_TOO_LARGE,
        PCRE2_ERROR_PATTERN_TOO_COMPLICATED,
        PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP,
        PCRE2_ERROR_PARENTHESES_STACK_CHECK,
        PCRE2_ERROR_QUANTIFIER_TOO_BIG:
        return RegexError("the pattern is too large when compiled", kind: .tooLarge)
      default:
        return RegexError("the regex engine refuses the pattern (error \(code))", kind: .engine)
      }
    }

    /// An address for empty texts, which may have none.
    static var emptySubject: UnsafePointer<UInt8> {
      let empty: StaticString = ""
      return empty.utf8Start
    }
  }

  /// A pattern compiled by PCRE2.
  ///
  /// Matching backtracks in machine code, with a bound on the steps. When that is hit, or where many
  /// places to start from and many characters could multiply, the linear matcher answers. It visits
  /// each character once, with a bounded number of states, so that the time is bounded too.
  ///
  /// Unchecked Sendable: PCRE2 never changes compiled code when it matches, what it does change is
  /// per thread (``PCRE2ThreadState``), and the lazily compiled second pattern sits behind a mutex.
  final class PCRE2Regex: RegexMatcher, @unchecked Sendable {
    /// Longer subjects of patterns that search go to the linear matcher at once.
    private static let longSubject = 4_096

    let captureCount: Int
    private let code: OpaquePointer
    private let isCompiledToMachineCode: Bool
    /// Whether a match can start in one place only.
    private let isAnchored: Bool
    private let hasWideRepetition: Bool
    private let limits: RegexLimits
    private let pattern: [UInt8]
    private let flavor: RegexFlavor
    /// The address of the pattern for the linear matcher; 0 until it is needed.
    private let linear = Mutex<UInt>(0)

    /// Takes over compiled code.
    init(
      code: OpaquePointer, translator: RegexTranslator, pattern: [UInt8], flavor: RegexFlavor,
      limits: RegexLimits
    ) {
      self.code = code
      self.pattern = pattern
      self.flavor = flavor
      self.limits = limits
      captureCount = translator.captureCount
      hasWideRepetition = translator.hasWideRepetition
      isCompiledToMachineCode = pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE)) == 0
      var options: UInt32 = 0
      pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_ALLOPTIONS), &options)
      isAnchored = options & UInt32(PCRE2_ANCHORED) != 0
    }

    deinit {
      pcre2_code_free_8(code)
      let address = linear.withLock { $0 }
      if let second = OpaquePointer(bitPattern: address) { pcre2_code_free_8(second) }
    }

    func matches(_ subject: UTF8Bytes) throws(RegexError) -> Bool {
      if subject.count > PCRE2Regex.longSubject, hasWideRepetition, !isAnchored {
        do throws(RegexError) {
          return try matchesLinearly(subject, from: 0)
        } catch {
          // Scanning from every place is quadratic, which is only bearable up to here.
          if error.kind != .tooCostly || subject.count > PCRE2Regex.longSubject &* 8 { throw error }
        }
      }
      guard let state = PCRE2ThreadState.current(pairs: 1) else { throw outOfMemory }
      let result = backtrack(subject, from: 0, state)
      if result >= 0 { return true }
      if result == PCRE2_ERROR_NOMATCH { return false }
      return try matchesLinearly(subject, from: 0)
    }

    func firstMatch(
      in subject: UTF8Bytes, from start: Int, captures: inout [Range<Int>?]
    ) throws(RegexError) -> Bool {
      captures.removeAll(keepingCapacity: true)
      guard start >= 0, start <= subject.count else { return false }
      guard let state = PCRE2ThreadState.current(pairs: captureCount &+ 1) else {
        throw outOfMemory
      }
      var result = backtrack(subject, from: start, state)
      if result < 0, result != PCRE2_ERROR_NOMATCH {
        guard try matchesLinearly(subject, from: start) else { return false }
        // There is a match, and only the backtracking matcher knows where its groups are; it gets
        // a last chance, with more steps and memory of its own instead of the machine's stack.
        result = backtrackPatiently(subject, from: start, state)
        guard result >= 0 else { throw tooCostly }
      }
      guard result >= 0, let vector = pcre2_get_ovector_pointer_8(state.pointee.matchData)
      else { return false }
      captures.reserveCapacity(captureCount &+ 1)
      for number in 0...captureCount {
        // A result of n says that groups from n on took no part; 0 cannot be, as the room suffices.
        let lower = vector[number &* 2]
        let upper = vector[number &* 2 &+ 1]
        let isSet = number < Int(result) && lower >= 0 && lower <= upper
        captures.append(isSet ? lower..<upper : nil)
      }
      return true
    }

    private var outOfMemory: RegexError { RegexError("out of memory", kind: .engine) }

    private var tooCostly: RegexError {
      RegexError(
        "the match was given up, because this pattern would take too long on this text",
        kind: .tooCostly)
    }

    @inline(__always)
    private func backtrack(
      _ subject: UTF8Bytes, from start: Int, _ state: UnsafeMutablePointer<PCRE2ThreadState>
    ) -> CInt {
      // The engine counts steps anew for each place it starts from.
      let places = isAnchored ? 1 : subject.count &- start &+ 1
      state.pointee.setLimit(UInt32(clamping: min(100_000, limits.backtrackingSteps / places)))
      let base = subject.baseAddress ?? PCRE2Engine.emptySubject
      if isCompiledToMachineCode {
        return pcre2_jit_match_8(
          code, base, subject.count, start, 0, state.pointee.matchData, state.pointee.context)
      }
      return pcre2_match_8(
        code, base, subject.count, start, UInt32(PCRE2_NO_UTF_CHECK), state.pointee.matchData,
        state.pointee.context)
    }

    private func backtrackPatiently(
      _ subject: UTF8Bytes, from start: Int, _ state: UnsafeMutablePointer<PCRE2ThreadState>
    ) -> CInt {
      let places = isAnchored ? 1 : subject.count &- start &+ 1
      let (steps, _) = limits.backtrackingSteps.multipliedReportingOverflow(by: 5)
      state.pointee.setLimit(UInt32(clamping: max(1_000, steps / places)))
      return pcre2_match_8(
        code, subject.baseAddress ?? PCRE2Engine.emptySubject, subject.count, start,
        UInt32(PCRE2_NO_UTF_CHECK) | UInt32(PCRE2_NO_JIT), state.pointee.matchData,
        state.pointee.context)
    }

    /// Answers in one pass over the subject.
    ///
    /// The matcher compares the states of one character with each other, so their number is chosen
    /// such that length × states² stays within the limit. A pattern that needs more gives up.
    private func matchesLinearly(
      _ subject: UTF8Bytes, from start: Int
    ) throws(RegexError) -> Bool {
      let second = try linearCode()
      guard let state = PCRE2ThreadState.current(pairs: 1) else { throw outOfMemory }
      let perCharacter = limits.linearSteps / max(subject.count &- start, 1)
      var states = 16
      while states < 512, (states &+ 16) &* (states &+ 16) <= perCharacter { states &+= 16 }
      guard states &* states <= perCharacter else { throw tooCostly }
      // Look-arounds are matches of their own, each worth some hundred comparisons.
      state.pointee.setLimit(UInt32(clamping: limits.linearSteps / 400))
      // Two lists of states of three numbers each, and some room that PCRE2 keeps for itself.
      let size = states &* 6 &+ 32
      let result = withUnsafeTemporaryAllocation(of: CInt.self, capacity: size) { workspace in
        pcre2_dfa_match_8(
          second, subject.baseAddress ?? PCRE2Engine.emptySubject, subject.count, start,
          UInt32(PCRE2_NO_UTF_CHECK) | UInt32(PCRE2_DFA_SHORTEST), state.pointee.matchData,
          state.pointee.context, workspace.baseAddress, size)
      }
      if result >= 0 { return true }
      if result == PCRE2_ERROR_NOMATCH { return false }
      throw tooCostly
    }

    private func linearCode() throws(RegexError) -> OpaquePointer {
      let address = linear.withLock { $0 }
      if let existing = OpaquePointer(bitPattern: address) { return existing }
      let compiled = try pattern.withUnsafeBufferPointer {
        bytes throws(RegexError) -> OpaquePointer in
        var translator = RegexTranslator(
          bytes, flavor: flavor, limits: limits, purpose: .linear)
        try translator.translate()
        return try PCRE2Engine.compile(
          translator.output, options: UInt32(PCRE2_ANCHORED), properties: translator.properties)
      }
      let kept = linear.withLock { current in
        if current == 0 { current = UInt(bitPattern: compiled) }
        return current
      }
      // Another thread may have been faster.
      if kept != UInt(bitPattern: compiled) { pcre2_code_free_8(compiled) }
      return OpaquePointer(bitPattern: kept) ?? compiled
    }
  }
#endif
