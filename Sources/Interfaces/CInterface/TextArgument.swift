import ExpressionSyntax

/// A text that C code passes as a pointer and a length.
struct TextArgument {
  /// The name of the parameter, for errors.
  let name: StaticString
  private let start: UnsafePointer<CChar>?
  private let length: Int

  /// Creates an argument.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter.
  ///   - start: The first byte.
  ///   - length: The number of bytes, or -1 (`SWEXPR_NUL_TERMINATED`) for all bytes up to a NUL.
  init(_ name: StaticString, _ start: UnsafePointer<CChar>?, _ length: Int) {
    self.name = name
    self.start = start
    self.length = length
  }

  /// Returns the bytes, which are valid as long as the caller's.
  ///
  /// - Throws: ``InterfaceError`` if the pointer is NULL or the length is not valid.
  func bytes() throws(InterfaceError) -> UnsafeBufferPointer<UInt8> {
    guard let start else { throw .missing(name) }
    var count = length
    if count == -1 {
      count = 0
      while start[count] != 0 { count += 1 }
    }
    guard count >= 0 else { throw InterfaceError("the length of `\(name)` is out of range") }
    // Characters of C may be read as octets, whatever their sign.
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Returns a copy of the text.
  ///
  /// - Throws: ``InterfaceError`` as for ``bytes()``, or if the bytes are not UTF-8.
  func string() throws(InterfaceError) -> String {
    let bytes = try bytes()
    if let offset = UTF8Validation.firstInvalidByte(in: bytes) {
      throw .invalidUTF8(name, at: offset)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
