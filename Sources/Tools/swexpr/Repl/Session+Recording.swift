import FilterCorpus

// Sessions as corpus files.
extension Session {
  /// `:save FILE`
  func saveCommand(_ argument: String) -> Reply {
    let path = Self.unquoted(argument)
    let mine = requests.filter { $0.dialect == dialect }
    guard !mine.isEmpty else {
      return .failure(
        "there is nothing to save", help: "evaluate a filter of the \(dialect) dialect first")
    }
    let topic = CorpusImport.Topic(
      name: Self.topicName(of: path), description: "a session of swexpr repl")
    let cases = mine.enumerated().map { index, request in
      ConformanceCase(
        id: "session/\(index + 1)", request: request,
        expectation: Expectation(EngineEvaluator().evaluate(request)))
    }
    do {
      let files = try CorpusImport.files(from: cases, folder: "session") { _ in topic }
      try TextFile.write(files.map(\.text).joined(), to: path)
    } catch let error as CorpusError {
      return .failure(error.description)
    } catch let error as TextFile.Failure {
      return .failure(error.description)
    } catch {
      return .failure("\(error)")
    }
    let others = requests.count - mine.count
    let rest = others == 0 ? "" : "; \(others) of the other dialect left out"
    return Reply("\(path): \(mine.count) case\(mine.count == 1 ? "" : "s")\(rest)\n")
  }

  /// `:load FILE`
  mutating func loadCommand(_ argument: String) -> Reply {
    let path = Self.unquoted(argument)
    let file: CorpusFile
    do {
      file = try CorpusFile(reading: TextFile.read(path), path: path)
    } catch let error as CorpusError {
      return .failure(error.description)
    } catch let error as TextFile.Failure {
      return .failure(error.description)
    } catch {
      return .failure("\(error)")
    }
    dialect = file.dialect
    var reply = Reply()
    var changed = 0
    for item in file.cases {
      guard case .expression(let text) = item.request.question else { continue }
      variables = Self.emptyVariables.merging(item.request.variables) { _, new in new }
      answers = item.request.hostAnswers.compactMapValues {
        if case .value(let value) = $0 { value } else { nil }
      }
      reply.output += "> \(text.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
      let outcome = EngineEvaluator().evaluate(item.request)
      requests.append(item.request)
      switch outcome.answer {
      case .value(let value): reply.output += answer(value)
      case .error(let error): reply.output += "error: \(error.summary)\n"
      case .checked: break
      }
      if !item.expectation.isMet(by: outcome, dialect: dialect) {
        changed += 1
        reply.output += "  recorded: \(item.expectation.summary)\n"
      }
    }
    reply.hasFailed = changed > 0
    reply.output += "\(path): \(file.cases.count) case\(file.cases.count == 1 ? "" : "s")"
    reply.output += changed == 0 ? "\n" : ", \(changed) with another answer than recorded\n"
    return reply
  }

  private static func topicName(of path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? "session"
    if name.hasSuffix(".corpus") { name.removeLast(7) }
    return name.isEmpty ? "session" : name
  }
}

extension Expectation {
  /// Creates the expectation that an outcome meets.
  fileprivate init(_ outcome: CaseOutcome) {
    switch outcome.answer {
    case .value(let value): self = .value(value, type: nil)
    case .error(var error):
      error.rendered = nil
      self = .error(error)
    case .checked: self = .type(outcome.type ?? "")
    }
  }
}
