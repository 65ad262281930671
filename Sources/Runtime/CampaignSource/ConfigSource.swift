import CampaignCore
public import CampaignMatcher
public import ExpressionEngine

/// Gets the config of an app: at once from a file, and from the app's server when that is stale.
///
/// ```swift
/// let source = ConfigSource(file: path) { etag in try await server.config(unless: etag) }
/// try matcher.load(await source.load().document)
/// for await snapshot in await source.updates() {
///   try matcher.load(snapshot.document)
/// }
/// ```
///
/// A config from the file is used however old it is, and renewed in the background. An answer
/// that is damaged replaces nothing: neither the config in use nor the file.
public actor ConfigSource {
  /// The answer of the app's server.
  public enum Response: Sendable {
    /// The config with the ETag of the request is still the newest (status 304).
    case notModified
    /// The JSON text of a config, with its ETag if the server sends one.
    case document(String, etag: String? = nil)
  }

  /// Asks the app's server for the config, given the ETag of the one in use.
  public typealias Fetch = @Sendable (_ etag: String?) async throws -> Response

  private let file: ConfigFile?
  private let maximumAge: Int64
  private let clock: any WallClock
  private let fetch: Fetch
  private var flight: Task<Result<ConfigSnapshot, ConfigSourceError>, Never>?
  private var listeners: [Int: AsyncStream<ConfigSnapshot>.Continuation] = [:]
  private var nextListener = 0
  /// Milliseconds from the last failure until the next fetch in the background.
  private var pause: Int64 = 0
  private var failedAt: WallTime?
  private var hasReadFile = false

  /// The config in use, once there is one.
  public private(set) var current: ConfigSnapshot?
  /// Whether a request to the server is under way.
  package var isFetching: Bool { flight != nil }
  /// The last problem with the server or the file; `nil` after a fetch without one.
  public private(set) var lastError: ConfigSourceError?

  /// Creates a source. Nothing is read or fetched yet.
  ///
  /// - Parameters:
  ///   - path: The path of the file that keeps the config between launches, in a folder that
  ///     exists; `nil` keeps it in memory only.
  ///   - maximumAge: The age from which on ``load()`` fetches a newer config in the background.
  ///   - clock: The clock that tells the age.
  ///   - fetch: Asks the app's server. It is called for one request at a time.
  public init(
    file path: String?, maximumAge: Value.Duration = .seconds(300),
    clock: any WallClock = SystemClock(), fetch: @escaping Fetch
  ) {
    file = path.map(ConfigFile.init(path:))
    self.maximumAge = maximumAge.millisecondsToWait
    self.clock = clock
    self.fetch = fetch
  }

  /// Returns the config: the one in use, else that of the file, else that of the server.
  ///
  /// One that is older than the source's maximum age is returned too, and renewed in the
  /// background: at most once per maximum age, and after failures in growing distances.
  ///
  /// - Throws: ``ConfigSourceError`` if neither the file nor the server has a config.
  public func load() async throws(ConfigSourceError) -> ConfigSnapshot {
    if current == nil, !hasReadFile { readFile() }
    guard let current else { return try await refresh() }
    if isStale(current) { _ = begin() }
    return current
  }

  /// Asks the server now. Calls at the same time share one request.
  ///
  /// - Returns: The config in use after the request, which may be the one before it.
  /// - Throws: ``ConfigSourceError``; the config in use stays, and so does the file.
  @discardableResult
  public func refresh() async throws(ConfigSourceError) -> ConfigSnapshot {
    try await begin().value.get()
  }

  /// Returns a stream of every config from now on that replaces another.
  public func updates() -> AsyncStream<ConfigSnapshot> {
    let (stream, continuation) = AsyncStream<ConfigSnapshot>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let number = nextListener
    nextListener += 1
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forget(number) }
    }
    return stream
  }

  private func forget(_ listener: Int) { listeners[listener] = nil }

  private func readFile() {
    hasReadFile = true
    do throws(ConfigSourceError) {
      current = try file?.read()
    } catch {
      lastError = error
    }
  }

  private func isStale(_ snapshot: ConfigSnapshot) -> Bool {
    let now = clock.now()
    if let failedAt, now >= failedAt, now < failedAt.advanced(byMilliseconds: pause) {
      return false
    }
    // A clock that was set back makes every age negative; such a config is stale, too.
    return now < snapshot.confirmedAt
      || now >= snapshot.confirmedAt.advanced(byMilliseconds: maximumAge)
  }

  private func begin() -> Task<Result<ConfigSnapshot, ConfigSourceError>, Never> {
    if let flight { return flight }
    let task = Task { await fly() }
    flight = task
    return task
  }

  private func fly() async -> Result<ConfigSnapshot, ConfigSourceError> {
    defer { flight = nil }
    if current == nil, !hasReadFile { readFile() }
    let response: Response
    do {
      response = try await fetch(current?.etag)
    } catch {
      return fail(.fetch(error))
    }
    do throws(ConfigSourceError) {
      return .success(try take(response))
    } catch {
      return fail(error)
    }
  }

  private func take(_ response: Response) throws(ConfigSourceError) -> ConfigSnapshot {
    let snapshot: ConfigSnapshot
    switch response {
    case .notModified:
      guard var confirmed = current else { throw .nothingToConfirm }
      confirmed.confirmedAt = clock.now()
      snapshot = confirmed
    case .document(let text, let etag):
      snapshot = try ConfigSnapshot(text: text, etag: etag, at: clock.now(), origin: .server)
    }
    let isNew = current?.text != snapshot.text
    (current, failedAt, pause, lastError) = (snapshot, nil, 0, nil)
    do throws(ConfigSourceError) {
      try file?.write(snapshot)
    } catch {
      // The config itself is in use all the same.
      lastError = error
    }
    if isNew { for listener in listeners.values { listener.yield(snapshot) } }
    return snapshot
  }

  private func fail(
    _ error: ConfigSourceError
  ) -> Result<ConfigSnapshot, ConfigSourceError> {
    lastError = error
    failedAt = clock.now()
    pause = min(max(pause * 2, 1_000), max(maximumAge, 1_000))
    return .failure(error)
  }
}
