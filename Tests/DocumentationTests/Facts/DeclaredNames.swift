import Foundation
import TestSupport

/// The names that the project declares, as far as documents may mention them.
enum DeclaredNames {
  /// The public members of each type, as `docs/interface` lists them: properties and cases by name,
  /// functions by name and with their labels.
  static let members: [String: Set<String>] = {
    var found: [String: Set<String>] = [:]
    for line in interfaceLines {
      guard let (path, declaration) = owner(of: line) else { continue }
      found[path, default: []].formUnion(names(of: declaration))
    }
    return found
  }()

  /// The names of all public members, of whatever type.
  static let allMembers = members.values.reduce(into: globals) { $0.formUnion($1) }

  /// The names of public functions and types outside of types.
  private static let globals: Set<String> = {
    let declarations = interfaceLines.filter { owner(of: $0) == nil }
    return declarations.reduce(into: []) { $0.formUnion(names(of: $1)) }
  }()

  /// The types that any source declares, tests and examples included, and the names of modules.
  static let types: Set<String> = {
    var found: Set<String> = []
    for path in folders.flatMap(CodeBlock.paths) {
      let parts = path.split(separator: "/").map(String.init)
      // Modules: Sources/Wing/Module, Tests/Module.
      if parts[0] == "Sources", parts.count > 2 { found.insert(parts[2]) }
      if parts[0] != "Sources", parts.count > 2 { found.insert(parts[1]) }
    }
    return found.union(scanned.types)
  }()

  /// Every word of the sources: what an internal member may be called.
  static var words: Set<String> { scanned.words }

  private static let folders = ["Sources", "Tests", "Examples", "benchmarks", "macros", "fuzz"]

  /// The words of all sources, and those after a keyword that declares a type. Bytes are compared,
  /// because the sources have megabytes.
  private static let scanned: (types: Set<String>, words: Set<String>) = {
    let keywords: Set<String> = [
      "struct", "class", "enum", "actor", "protocol", "typealias", "macro", "extension",
    ]
    var types: Set<String> = []
    var words: Set<String> = []
    for path in folders.flatMap(CodeBlock.paths) where path.hasSuffix(".swift") {
      var isDeclaration = false
      for part in text(path).utf8.split(whereSeparator: { !isPartOfWord($0) }) {
        let word = String(Substring(part))
        if isDeclaration { types.insert(word) }
        isDeclaration = keywords.contains(word)
        words.insert(word)
      }
    }
    return (types, words)
  }()

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The public types that have this name, or end in it: `Layer` is `Context.Layer`.
  static func publicTypes(named name: String) -> [String] {
    members.keys.filter { $0 == name || $0.hasSuffix("." + name) }
  }

  // MARK: Reading declarations

  private static let interfaceLines: [Substring] = {
    let paths = CodeBlock.paths(in: "docs/interface").filter { $0.hasSuffix(".txt") }
    return paths.flatMap { text($0).split(separator: "\n") }
  }()

  private static func text(_ path: String) -> Substring {
    ((try? TestFiles.text(path)) ?? "")[...]
  }

  /// `Matcher.User: func reset()` is a member; `struct Matcher` and `func f(a: Int)` are not.
  private static func owner(of line: Substring) -> (path: String, declaration: Substring)? {
    guard let match = line.prefixMatch(of: /([A-Z][\w.]*):\s/) else { return nil }
    return (String(match.output.1), line[match.range.upperBound...])
  }

  /// The names under which a declaration may be mentioned: `register`, `register(_:parameters:)`.
  static func names(of declaration: Substring) -> Set<String> {
    let pattern =
      #/
      \b(?:func|var|let|case|struct|class|enum|actor|protocol|typealias)\s`?(\w+)`?
      | \b(init)\b | \b(subscript)\b
      /#
    guard let match = declaration.firstMatch(of: pattern) else { return [] }
    let name = String(match.output.1 ?? match.output.2 ?? match.output.3 ?? "")
    let isCallable = declaration.contains("func ") || match.output.1 == nil
    guard isCallable else { return [name] }
    return [name, "\(name)(\(labels(of: declaration[match.range.upperBound...])))"]
  }

  /// The labels of a parameter list, `_:parameters:`.
  private static func labels(of text: Substring) -> String {
    guard let start = text.firstIndex(of: "(") else { return "" }
    var depth = 0
    var isAtStart = true
    var label = ""
    var labels = ""
    for character in text[start...] {
      switch character {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", ">", "}": depth -= 1
      case ",": if depth == 1 { isAtStart = true }
      default: break
      }
      if depth == 0 { break }
      guard depth == 1, isAtStart else { continue }
      if character == ":" || character == " " && !label.isEmpty {
        labels += label + ":"
        label = ""
        isAtStart = false
      } else if character.isLetter || character.isNumber || character == "_" {
        label.append(character)
      }
    }
    return labels
  }
}
