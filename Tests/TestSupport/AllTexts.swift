/// Returns all texts of up to a number of parts, the shortest first.
public func allTexts(of parts: [String], upTo length: Int) -> [String] {
  var texts = [""]
  var longest = texts
  for _ in 0..<length {
    longest = longest.flatMap { text in parts.map { text + $0 } }
    texts += longest
  }
  return texts
}
