import CFuzzer

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

/// The function that libFuzzer calls to change an input. Half of the time it changes the filter in
/// it by the grammar, else any bytes.
@c(LLVMFuzzerCustomMutator)
public func mutate(
  _ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
  guard let start else { return 0 }
  if target.takesFilters, seed & 1 == 0 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let rest = bytes[(bytes.firstIndex(of: 0) ?? count)...]
    var mutator = FilterMutator(seed: seed)
    if let text = mutator.mutated(FuzzInput(bytes).first) {
      let result = Array(text.utf8) + rest
      if result.count <= capacity {
        _ = UnsafeMutableBufferPointer(start: start, count: capacity).update(fromContentsOf: result)
        return result.count
      }
    }
  }
  return LLVMFuzzerMutate(start, count, capacity)
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
