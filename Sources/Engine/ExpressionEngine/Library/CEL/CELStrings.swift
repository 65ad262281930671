// More functions for strings (docs/spec/cel.md §17). Positions count code points from 0.

enum CELStrings {
  static let definitions: [FunctionDefinition] = searching + rewriting + splitting

  private static let searching: [FunctionDefinition] = [
    .cel(
      "charAt", "the code point at a position; empty at the end",
      [
        .init("string.charAt(int) -> string", #""abc".charAt(1)"#, #""b""#) { machine, arguments in
          machine.celCharacter(of: arguments[0], at: arguments[1])
        }
      ]),
    .cel(
      "indexOf", "where a text occurs first, or -1",
      [
        .init("string.indexOf(string) -> int", #""banana".indexOf("an")"#, "1") {
          $0.celIndex(of: $1[1], in: $1[0], from: .int(0))
        },
        .init("string.indexOf(string, int) -> int", #""banana".indexOf("an", 2)"#, "3") {
          $0.celIndex(of: $1[1], in: $1[0], from: $1[2])
        },
      ]),
    .cel(
      "lastIndexOf", "where a text occurs last, or -1",
      [
        .init("string.lastIndexOf(string) -> int", #""banana".lastIndexOf("an")"#, "3") {
          $0.celLastIndex(of: $1[1], in: $1[0], startingAtMost: nil)
        },
        .init("string.lastIndexOf(string, int) -> int", #""banana".lastIndexOf("an", 2)"#, "1") {
          $0.celLastIndex(of: $1[1], in: $1[0], startingAtMost: $1[2])
        },
      ]),
    .cel(
      "substring", "the part of a text from a position, up to another one",
      [
        .init("string.substring(int) -> string", #""banana".substring(4)"#, #""na""#) {
          $0.celSubstring($1[0], from: $1[1], to: nil)
        },
        .init("string.substring(int, int) -> string", #""banana".substring(0, 2)"#, #""ba""#) {
          $0.celSubstring($1[0], from: $1[1], to: $1[2])
        },
      ]),
  ]

  private static let rewriting: [FunctionDefinition] = [
    .cel(
      "replace", "a text with occurrences of one text replaced by another one",
      [
        .init(
          "string.replace(string, string) -> string", #""banana".replace("a", "o")"#, #""bonono""#
        ) { $0.celReplace($1[0], $1[1], with: $1[2], limit: -1) },
        .init(
          "string.replace(string, string, int) -> string", #""banana".replace("a", "o", 1)"#,
          #""bonana""#
        ) { $0.celReplace($1[0], $1[1], with: $1[2], limit: $1[3].intValue) },
      ]),
    .cel(
      "lowerAscii", "a text with its ASCII letters in lower case",
      [
        .init("string.lowerAscii() -> string", #""ÅBC".lowerAscii()"#, #""Åbc""#) {
          machine, arguments in
          var output: [UInt8] = []
          UTF8Text.appendLowercasedASCII(arguments[0].byteBuffer, to: &output)
          return machine.bytes(output, as: .string)
        }
      ]),
    .cel(
      "upperAscii", "a text with its ASCII letters in upper case",
      [
        .init("string.upperAscii() -> string", #""åbc".upperAscii()"#, #""åBC""#) {
          machine, arguments in
          var output: [UInt8] = []
          UTF8Text.appendUppercasedASCII(arguments[0].byteBuffer, to: &output)
          return machine.bytes(output, as: .string)
        }
      ]),
    .cel(
      "trim", "a text without white space at its ends",
      [
        .init("string.trim() -> string", #""  a b\n".trim()"#, #""a b""#) { machine, arguments in
          let text = arguments[0].byteBuffer
          return machine.string(UTF8Bytes(rebasing: text[UTF8Text.trimmedRange(text)]))
        }
      ]),
    .cel(
      "reverse", "a text with its code points in reverse order",
      [
        .init("string.reverse() -> string", #""abc".reverse()"#, #""cba""#) { machine, arguments in
          var output: [UInt8] = []
          UTF8Text.appendReversed(arguments[0].byteBuffer, to: &output)
          return machine.bytes(output, as: .string)
        }
      ]),
    .cel(
      "strings.quote", "a text in double quotes, with escapes",
      [
        .init("strings.quote(string) -> string", #"strings.quote("a\n")"#, #""\"a\\n\"""#) {
          $0.celQuote($1[0])
        }
      ]),
  ]

  private static let splitting: [FunctionDefinition] = [
    .cel(
      "split", "the pieces of a text between separators, at most so many",
      [
        .init(
          "string.split(string) -> list(string)", #""a,b,c".split(",")"#, #"["a", "b", "c"]"#
        ) { $0.celSplit($1[0], $1[1], limit: -1) },
        .init(
          "string.split(string, int) -> list(string)", #""a,b,c".split(",", 2)"#, #"["a", "b,c"]"#
        ) { $0.celSplit($1[0], $1[1], limit: $1[2].intValue) },
      ]),
    .cel(
      "join", "the texts of a list as one, with a separator between them",
      [
        .init("list(string).join() -> string", #"["a", "b"].join()"#, #""ab""#) {
          $0.celJoin($1[0], separator: UTF8Bytes(start: nil, count: 0))
        },
        .init("list(string).join(string) -> string", #"["a", "b"].join("-")"#, #""a-b""#) {
          $0.celJoin($1[0], separator: $1[1].byteBuffer)
        },
      ]),
    .cel(
      "format", "a text with `%s`, `%d`, `%f`, `%e`, `%x`, `%o` and `%b` filled in from a list",
      [
        .init(
          "string.format(list(dyn)) -> string", #""%s is %d, %.1f".format(["age", 7, 0.25])"#,
          #""age is 7, 0.2""#
        ) { $0.celFormat($1[0], $1[1]) }
      ]),
  ]
}
