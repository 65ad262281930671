import AudienceFilters
import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

// The commands about variables.
extension Session {
  /// Replaces the variables and the results of host functions by those in a file.
  mutating func load(context path: String) throws(InputError) {
    var loaded = try ContextOptions.object(try InputFile.json(path), InputFile.name(path))
    answers =
      try loaded.removeValue(forKey: "host").map { value throws(InputError) in
        try ContextOptions.object(value, "\(InputFile.name(path)): `host`")
      } ?? [:]
    variables = Self.emptyVariables.merging(loaded) { _, new in new }
    contextPath = path
  }

  /// `:context [FILE]`
  mutating func contextCommand(_ argument: String) -> Reply {
    guard !argument.isEmpty else {
      return Reply(contextPath.map { "\($0), \(summary)\n" } ?? "no file, \(summary)\n")
    }
    do throws(InputError) {
      try load(context: Self.unquoted(argument))
      return Reply("\(summary)\n")
    } catch {
      return .failure(error.message)
    }
  }

  /// `:set PATH VALUE`
  mutating func setCommand(_ argument: String) -> Reply {
    let (target, text) = Self.assignment(argument)
    guard let path = AttributePath(target) else {
      return .failure(
        "`\(target)` is not an attribute", help: "write a path and a value: `:set user.age 25`")
    }
    guard !text.isEmpty else {
      return .failure(
        "there is no value for `\(path)`",
        help: "write one after it: `:set \(path) 25`; `:unset \(path)` removes it")
    }
    do throws(SetFailure) {
      let value = try value(of: text, for: path)
      path.set(value, in: &variables)
      return Reply("\(path) = \(answer(value))")
    } catch {
      return error.reply
    }
  }

  /// `:unset PATH`
  mutating func unsetCommand(_ argument: String) -> Reply {
    guard let path = AttributePath(argument) else {
      return .failure("`\(argument)` is not an attribute", help: "write a path: `:unset user.age`")
    }
    guard path.value(in: variables) != nil else {
      let close = Suggestions.help(for: path.description, among: Attributes(variables).paths)
      return .failure("`\(path)` is not in the context", help: close)
    }
    path.set(nil, in: &variables)
    return Reply("removed \(path)\n")
  }

  /// `:host JSON`
  mutating func hostCommand(_ argument: String) -> Reply {
    guard !argument.isEmpty else {
      return Reply(answers.isEmpty ? "no functions of the app\n" : answerLines)
    }
    do throws(InputError) {
      let added = try ContextOptions.object(
        try InputFile.json(argument, option: ":host"), ":host")
      answers.merge(added) { _, new in new }
      return Reply(answerLines)
    } catch {
      return .failure(error.message, help: #"for example `:host {"daysSince(app_open)": 3}`"#)
    }
  }

  /// `:show [PATH]`
  func showCommand(_ argument: String) -> Reply {
    let attributes = Attributes(variables)
    var shown = attributes.entries
    if !argument.isEmpty {
      guard let path = AttributePath(argument),
        path.value(in: variables) != nil
      else {
        let close = Suggestions.help(for: argument, among: attributes.paths)
        return .failure("`\(argument)` is not in the context", help: close)
      }
      shown = attributes.under(path)
    }
    var text = ""
    for (path, value) in shown {
      // Maps with members are shown by their members.
      if case .map(let members) = value, !members.isEmpty { continue }
      text += "\(path) = \(answer(value))"
    }
    return Reply(text + (argument.isEmpty ? answerLines : ""))
  }

  /// The number of attributes in words.
  private var summary: String {
    let counts = Attributes(variables).entries.filter {
      if case .map(let members) = $0.value { return members.isEmpty && !$0.path.names.isEmpty }
      return true
    }
    .count
    return "\(counts) attribute\(counts == 1 ? "" : "s")"
  }

  private var answerLines: String {
    answers.sorted { $0.key < $1.key }.map { "host \($0.key) = \(answer($0.value))" }.joined()
  }

  // MARK: Values

  private struct SetFailure: Error {
    let reply: Reply
  }

  /// Returns the value that a text denotes: JSON, or else an expression over the context.
  private func value(of text: String, for path: AttributePath) throws(SetFailure) -> Value {
    if let value = try? InputFile.json(text, option: ":set") { return value }
    let source = SourceText(text)
    do {
      let filter = try Filter(source, environment: environment)
      for attribute in filter.requirements.attributes {
        let root = attribute.root ?? attribute.name
        guard variables[root] == nil else { continue }
        throw SetFailure(
          reply: .failure(
            "there is no variable `\(root)`",
            help: attribute.root == nil && attribute.name == text
              ? "quote a text: `:set \(path) \(Value.string(text).literal)`" : nil))
      }
      return try filter.evaluate(context)
    } catch let failure as SetFailure {
      throw failure
    } catch let error as FilterError {
      throw SetFailure(reply: failure(error.diagnostics, in: source))
    } catch let error as EvaluationError {
      throw SetFailure(reply: failure([error.showingValues.diagnostic], in: source))
    } catch {
      throw SetFailure(reply: .failure("\(error)"))
    }
  }

  /// Returns the two parts of `user.age 25` or `user.age = 25`; brackets in the path may contain
  /// spaces.
  private static func assignment(_ text: String) -> (target: String, value: String) {
    var depth = 0
    var end = text.endIndex
    for index in text.indices {
      switch text[index] {
      case "[": depth += 1
      case "]": depth -= 1
      case " ", "\t", "\n", "=": if depth <= 0, end == text.endIndex { end = index }
      default: break
      }
      if end != text.endIndex { break }
    }
    var value = String(text[end...]).trimmingSpaces
    if value.hasPrefix("="), !value.hasPrefix("==") {
      value = String(value.dropFirst()).trimmingSpaces
    }
    return (String(text[..<end]), value)
  }

  /// Returns a file name without its quotes, if it has any.
  static func unquoted(_ text: String) -> String {
    guard text.count >= 2, let first = text.first, first == "\"" || first == "'",
      text.last == first
    else { return text }
    return String(text.dropFirst().dropLast())
  }
}
