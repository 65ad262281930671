public import AudienceFilters
public import ExpressionEngine
import ExpressionPrinting
public import ExpressionSyntax

/// What one audience of a placement says about a user, whatever the audiences above it say.
public struct AudienceAnswer: Sendable {
  /// The audience.
  public var audience: Audience
  /// What the filter answered; `nil` when it has no value. No filter is true for everyone.
  public var value: Value?
  /// Why the filter has no value, where a place in it tells.
  public var diagnostic: Diagnostic?
  /// Why the filter was not asked at all: what is wrong with the request, whatever the filter.
  public var requestProblem: String?
  /// Whether the limit of the audience is reached, so that it is passed over although its filter is
  /// true.
  public var isLimitReached = false

  /// Whether the user is in the audience, if no audience above it has them.
  public var isMatch: Bool { value == .bool(true) && !isLimitReached }
}

extension Matcher {
  /// What every audience of a placement says, each by itself, if the placement were registered now. The
  /// first that matches is the one that a registration finds. Nothing is recorded.
  ///
  /// - Parameters:
  ///   - request: the placement and its circumstances.
  ///   - historyAnswers: what is answered instead of the history, by call (`daysSince(app_open)`), else
  ///     by function (`daysSince`).
  /// - Returns: the answers in the order of the audiences; `nil` when no campaign has the placement.
  /// - Throws: ``StoreError`` when the store cannot be read or written.
  public func audienceAnswers(
    for request: MatchRequest, historyAnswers: [String: Value] = [:]
  ) throws(StoreError) -> [AudienceAnswer]? {
    var answers: [AudienceAnswer]?
    let undo = StoreError(operation: "look at audiences", reason: "what was recorded is taken back")
    do throws(StoreError) {
      try withTransaction { state, work throws(StoreError) in
        // The placement has been recorded when audiences are asked, and all is undone afterwards.
        try work.record(request.placement)
        var request = request
        request.isStandardEvent = BuiltInEvent.isStandard(request.placement)
        if let trigger = state.compiled?.triggers[ExactName(request.placement)] {
          var walk = try walk(
            for: request, in: trigger, &state, work.transaction, at: work.now,
            historyAnswers: historyAnswers)
          answers = try walk.answers(of: trigger.audiences)
        }
        // What derives from the history was made of what is taken back now.
        state.base = nil
        throw undo
      }
    } catch {
      guard error == undo else { throw error }
    }
    return answers
  }
}

extension AudienceWalk {
  /// What each audience says by itself. It ends the walk: contexts ask the history no more.
  fileprivate mutating func answers(
    of audiences: [CompiledAudience]
  ) throws(StoreError) -> [AudienceAnswer] {
    defer { evaluation.end() }
    var answers: [AudienceAnswer] = []
    for compiled in audiences {
      var answer = AudienceAnswer(audience: compiled.audience)
      switch compiled.filter {
      case .everyone: answer.value = .bool(true)
      case .invalid(let flaw): answer.diagnostic = flaw.diagnostic
      case .compiled(let shared):
        guard !failsEveryFilter else {
          answer.requestProblem = AudienceWalk.nonFiniteProblem
          break
        }
        let context = try context(for: compiled)
        do throws(EvaluationError) {
          answer.value = try evaluate(shared.filter, context)
        } catch {
          answer.diagnostic = error.diagnostic
        }
      }
      if let failure = evaluation.failure { throw failure }
      if let limit = compiled.limit {
        answer.isLimitReached = Int64(try count(of: limit)) >= limit.maximum
      }
      answers.append(answer)
    }
    return answers
  }
}
