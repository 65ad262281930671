extension String {
  /// The word behind its indefinite article: `an int`, `a list`.
  var withArticle: String {
    guard let first, "aeio".contains(first) else { return "a \(self)" }
    return "an \(self)"
  }
}
