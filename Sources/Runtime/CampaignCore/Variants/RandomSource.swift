import ExpressionEngine

/// Where the matcher takes chance from: variant choice, seeds and aliases.
public protocol RandomSource: Sendable {
  /// A number drawn uniformly from `0 ..< bound`; `bound` is at least 1.
  func uniform(below bound: UInt64) -> UInt64
}

/// The random numbers of the operating system.
public struct SystemRandomSource: RandomSource {
  /// Creates the source.
  public init() {}

  /// A number drawn uniformly from `0 ..< bound`.
  public func uniform(below bound: UInt64) -> UInt64 {
    bound < 2 ? 0 : UInt64.random(in: 0..<bound)
  }
}

/// A reproducible sequence of random numbers (SplitMix64), for tests and `--seed`.
public final class SeededRandomSource: RandomSource {
  private let numbers: Locked<SplitMix64>

  /// Creates the sequence that belongs to a seed.
  public init(seed: UInt64) {
    numbers = Locked(SplitMix64(seed: seed))
  }

  /// A number drawn uniformly from `0 ..< bound`.
  ///
  /// The high half of a 128-bit product is used; the few low results that would make some numbers
  /// likelier are drawn again.
  public func uniform(below bound: UInt64) -> UInt64 {
    guard bound > 1 else { return 0 }
    return numbers.withLock { numbers in
      let threshold = (0 &- bound) % bound
      while true {
        let product = numbers.next().multipliedFullWidth(by: bound)
        if product.low >= threshold { return product.high }
      }
    }
  }
}

/// A source that hands out given numbers in turn and zero when they are used up, so that a case can
/// say which number was drawn.
public final class ScriptedRandomSource: RandomSource {
  private let numbers: Locked<[UInt64]>

  /// Creates a source.
  /// - Parameter numbers: The numbers in the order of use; each is reduced modulo the bound.
  public init(_ numbers: [UInt64]) {
    self.numbers = Locked(numbers.reversed())
  }

  /// Adds numbers to hand out after those that are left.
  public func append(_ more: [UInt64]) {
    numbers.withLock { $0.insert(contentsOf: more.reversed(), at: 0) }
  }

  /// The next number modulo `bound`.
  public func uniform(below bound: UInt64) -> UInt64 {
    numbers.withLock { $0.popLast() ?? 0 } % max(bound, 1)
  }
}

extension RandomSource {
  /// A random UUID (version 4) in capital letters.
  package func uuid() -> String {
    var octets = (0..<16).map { _ in UInt8(truncatingIfNeeded: uniform(below: 256)) }
    octets[6] = octets[6] & 0x0F | 0x40
    octets[8] = octets[8] & 0x3F | 0x80
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, octet) in octets.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digit(octet >> 4))
      text.append(digit(octet & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
