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

/// The function that libFuzzer calls to change an input. Half of the time it changes the filter
/// or the story in it by the grammar, else any bytes.
@c(LLVMFuzzerCustomMutator)
public func mutate(
  _ start: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
  guard let start else { return 0 }
  if seed & 1 == 0, let result = mutated(UnsafeBufferPointer(start: start, count: count), seed),
    result.count <= capacity
  {
    _ = UnsafeMutableBufferPointer(start: start, count: capacity).update(fromContentsOf: result)
    return result.count
  }
  return LLVMFuzzerMutate(start, count, capacity)
}

/// Returns an input with a filter or a story in it changed by its grammar; `nil` if there is none.
private func mutated(_ bytes: UnsafeBufferPointer<UInt8>, _ seed: UInt32) -> [UInt8]? {
  if target == .stories {
    var mutator = StoryMutator(seed: seed)
    return mutator.mutated(String(decoding: bytes, as: UTF8.self)).map { Array($0.utf8) }
  }
  guard target.filterCount > 0 else { return nil }
  var parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
  var mutator = FilterMutator(seed: seed)
  let index = mutator.next(max(1, min(parts.count, target.filterCount)))
  guard index < parts.count,
    let text = mutator.mutated(String(decoding: parts[index], as: UTF8.self))
  else { return nil }
  parts[index] = Array(text.utf8)
  return Array(parts.joined(separator: [0]))
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
