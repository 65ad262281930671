#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many bytes of its stack `body` has touched, in whole pages, run on a thread with `capacity`
/// bytes of it.
///
/// The stack is painted beforehand; what is not overwritten was never used.
func stackUse(capacity: Int = 8 << 20, _ body: @escaping () -> Void) throws -> Int {
  let page = 4_096
  let stack = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1 << 14)
  defer { stack.deallocate() }
  memset(stack, 0xA5, capacity)
  let painted = UnsafeMutableRawPointer.allocate(byteCount: page, alignment: page)
  defer { painted.deallocate() }
  memset(painted, 0xA5, page)
  try onThread(stack: stack, capacity: capacity, body)
  var untouched = 0
  while untouched < capacity, memcmp(stack + untouched, painted, page) == 0 { untouched += page }
  return capacity - untouched
}
