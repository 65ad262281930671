public import ExpressionEngine

extension Context {
  /// Thrown for values that no attribute can be.
  public struct AttributeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The values, each with its path; at least one.
    public let losses: [Layer.Report.Entry]

    /// Creates the error of a report; `nil` if the report is empty.
    init?(_ report: Layer.Report) {
      guard !report.isEmpty else { return nil }
      losses = report.entries
    }

    /// One sentence for each value.
    public var description: String { losses.map(\.message).joined(separator: "; ") }
  }

  /// Sets the function that receives what contexts made from dictionaries could not keep; `nil`
  /// restores the default.
  ///
  /// By default a debug build prints each path once to standard error, and a release build does
  /// nothing.
  ///
  /// - Parameter handler: The function. It is called on the thread that creates the context, before
  ///   the initializer returns.
  public static func onLoss(_ handler: (@Sendable (Layer.Report) -> Void)?) {
    LossNotices.shared.withLock { $0.handler = handler }
    LossNotices.words.store(handler == nil ? 0 : 1, at: 0)
  }

  /// Whether a report is wanted: a release build without a function makes none.
  static var noticesLosses: Bool {
    #if DEBUG
      true
    #else
      LossNotices.words.load(0) != 0
    #endif
  }

  static func noticeLosses(_ report: Layer.Report) {
    let handler = LossNotices.shared.withLock { $0.handler }
    if let handler { return handler(report) }
    #if DEBUG
      for entry in report.entries where LossNotices.shared.withLock({ $0.isNew(entry) }) {
        let effect = entry.effect == .dropped ? "left out" : "replaced by null"
        noteForDevelopers("\(entry.message); it was \(effect)")
      }
    #endif
  }
}

/// The function for losses, and the paths that were printed.
private struct LossNotices {
  static let shared = Locked(LossNotices())
  /// Whether there is a function, readable without the lock.
  static let words = AtomicWords(count: 1)
  /// More paths than that are not remembered, nor printed.
  private static let maximum = 100

  var handler: (@Sendable (Context.Layer.Report) -> Void)?
  private var printed: Set<String> = []

  mutating func isNew(_ entry: Context.Layer.Report.Entry) -> Bool {
    printed.count < Self.maximum && printed.insert(entry.message).inserted
  }
}
