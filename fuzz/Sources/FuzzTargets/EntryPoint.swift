#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The target that the environment variable `FUZZ_TARGET` names.
private let target: FuzzTarget = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
    report("FUZZ_TARGET is \"\(name)\", expected one of: \(names)")
  }
  return target
}()

/// The function that libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(FuzzInput(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the process with a message, so that libFuzzer keeps the input as a find.
func report(_ message: String) -> Never {
  let line = Array("swexpr-fuzz: \(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  abort()
}

/// Reports a find unless `condition` holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { report(message()) }
}
