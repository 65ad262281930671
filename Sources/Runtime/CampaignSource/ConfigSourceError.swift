public import AudienceFilters
public import CampaignCore

#if canImport(FoundationEssentials)
  @_weakLinked public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

/// The reason why a source has no config, or no newer one.
public enum ConfigSourceError: Error, Sendable, CustomStringConvertible {
  /// The app's closure threw the error.
  case fetch(any Error)
  /// The server says that a config has not changed which the source does not have.
  case nothingToConfirm
  /// The answer is not JSON.
  case json(JSONError)
  /// The answer is JSON, but not a config.
  case config(ConfigError)
  /// The file could not be read or written, or is damaged.
  case file(path: String, reason: String)

  /// The error in a sentence.
  public var description: String {
    switch self {
    case .fetch(let error): "the config could not be fetched: \(error)"
    case .nothingToConfirm: "the server confirmed a config although none was named in the request"
    case .json(let error): "the config is not JSON: \(error)"
    case .config(let error): "the answer is not a config: \(error)"
    case .file(let path, let reason): "the config's file \(path) \(reason)"
    }
  }
}

#if canImport(FoundationEssentials) || canImport(Foundation)
  // `localizedDescription` is the same sentence as `print` shows.

  extension ConfigSourceError: LocalizedError {
    /// The error as one sentence.
    public var errorDescription: String? { description }
  }
#endif
