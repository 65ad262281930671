import AudienceFilters
public import ExpressionEngine
import ExpressionPrinting
public import ExpressionSyntax

/// The result of one audience of a placement for a user, whatever the audiences above it say.
public struct AudienceAnswer: Sendable {
  /// The audience.
  public var audience: Audience
  /// The value of the filter; `nil` when it has none. No filter is true for everyone.
  public var value: Value?
  /// The reason why the filter has no value, where a place in it shows one.
  public var diagnostic: Diagnostic?
  /// Why the filter was not evaluated at all: the fault of the request, whatever the filter.
  public var requestProblem: String?
  /// Whether the limit of the audience is reached, so that it is passed over although its filter is
  /// true.
  public var isLimitReached = false

  /// Whether the user is in the audience, if no audience above it has them.
  public var isMatch: Bool { value == .bool(true) && !isLimitReached }
}

extension CompiledCampaigns {
  /// Returns the results of all audiences, each by itself, if the placement were registered now.
  /// The first that matches is the one that a registration finds.
  ///
  /// - Parameters:
  ///   - request: The placement and its circumstances.
  ///   - situation: Everything else that the answers depend on.
  /// - Returns: The answers in the order of the audiences; `nil` when no campaign has the placement.
  /// - Throws: ``StoreError`` when the history or the occurrences cannot be read.
  public func answers(
    to request: MatchRequest, in situation: MatchSituation
  ) throws(StoreError) -> [AudienceAnswer]? {
    guard let trigger = trigger(of: request.placement) else { return nil }
    var situation = situation
    // A registration records the placement before it tries the audiences.
    situation.history = HistoryOverlay(
      base: situation.history, name: request.placement, instant: situation.now)
    let walk = try AudienceWalk(self, trigger, request.asPreview, situation)
    defer { walk.end() }
    return try trigger.audiences.map { audience throws(StoreError) in
      try walk.answer(of: audience)
    }
  }
}

extension AudienceWalk {
  fileprivate func answer(of compiled: CompiledAudience) throws(StoreError) -> AudienceAnswer {
    var answer = AudienceAnswer(audience: compiled.audience)
    switch compiled.filter {
    case .everyone: answer.value = .bool(true)
    case .invalid(let flaw): answer.diagnostic = flaw.diagnostic
    case .compiled(let filter):
      guard !failsEveryFilter else {
        answer.requestProblem = AudienceWalk.nonFiniteProblem
        break
      }
      let context = try context(of: compiled)
      do throws(EvaluationError) {
        answer.value = try evaluate(filter, context)
      } catch {
        answer.diagnostic = error.diagnostic
      }
    }
    try throwFailure()
    if let limit = compiled.limit {
      answer.isLimitReached = try count(of: limit) >= limit.maximum
    }
    return answer
  }
}
