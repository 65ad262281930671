import CArrow
import ExpressionEngine

// Types whose values are made one by one.

extension ArrowReader {
  /// Returns the values of a type that has no column of its own.
  func unusual(_ first: Int, _ count: Int) throws(ColumnBatchError) -> Column.Storage {
    let parts = format.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.first ?? "" {
    case "e":
      nonisolated(unsafe) let halves = try values(1, as: UInt16.self)
      return .values { .double(Self.double(half: halves[$0])) }
    case "z", "Z":
      let bounds = try offsets(isLong: format == "Z", first, count)
      nonisolated(unsafe) let bytes = try bytes(bounds, first, count)
      return .values { place in
        let range = bounds.range(place)
        return .bytes(
          Array(UnsafeBufferPointer(start: bytes.map { $0 + range.first }, count: range.count)))
      }
    case "w":
      guard parts.count == 2, let size = Int(parts[1]), size >= 0, size <= 1 << 24 else {
        throw damaged("has bytes of `\(format)`")
      }
      nonisolated(unsafe) let bytes = try values(1, as: UInt8.self)
      return .values { .bytes(Array(UnsafeBufferPointer(start: bytes + $0 * size, count: size))) }
    case "d": return try decimals(parts.dropFirst().joined(separator: ":"))
    case "tdD":
      nonisolated(unsafe) let days = try values(1, as: Int32.self)
      return .values { .timestamp(.init(seconds: Int64(days[$0]) * 86_400)) }
    case "tdm":
      nonisolated(unsafe) let times = try values(1, as: Int64.self)
      return .values { .timestamp(ArrowUnit.milliseconds.timestamp(times[$0])) }
    case "tts", "ttm":
      let unit: ArrowUnit = format == "tts" ? .seconds : .milliseconds
      nonisolated(unsafe) let times = try values(1, as: Int32.self)
      return .values { .duration(unit.duration(Int64(times[$0]))) }
    case let type where type.count == 3 && ["tt", "tD", "ts"].contains(type.prefix(2)):
      guard let unit = ArrowUnit(rawValue: type.suffix(1)) else { fallthrough }
      nonisolated(unsafe) let times = try values(1, as: Int64.self)
      guard type.hasPrefix("ts") else { return .values { .duration(unit.duration(times[$0])) } }
      return .values { .timestamp(unit.timestamp(times[$0])) }
    default: throw damaged("has the type `\(format)`, which no attribute has")
    }
  }

  /// The value of a floating-point number of 16 bits.
  private static func double(half: UInt16) -> Double {
    let exponent = Int(half >> 10 & 0x1F)
    let fraction = Double(half & 0x3FF)
    let magnitude: Double =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? .infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction * 0x1p-10)
      }
    return half >> 15 == 0 ? magnitude : -magnitude
  }

  /// Returns decimals as doubles, or as ints if they have no digits after the point and fit.
  private func decimals(_ parameters: String) throws(ColumnBatchError) -> Column.Storage {
    let numbers = parameters.split(separator: ",").compactMap { Int($0) }
    let width = numbers.count > 2 ? numbers[2] : 128
    guard numbers.count >= 2, [32, 64, 128, 256].contains(width), numbers[1].magnitude <= 400
    else { throw damaged("has decimals of `\(parameters)`") }
    let scale = numbers[1]
    let words = width / 32
    nonisolated(unsafe) let parts = try values(1, as: UInt32.self)
    return .values { place in
      let own = parts + place * words
      let isNegative = own[words - 1] >> 31 != 0
      // The magnitude, from the highest word on.
      var magnitude = 0.0
      var exact: Int64? = 0
      var carry: UInt64 = isNegative ? 1 : 0
      var digits: [UInt32] = []
      for word in 0..<words {
        let value = UInt64(isNegative ? ~own[word] : own[word]) + carry
        digits.append(UInt32(truncatingIfNeeded: value))
        carry = value >> 32
      }
      for digit in digits.reversed() {
        magnitude = magnitude * 0x1p32 + Double(digit)
        exact = exact.flatMap { high in
          let (product, overflow) = high.multipliedReportingOverflow(by: 1 << 32)
          let (sum, carry) = product.addingReportingOverflow(Int64(digit))
          return overflow || carry ? nil : sum
        }
      }
      if scale <= 0, scale > -18, let exact {
        let (value, overflow) = exact.multipliedReportingOverflow(by: Self.power(-scale))
        if !overflow { return .int(isNegative ? -value : value) }
      }
      // The text of an exact number is read as the nearest double.
      if let exact, let value = Double("\(isNegative ? "-" : "")\(exact)e\(-scale)") {
        return .double(value)
      }
      let value = Double("\(magnitude)e\(-scale)") ?? magnitude
      return .double(isNegative ? -value : value)
    }
  }

  private static func power(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Returns a column of texts or bytes whose places are in several buffers.
  func views(_ first: Int, _ count: Int) throws(ColumnBatchError) -> Column {
    nonisolated(unsafe) let views = try values(1, as: UInt8.self)
    let dataCount = Int(array.n_buffers) - 3
    guard dataCount >= 0, dataCount < 1 << 24, let buffers = array.buffers else {
      throw damaged("has \(array.n_buffers) buffers")
    }
    // The last buffer has the sizes of the others.
    guard dataCount == 0 || buffers[2 + dataCount] != nil else {
      throw damaged("has no sizes of its buffers")
    }
    nonisolated(unsafe) let data = (0..<dataCount).map { number in
      UnsafeRawBufferPointer(
        start: buffers[2 + number],
        count: max(
          buffers[2 + dataCount].map {
            Int($0.loadUnaligned(fromByteOffset: 8 * number, as: Int64.self))
          } ?? 0, 0))
    }
    let bytes = { @Sendable (place: Int) -> UnsafeRawBufferPointer? in
      let view = UnsafeRawPointer(views) + 16 * place
      let size = Int(view.loadUnaligned(as: Int32.self))
      guard size >= 0 else { return nil }
      if size <= 12 { return UnsafeRawBufferPointer(start: view + 4, count: size) }
      let number = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self))
      let start = Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
      guard data.indices.contains(number), start >= 0, start + size <= data[number].count else {
        return nil
      }
      return UnsafeRawBufferPointer(rebasing: data[number][start..<(start + size)])
    }
    let validity = try validity()
    if format == "vz" {
      return Column(
        .values { bytes($0).map { .bytes(Array($0)) } }, count: count, start: first,
        validity: validity, owner: owner)
    }
    return Column(
      textCount: count,
      text: { place in
        let place = first + place
        return validity.map { Column.bit($0, place) } ?? true ? bytes(place) : nil
      })
  }
}

/// The unit of a time.
private enum ArrowUnit: Substring {
  case seconds = "s"
  case milliseconds = "m"
  case microseconds = "u"
  case nanoseconds = "n"

  private var perSecond: Int64 {
    switch self {
    case .seconds: 1
    case .milliseconds: 1_000
    case .microseconds: 1_000_000
    case .nanoseconds: 1_000_000_000
    }
  }

  func timestamp(_ time: Int64) -> Value.Timestamp {
    let (seconds, nanoseconds) = split(time)
    return Value.Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }

  func duration(_ time: Int64) -> Value.Duration {
    let (seconds, nanoseconds) = split(time)
    return Value.Duration(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// Whole seconds, rounded down, and the nanoseconds after them.
  private func split(_ time: Int64) -> (Int64, UInt32) {
    let quotient = time / perSecond
    let rest = time % perSecond
    let seconds = rest < 0 ? quotient - 1 : quotient
    let positive = rest < 0 ? rest + perSecond : rest
    return (seconds, UInt32(positive * (1_000_000_000 / perSecond)))
  }
}
