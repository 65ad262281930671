// Extraction and replacement with regular expressions (docs/spec/cel.md §23).

import LinearRegex

enum CELRegex {
  static let definitions: [FunctionDefinition] = [
    .cel(
      "regex.replace", "a text with matches replaced; `\\1` stands for the first group",
      [
        .init(
          "regex.replace(string, string, string) -> string",
          #"regex.replace("a1b22", "[0-9]+", "n")"#, #""anbn""#
        ) { $0.celReplace($1[0], matching: $1[1], with: $1[2], limit: -1) },
        .init(
          "regex.replace(string, string, string, int) -> string",
          #"regex.replace("ab ab", "(a)(b)", r"\2\1", 1)"#, #""ba ab""#
        ) { $0.celReplace($1[0], matching: $1[1], with: $1[2], limit: $1[3].intValue) },
      ]),
    .cel(
      "regex.extract", "the first match, or its group, if there is one",
      [
        .init(
          "regex.extract(string, string) -> optional_type(string)",
          #"regex.extract("item-42", "item-([0-9]+)")"#, #"optional.of("42")"#
        ) { $0.celExtract($1[0], matching: $1[1]) }
      ]),
    .cel(
      "regex.extractAll", "all matches, or their groups",
      [
        .init(
          "regex.extractAll(string, string) -> list(string)",
          #"regex.extractAll("a1b22", "[0-9]+")"#, #"["1", "22"]"#
        ) { $0.celExtractAll($1[0], matching: $1[1]) }
      ]),
  ]
}

extension Machine {
  /// Returns a compiled pattern, from the cache or new, or fails and returns `nil` if it is not
  /// valid.
  private mutating func regex(_ pattern: Slot) -> CompiledRegex? {
    do {
      let regex = try Self.patterns.regex(pattern.byteBuffer, syntax: .re2)
      return spend(compilationOf: regex) ? regex : nil
    } catch {
      cause = .regex(error)
      _ = fail(error.failureCode, pattern)
      return nil
    }
  }

  /// Calls `body` with each match, from the left, without overlaps. An empty match directly after
  /// another match does not count.
  ///
  /// - Parameter body: Receives the ranges of the match and its groups, and returns whether to
  ///   continue.
  private mutating func forEachMatch(
    of regex: CompiledRegex, pattern: Slot, in text: UTF8Bytes,
    _ body: (inout Machine, [Range<Int>?]) -> Bool
  ) -> Bool {
    var captures: [Range<Int>?] = []
    var position = 0
    var previousEnd = -1
    while position <= text.count {
      do {
        var states = 0
        let isFound = try regex.firstMatch(
          in: text, from: position, captures: &captures, visited: &states)
        guard spend(states: states) else { return false }
        guard isFound else { break }
      } catch {
        cause = .regex(error)
        _ = fail(error.failureCode, pattern)
        return false
      }
      guard let match = captures.first ?? nil else { break }
      let isRepeated = match.isEmpty && match.lowerBound == previousEnd
      position = match.upperBound
      if match.isEmpty {
        position &+= position < text.count ? UTF8Text.decode(text, at: position).length : 1
      }
      previousEnd = match.upperBound
      if !isRepeated, !body(&self, captures) { break }
    }
    return true
  }

  mutating func celExtract(_ text: Slot, matching pattern: Slot) -> Slot {
    guard let regex = regex(pattern) else { return failed }
    guard regex.captureCount <= 1 else { return fail(.invalidPattern, pattern) }
    let bytes = text.byteBuffer
    var found: Range<Int>?
    let done = forEachMatch(of: regex, pattern: pattern, in: bytes) { _, captures in
      found = captures[captures.count &- 1]
      return false
    }
    guard done else { return failed }
    guard let found else { return Slot(.optional, 0) }
    let part = string(UTF8Bytes(rebasing: bytes[found]))
    return part.isA(.error) ? part : optional(part)
  }

  mutating func celExtractAll(_ text: Slot, matching pattern: Slot) -> Slot {
    guard let regex = regex(pattern) else { return failed }
    guard regex.captureCount <= 1 else { return fail(.invalidPattern, pattern) }
    let bytes = text.byteBuffer
    let builder = beginBuilder(capacity: 8)
    if builder.isA(.error) { return builder }
    var fits = true
    let done = forEachMatch(of: regex, pattern: pattern, in: bytes) { machine, captures in
      guard let range = captures[captures.count &- 1] else { return true }
      let part = machine.string(UTF8Bytes(rebasing: bytes[range]))
      fits = !part.isA(.error) && machine.append(part, to: builder)
      return fits
    }
    guard done else { return failed }
    return fits ? finishedList(builder) : fail(.memoryLimit)
  }

  /// A part of a replacement: text, or the text that a group matched.
  private enum ReplacementPart {
    case text(Range<Int>)
    case group(Int)
  }

  /// Parses a replacement. Returns `nil` for an unknown escape or a group that the pattern lacks.
  private static func parts(
    of replacement: UTF8Bytes, groupCount: Int
  ) -> [ReplacementPart]? {
    var parts: [ReplacementPart] = []
    var start = 0
    var index = 0
    while index < replacement.count {
      guard replacement[index] == UInt8(ascii: "\\") else {
        index &+= 1
        continue
      }
      if start < index { parts.append(.text(start..<index)) }
      guard index &+ 1 < replacement.count else { return nil }
      let next = replacement[index &+ 1]
      index &+= 2
      start = index
      if next == UInt8(ascii: "\\") {
        start = index &- 1
      } else if next &- 0x30 < 10, Int(next &- 0x30) <= groupCount {
        parts.append(.group(Int(next &- 0x30)))
      } else {
        return nil
      }
    }
    if start < index { parts.append(.text(start..<index)) }
    return parts
  }

  mutating func celReplace(
    _ text: Slot, matching pattern: Slot, with replacement: Slot, limit: Int64
  ) -> Slot {
    guard let regex = regex(pattern) else { return failed }
    let rewrite = replacement.byteBuffer
    guard let parts = Self.parts(of: rewrite, groupCount: regex.captureCount) else {
      return fail(.invalidArgument, replacement)
    }
    if limit == 0 { return text }
    let bytes = text.byteBuffer
    let maximumLength = textLimit
    var output: [UInt8] = []
    var copied = 0
    var remaining = limit
    let done = forEachMatch(of: regex, pattern: pattern, in: bytes) { _, captures in
      guard let match = captures.first ?? nil else { return false }
      output.append(contentsOf: bytes[copied..<match.lowerBound])
      for part in parts {
        switch part {
        case .text(let range): output.append(contentsOf: rewrite[range])
        case .group(let number):
          if number < captures.count, let range = captures[number] {
            output.append(contentsOf: bytes[range])
          }
        }
      }
      copied = match.upperBound
      remaining &-= 1
      return remaining != 0 && output.count <= maximumLength
    }
    guard done else { return failed }
    output.append(contentsOf: bytes[copied...])
    return output.count <= maximumLength
      ? self.bytes(output, as: .string) : fail(.memoryLimit)
  }
}
