@testable import ExpressionEngine

/// Lends the UTF-8 bytes of a text.
func withBytes<Result>(_ text: String, _ body: (UTF8Bytes) -> Result) -> Result {
  Array(text.utf8).withUnsafeBufferPointer(body)
}

/// Lends the UTF-8 bytes of a text to something that may fail.
func attempt<Success, Failure: Error>(
  _ text: String, _ body: (UTF8Bytes) throws(Failure) -> Success
) -> Result<Success, Failure> {
  Array(text.utf8).withUnsafeBufferPointer { bytes in
    do throws(Failure) {
      return .success(try body(bytes))
    } catch {
      return .failure(error)
    }
  }
}

/// What a function appends, as a text.
func printed(_ body: (inout [UInt8]) -> Void) -> String {
  // What stands in the output before must stay.
  var output: [UInt8] = [0x23]
  body(&output)
  return String(decoding: output.dropFirst(), as: UTF8.self)
}
