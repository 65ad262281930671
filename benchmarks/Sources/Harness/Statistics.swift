#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The middle value; the mean of the two middle values of an even number of them.
///
/// - Returns: nil for no values.
package func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The geometric mean, the right mean for ratios.
///
/// - Returns: nil for no values, or when one is not above zero.
package func geometricMean(_ values: [Double]) -> Double? {
  guard !values.isEmpty, values.allSatisfy({ $0 > 0 }) else { return nil }
  return exp(values.reduce(0) { $0 + log($1) } / Double(values.count))
}
