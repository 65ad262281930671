import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import LanguageService

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Completes the word at the cursor.
struct Completion {
  /// A word that may be inserted.
  struct Choice: Equatable {
    /// The whole word, which starts with the typed text.
    var text: String
    /// A note for the list: the type of an attribute, or `function`.
    var note = ""
  }

  /// The word before the cursor and its completions.
  struct Answer: Equatable {
    var word: String
    var choices: [Choice] = []
    /// Whether file names may be inserted.
    var isFile = false
  }

  private let attributes: [(path: String, note: String)]
  private let dialect: Dialect.Name
  private let functions: [FunctionDefinition]
  private let hostFunctions: [String]

  init(_ session: Session) {
    let present = Attributes(session.variables).entries
    let known = session.schema.sorted.filter { attribute in
      !attribute.path.hasSuffix("*") && attribute.deprecated == nil
    }
    // The attributes in the context come first, then those that it might have.
    var attributes: [(path: String, note: String)] = present.map {
      ($0.path.description, $0.value.kindName)
    }
    let paths = Set(attributes.map(\.path))
    attributes += known.filter { !paths.contains($0.path) }.map { ($0.path, $0.type.name) }
    self.attributes = attributes
    dialect = session.dialect
    functions = FunctionPages.all(in: dialect)
    hostFunctions = Set(session.answers.keys.map { String($0.prefix { $0 != "(" }) }).sorted()
  }

  /// Returns the completions at the end of a typed text.
  func answer(before text: String) -> Answer {
    guard text.hasPrefix(":") else { return operand(of: text) }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count > 1, let name = words.first else {
      let names = ReplCommand.all.map { Choice(text: ":\($0.name) ", note: $0.summary) }
      return Answer(word: text, choices: names.filter { $0.text.hasPrefix(text) })
    }
    guard let command = ReplCommand.named(String(name.dropFirst())) else {
      return Answer(word: "")
    }
    let isFirst = words.count == 2
    let word = isFirst ? words[1] : Self.lastWord(text)
    switch command.argument {
    case .none, .json: return Answer(word: word)
    case .file:
      return Answer(word: words.dropFirst().joined(separator: " "), isFile: true)
    case .attribute: return Answer(word: word, choices: members(word))
    case .assignment where isFirst: return Answer(word: word, choices: members(word))
    case .assignment, .expression: return operand(of: text)
    case .function: return named(functions.map(\.name).sorted(), word)
    case .name where word.contains("."): return Answer(word: word, choices: members(word))
    case .name:
      let names = named(functions.map(\.name).sorted(), word)
      return Answer(word: word, choices: unique(members(word) + names.choices))
    case .dialect: return named(Dialect.Name.allCases.map(\.rawValue), word)
    case .command: return named(ReplCommand.all.map(\.name), word)
    }
  }

  private func named(_ names: [String], _ word: String) -> Answer {
    Answer(word: word, choices: names.filter { $0.hasPrefix(word) }.map { Choice(text: $0) })
  }

  /// Returns the end of a text that could be a path: letters, digits, underscores and dots.
  private static func lastWord(_ text: String) -> String {
    var word = text[...].suffix(0)
    while word.startIndex > text.startIndex {
      let previous = text.index(before: word.startIndex)
      let character = text[previous]
      guard character.isLetter || character.isNumber || character == "_" || character == "."
      else { break }
      word = text[previous...]
    }
    return String(word)
  }

  /// Returns the completions at the end of an expression; inside a string there are no completions.
  private func operand(of text: String) -> Answer {
    let tokens = try? tokenize(SourceText(text), dialect: .named(dialect)).tokens
    let isInString = tokens?.contains { $0.kind == .invalid && $0.problem == .unclosedString }
    return isInString == true ? Answer(word: "") : operand(Self.lastWord(text))
  }

  /// Returns the completions in the place of a value.
  private func operand(_ word: String) -> Answer {
    guard let dot = word.lastIndex(of: ".") else {
      let globals = functions.filter(\.isGlobal).map {
        Choice(text: "\($0.name)(", note: $0.isMacro ? "construct" : "function")
      }
      let keywords = ["true", "false", "null", "in"].map { Choice(text: $0, note: "keyword") }
      let words = members(word) + (globals + keywords).sorted { $0.text < $1.text }
      return Answer(word: word, choices: unique(words.filter { $0.text.hasPrefix(word) }))
    }
    let head = word[...dot]
    var words = members(word)
    if head == "device." || head == "computed." {
      words += hostFunctions.map { Choice(text: "\(head)\($0)(", note: "function of the app") }
    }
    // The dot of a number is followed by digits.
    if word.first?.isNumber != true, head != "user.", head != "device.", head != "params." {
      let kind = attributes.first { $0.path == head.dropLast() }?.note ?? ""
      words += functions.filter { $0.isMethod(of: kind) }.map {
        Choice(text: "\(head)\($0.name)(", note: "function")
      }
    }
    return Answer(word: word, choices: unique(words.filter { $0.text.hasPrefix(word) }))
  }

  /// Returns the attributes that start with a word and have the same depth.
  private func members(_ word: String) -> [Choice] {
    let depth = word.utf8.count { $0 == UInt8(ascii: ".") }
    return attributes.filter { path, _ in
      path.hasPrefix(word) && !path.contains("[")
        && path.utf8.count { $0 == UInt8(ascii: ".") } == depth
    }
    .map { path, note in
      // An attribute with members is rarely wanted by itself.
      let isParent = note == "map" && attributes.contains { $0.path.hasPrefix(path + ".") }
      return Choice(text: isParent ? path + "." : path, note: note)
    }
  }

  private func unique(_ words: [Choice]) -> [Choice] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0.text).inserted }
  }

  // MARK: Files

  /// Returns the files and folders whose path starts with a word.
  static func files(_ word: String) -> [Choice] {
    let slash = word.lastIndex(of: "/")
    let folder = slash.map { String(word[...$0]) } ?? ""
    let start = slash.map { word[word.index(after: $0)...] } ?? word[...]
    guard let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { buffer in
        String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(start), !name.hasPrefix(".") || start.hasPrefix(".") else { continue }
      let isFolder = opendir(folder + name).map { closedir($0) == 0 } ?? false
      names.append(folder + name + (isFolder ? "/" : ""))
    }
    return names.sorted().map { Choice(text: $0) }
  }

  // MARK: The list

  /// Returns choices with notes one per line, and choices without notes in columns.
  static func columns(_ choices: [Choice], width: Int) -> String {
    let longest = choices.map(\.text.count).max() ?? 0
    guard choices.allSatisfy(\.note.isEmpty) else {
      return choices.map { choice in
        let space = String(repeating: " ", count: longest - choice.text.count)
        return "  \(choice.text)\(space)  \(choice.note)\n"
      }
      .joined()
    }
    let perLine = max(1, width / (longest + 2))
    var text = ""
    for (index, choice) in choices.enumerated() {
      let isLast = index % perLine == perLine - 1 || index == choices.count - 1
      let space = isLast ? "\n" : String(repeating: " ", count: longest + 2 - choice.text.count)
      text += choice.text + space
    }
    return text
  }
}
