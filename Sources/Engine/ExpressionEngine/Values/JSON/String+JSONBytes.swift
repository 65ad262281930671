extension String {
  /// Calls `body` with the UTF-8 bytes of the string, preserving its error type.
  package func withJSONBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var text = self
    let outcome = text.withUTF8 { bytes in
      do throws(Failure) {
        return Swift.Result<Result, Failure>.success(try body(bytes))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
