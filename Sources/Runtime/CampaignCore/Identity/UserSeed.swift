/// How a user id becomes a seed of 0 ... 99 (docs/spec/campaigns.md §6.3). The platforms disagree.
public enum UserSeed: String, Sendable, Hashable, CaseIterable {
  /// The four little-endian 64-bit words of the SHA-256 digest, added with wrap-around, modulo 100.
  case iOS
  /// The four big-endian signed 64-bit words, added exactly, reduced to a non-negative remainder.
  case android

  /// The seed of a user id.
  public func seed(of userID: String) -> Int64 {
    let digest = SHA256.digest(of: Array(userID.utf8))
    switch self {
    case .iOS:
      let sum = stride(from: 0, to: 32, by: 8).reduce(UInt64(0)) { sum, start in
        sum &+ digest[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      return Int64(sum % 100)
    case .android:
      let sum = stride(from: 0, to: 32, by: 8).reduce(Int64(0)) { sum, start in
        let word = digest[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return sum + Int64(bitPattern: word).flooredRemainder(by: 100)
      }
      return sum % 100
    }
  }
}
