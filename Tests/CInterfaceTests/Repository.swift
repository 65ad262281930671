/// The repository that the tests are in.
enum Repository {
  /// The path of its root.
  static let path = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")
}
