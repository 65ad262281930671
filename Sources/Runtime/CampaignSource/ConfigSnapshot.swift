public import CampaignCore

/// A config with where and when it came from.
public struct ConfigSnapshot: Sendable {
  /// The place that a config was read from.
  public enum Origin: Sendable, Hashable {
    /// The file that an earlier launch, or an earlier fetch, has left.
    case file
    /// The app's server.
    case server
  }

  /// The config as a matcher or a host loads it.
  public let document: ConfigDocument
  /// The decoded config.
  public let config: CampaignConfig
  /// The findings of decoding the config.
  public let diagnostics: [ConfigDiagnostic]
  /// The server's name of this version of the config, for the next fetch.
  public let etag: String?
  /// The time of the server's last word that this is the config.
  public internal(set) var confirmedAt: WallTime
  /// The place that the config was read from.
  public let origin: Origin

  let text: String

  init(text: String, etag: String?, at instant: WallTime, origin: Origin) throws(ConfigSourceError)
  {
    do {
      document = try ConfigDocument(json: text)
    } catch {
      throw .json(error)
    }
    do {
      (config, diagnostics) = try ConfigDecoder().decode(document)
    } catch {
      throw .config(error)
    }
    self.text = text
    self.etag = etag
    self.origin = origin
    confirmedAt = instant
  }
}
