extension String {
  /// The word after its indefinite article: `an int`, `a list`.
  var withArticle: String {
    guard let first, "aeio".contains(first) else { return "a \(self)" }
    return "an \(self)"
  }
}
