import ExpressionEngine
import ExpressionSyntax

/// Turns cases of the JSON Lines formats into readable `.corpus` files.
///
/// One file for each topic, contexts that several cases share written once and named, and a name
/// for each case made from its expression. Reading the files back gives the same requests and
/// expectations.
package enum CorpusImport {
  /// A topic: the name of its file, and what it is about.
  package struct Topic: Sendable, Hashable {
    /// The name of the file without its ending.
    package var name: String
    /// The sentence of its header.
    package var description: String

    /// Creates a topic.
    package init(name: String, description: String) {
      self.name = name
      self.description = description
    }
  }

  /// The files for `cases`, sorted by their paths; nothing is written.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files.
  ///   - topic: The topic of a case. ``topic(of:)`` takes it from the identifier.
  package static func files(
    from cases: [ConformanceCase], folder: String,
    topic: (ConformanceCase) -> Topic = CorpusImport.topic(of:)
  ) throws(CorpusError) -> [CorpusFile] {
    var groups: [String: (topic: Topic, cases: [ConformanceCase])] = [:]
    for item in cases {
      let topic = topic(item)
      groups[topic.name, default: (topic, [])].cases.append(item)
    }
    var files: [CorpusFile] = []
    for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
      let text = text(of: group.cases, topic: group.topic)
      files.append(try CorpusFile(reading: text, path: "\(folder)/\(name).corpus"))
    }
    return files
  }

  /// The topic in the identifier of a case: the part before its last `-` or, in the
  /// `cel` formats, its first `/`.
  package static func topic(of item: ConformanceCase) -> Topic {
    let id = item.id
    if case .definition = item.request.question {
      return Topic(name: "definitions", description: descriptions["definitions"] ?? "")
    }
    let name =
      id.split(separator: "/").count > 1
      ? String(id.prefix { $0 != "/" })
      : id.split(separator: "-").dropLast().joined(separator: "-")
    return Topic(name: name.isEmpty ? "cases" : name, description: descriptions[name] ?? "")
  }

  /// The topic of inputs that make the reference evaluator abort or hang.
  package static let crashes = Topic(
    name: "crashes",
    description: "inputs on which the reference aborts or hangs: an error, at once")

  private static func text(of cases: [ConformanceCase], topic: Topic) -> String {
    var lines = ["# topic: \(topic.name)"]
    if !topic.description.isEmpty { lines.append("# description: \(topic.description)") }
    let dialect = cases.first?.request.dialect ?? .superscript
    lines.append("# dialect: \(dialect.rawValue)")
    let contexts = SharedContexts(cases)
    for (name, content) in contexts.named {
      lines += ["", "@context \(name)"] + content.lines
    }
    if let used = contexts.used { lines += ["", "@use \(used)"] }
    var names = CaseNames(fallback: topic.name)
    for item in cases {
      let options =
        contexts.options(of: item.request)
        + CorpusCase.optionLines(of: item.request, needs: item.needs.filter { $0 != "core" })
      lines.append("")
      lines += CorpusCase.questionLines(
        name: names.next(for: item.request.question), question: item.request.question,
        options: options)
      lines += item.expectation.answerLines
      if let reason = item.skipReason { lines.append("?? skip: \(reason)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let descriptions = [
    "arithmetic": "+ - * / % on every pair of kinds, overflow, division",
    "bool-string": "the strings true and false are bools wherever they come from",
    "compare": "== != < <= > >= on every pair of kinds",
    "definitions": "raw definitions for the drop-in interface: members, tags, strictness",
    "error-to-null": "errors that the interface answers with null",
    "filter-combination": "whole filters put together from the usual conditions",
    "functions": "built-in functions, called and as methods, with right and wrong arguments",
    "has-hasfn-maybe": "has, hasFn and maybe",
    "host": "device and computed functions, their tables and the answers of the host",
    "in": "membership in lists, maps and strings",
    "index": "indexing lists, maps and other values",
    "lexical-number": "number literals",
    "lexical-other": "names, keywords, comments, white space and characters outside of tokens",
    "lexical-string": "string and bytes literals and their escapes",
    "literal": "literals on their own",
    "logic": "&& || ! and the ternary operator, truthiness",
    "macros": "all, exists, exists_one, filter and map",
    "missing-in": "missing attributes around in",
    "missing-left": "a missing attribute on the left of a comparison with a literal",
    "missing-other": "missing attributes elsewhere",
    "missing-right": "a missing attribute on the right of a comparison",
    "missing-vs-nonliteral": "a missing attribute compared with something other than a literal",
    "name-collision": "attributes that bear the name of a function",
    "numeric-string": "strings that look like numbers, compared and computed with",
    "precedence": "what binds tighter",
    "random": "generated expressions",
    "realistic": "filters as people write them, over a realistic context",
    "sign-lexing": "plus and minus signs before numbers",
    "time": "timestamps and durations",
    "version": "version numbers, padded and plain",
  ]
}

/// The contexts of the cases of a file: which are named, and how a case refers to its own.
struct SharedContexts {
  /// The named contexts, in the order in which they are written.
  private(set) var named: [(name: String, content: CorpusContextContent)] = []
  /// The name of the context of cases that name none.
  private(set) var used: String?

  private var names: [CorpusContextContent: String] = [:]

  init(_ cases: [ConformanceCase]) {
    var counts: [CorpusContextContent: Int] = [:]
    var order: [CorpusContextContent] = []
    for item in cases {
      let content = CorpusContextContent(of: item.request)
      if counts[content] == nil { order.append(content) }
      counts[content, default: 0] += 1
    }
    let shared = order.filter { content in
      let size = content.lines.reduce(0) { $0 + $1.utf8.count }
      return size > 0 && ((counts[content] ?? 0) > 2 || size > 300)
    }
    // The sort is stable: equally frequent contexts keep the order of the cases.
    for content in shared.sorted(by: { (counts[$0] ?? 0) > (counts[$1] ?? 0) }) {
      var name = named.isEmpty ? "base" : Self.name(of: content)
      if named.contains(where: { $0.name == name }) { name += "-\(named.count + 1)" }
      named.append((name, content))
      names[content] = name
    }
    if let first = named.first, (counts[first.content] ?? 0) * 2 > cases.count {
      used = first.name
    }
  }

  /// The option lines that give a case the context of `request`.
  func options(of request: CaseRequest) -> [String] {
    let content = CorpusContextContent(of: request)
    if let name = names[content] { return name == used ? [] : ["with \(name)"] }
    let lines = content.optionLines
    if used != nil, lines.first?.hasPrefix("with") != true { return ["with {}"] + lines }
    return lines
  }

  /// The name of its user, or else the first names of its variables.
  private static func name(of content: CorpusContextContent) -> String {
    if case .map(let user)? = content.variables["user"] {
      for key: Value.Key in ["name", "id"] {
        guard case .string(let text)? = user[key], !text.isEmpty,
          text.utf8.allSatisfy({ $0.isNameStart || $0.isDigit })
        else { continue }
        return text.lowercased()
      }
    }
    let variables = content.variables.keys.sorted()
    let hosts = (content.deviceFunctions.keys.sorted() + content.computedFunctions.keys.sorted())
    let words = (variables.isEmpty ? hosts : variables)
      .filter { $0.utf8.allSatisfy { $0.isNameStart || $0.isDigit } }
    if words.isEmpty { return "context" }
    return words.prefix(3).joined(separator: "-")
  }
}

extension CorpusContextContent {
  init(of request: CaseRequest) {
    variables = request.variables
    deviceFunctions = request.deviceFunctions
    computedFunctions = request.computedFunctions
    hostAnswers = request.hostAnswers
  }
}

/// Makes names from expressions, each one once.
struct CaseNames {
  let fallback: String
  private var taken: [String: Int] = [:]

  init(fallback: String) {
    self.fallback = fallback
  }

  /// A name for `question` that no other case has.
  mutating func next(for question: CaseRequest.Question) -> String {
    let name =
      switch question {
      case .expression(let text): Self.name(of: text)
      case .definition(let text): Self.name(ofDefinition: text)
      }
    let base = name.isEmpty ? fallback : name
    var candidate = base
    // The counter continues, so many similar questions do not cost a search each.
    while taken[candidate] != nil {
      let number = (taken[base] ?? 1) + 1
      taken[base] = number
      candidate = "\(base)_\(number)"
    }
    taken[candidate] = 1
    return candidate
  }

  private static let words: [(symbol: String, word: String)] = [
    ("==", "eq"), ("!=", "ne"), ("<=", "le"), (">=", "ge"), ("&&", "and"), ("||", "or"),
    ("<", "lt"), (">", "gt"), ("+", "plus"), ("-", "minus"), ("*", "times"), ("/", "over"),
    ("%", "mod"), ("!", "not"), ("?", "then"), (":", "else"), ("[", "at"), ("{", "map"),
    ("\\", "bs"), ("#", "hash"), ("@", "at"), ("$", "dollar"), ("&", "amp"), ("|", "bar"),
    ("=", "is"),
  ]

  /// The words of a definition that not every definition has.
  private static func name(ofDefinition text: String) -> String {
    let common: Set<String> = ["variables", "map", "expression", "type", "value", "a", "1"]
    let words = text.prefix(200).split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return words.map(String.init).filter { !common.contains($0) }.prefix(5).joined(separator: "_")
  }

  /// Words and symbols of `text` joined by `_`, about fifty characters at most.
  private static func name(of text: String) -> String {
    var parts: [String] = []
    var rest = Substring(text.prefix(200))
    while let first = rest.first, parts.reduce(0, { $0 + $1.utf8.count + 1 }) < 44 {
      if first.isASCII, first.isLetter || first.isNumber || first == "_" || first == "." {
        let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) }
        parts.append(String(word.prefix(32)))
        rest = rest.dropFirst(word.count)
      } else if let (symbol, word) = words.first(where: { rest.hasPrefix($0.symbol) }) {
        parts.append(word)
        rest = rest.dropFirst(symbol.count)
      } else {
        rest = rest.dropFirst()
      }
    }
    return parts.joined(separator: "_")
  }
}
