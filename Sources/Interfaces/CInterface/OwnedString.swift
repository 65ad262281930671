/// A place for an error string, which may be missing.
typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Strings that C code owns and frees with `swexpr_string_free`.
enum OwnedString {
  /// Copies a text and ends it with a NUL; a NUL within it becomes U+FFFD.
  static func make(_ text: String) -> UnsafeMutablePointer<CChar> {
    var text = text
    if text.utf8.contains(0) {
      text = text.unicodeScalars.reduce(into: "") {
        $0.unicodeScalars.append($1 == "\0" ? "\u{FFFD}" : $1)
      }
    }
    return text.withUTF8 { bytes in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
      copy[bytes.count] = 0
      return copy
    }
  }

  /// Frees a string that ``make(_:)`` returned; NULL does nothing.
  static func free(_ string: UnsafeMutablePointer<CChar>?) { string?.deallocate() }
}

/// Runs the body of a function of the C interface.
///
/// - Parameters:
///   - place: Gets the text of the error that the body throws, or NULL.
///   - failure: The result of a body that throws.
func reporting<Result>(
  to place: ErrorPlace?, or failure: Result, _ body: () throws(InterfaceError) -> Result
) -> Result {
  do throws(InterfaceError) {
    let result = try body()
    place?.pointee = nil
    return result
  } catch {
    place?.pointee = OwnedString.make(error.description)
    return failure
  }
}
