extension Double {
  /// Returns the number with a fixed number of decimal places, without Foundation.
  func text(places: Int) -> String {
    guard isFinite else { return "–" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (abs(self) * scale).rounded()
    guard scaled < 9e15 else { return "\(self)" }
    let digits = String(Int64(scaled))
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return sign + padded }
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
  }
}
