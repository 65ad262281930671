public import CampaignCore
public import ExpressionEngine

extension Matcher {
  /// The events that the matcher tracks, and those that the app tracks with it.
  public struct Events: Sendable {
    let matcher: Matcher
  }

  /// The events that the matcher tracks, and those that the app tracks with it.
  public var events: Events { Events(matcher: self) }
}

extension Matcher.Events {
  /// Calls a function for each event, in order and one at a time. `nil` ends it.
  ///
  /// It is called after the transaction of the event, outside of every lock, so that it may call the
  /// matcher and the tokens of presentations; what it causes is delivered after it returns. It runs on
  /// the thread of a request: that of the event, or, while events of another thread are being
  /// delivered, that one, so that the order is kept. Events that are on their way when the function is
  /// replaced may still reach the old one.
  public func onEvent(_ handler: (@Sendable (TrackedEvent) -> Void)?) {
    matcher.outbox.setHandler(handler)
  }

  /// A stream of the events from now on. Each stream gets every event.
  ///
  /// - Parameter bufferingPolicy: The policy for events that come faster than they are taken.
  public func stream(
    bufferingPolicy: AsyncStream<TrackedEvent>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<TrackedEvent> {
    matcher.outbox.stream(bufferingPolicy: bufferingPolicy)
  }

  /// Tracks an event that presents nothing, such as `transaction_complete`: it enters the history and
  /// is delivered.
  ///
  /// - Throws: `StoreError` when the store cannot be written; nothing has happened then.
  public func track(_ name: String, parameters: [String: Value] = [:]) throws(StoreError) {
    try matcher.track([.tracked(name: name, parameters: parameters)])
  }

  /// Calls a function for each registration that follows from an event which the matcher tracks by
  /// itself: `app_install`, `session_start` and `app_launch`. `nil` ends it.
  ///
  /// A paywall that nobody takes counts as failed.
  public func onImplicitRegistration(_ handler: (@Sendable (MatchOutcome) -> Void)?) {
    onImplicitRegistration(presentation: .byHost, handler)
  }

  /// Calls a function for each such registration, whose paywall is presented in the given way.
  package func onImplicitRegistration(
    presentation: PresentationMode, _ handler: (@Sendable (MatchOutcome) -> Void)?
  ) {
    matcher.state.withLock { state in
      state.implicitHandler = handler
      state.implicitPresentation = presentation
    }
  }
}
