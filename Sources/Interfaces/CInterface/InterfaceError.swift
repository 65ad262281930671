/// An argument that a function of the C interface cannot use.
struct InterfaceError: Error, CustomStringConvertible {
  /// The sentence for people.
  let description: String

  /// Creates an error with its sentence.
  init(_ description: String) { self.description = description }

  /// Calls `body`, whose error becomes the sentence that describes it.
  static func describing<Result, Failure: Error & CustomStringConvertible>(
    _ body: () throws(Failure) -> Result
  ) throws(InterfaceError) -> Result {
    do throws(Failure) {
      return try body()
    } catch {
      throw InterfaceError(error.description)
    }
  }

  /// A pointer that is NULL although it is required.
  static func missing(_ argument: StaticString) -> InterfaceError {
    InterfaceError("`\(argument)` is NULL")
  }

  /// A text that is not UTF-8 from a byte on.
  static func invalidUTF8(_ argument: StaticString, at offset: Int) -> InterfaceError {
    InterfaceError("`\(argument)` is not UTF-8: byte \(offset) is invalid")
  }
}
