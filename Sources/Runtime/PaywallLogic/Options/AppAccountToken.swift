/// The `appAccountToken` that goes with every transaction of the App Store, which takes nothing but
/// UUIDs there.
public enum AppAccountToken {
  /// The prefix of the alias.
  private static let aliasPrefix = "$SuperwallAlias:"

  /// The token of a user: the user id if it is a UUID, and otherwise the UUID of the alias.
  ///
  /// - Parameters:
  ///   - userID: The id that the app identified the user with; `nil` for an anonymous user.
  ///   - alias: The alias, with its prefix `$SuperwallAlias:` or without.
  /// - Returns: `nil` when neither is a UUID.
  public static func token(userID: String?, alias: String) -> String? {
    if let userID, isUUID(userID) { return userID }
    let id = alias.hasPrefix(aliasPrefix) ? String(alias.dropFirst(aliasPrefix.count)) : alias
    return isUUID(id) ? id : nil
  }

  /// Whether a text has the form of a UUID: groups of 8, 4, 4, 4 and 12 hexadecimal digits.
  static func isUUID(_ text: String) -> Bool {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return false }
    return groups.joined().allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
      default: false
      }
    }
  }
}
