#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many bytes of its stack `body` has touched, run on a thread with `capacity` bytes of it.
///
/// The stack is painted beforehand; what is not overwritten was never used.
func stackUse(capacity: Int = 16 << 20, _ body: @escaping () -> Void) throws -> Int {
  let alignment = 1 << 14
  let stack = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: alignment)
  defer { stack.deallocate() }
  let words = capacity / MemoryLayout<UInt64>.stride
  let paint: UInt64 = 0xA5A5_5A5A_C3C3_3C3C
  stack.initializeMemory(as: UInt64.self, repeating: paint, count: words)
  try onThread(stack: stack, capacity: capacity, body)
  let row = UnsafeBufferPointer(
    start: stack.assumingMemoryBound(to: UInt64.self), count: words)
  let untouched = row.firstIndex { $0 != paint } ?? words
  return (words - untouched) * MemoryLayout<UInt64>.stride
}
