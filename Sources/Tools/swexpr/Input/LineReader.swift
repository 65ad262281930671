#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the lines of a file, or of standard input for `-`, one by one into a reused buffer. Memory
/// use grows with the longest line, not with the file.
struct LineReader: ~Copyable {
  /// The length of the longest line that is accepted.
  static let maximumLength = 16 << 20

  private let name: String
  private let descriptor: Int32
  private let closes: Bool
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 18
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// The number of the last line that was returned, from 1.
  private(set) var lineNumber = 0
  /// The number of bytes in the lines so far, line breaks included.
  private(set) var offset = 0
  /// The size of the file in bytes; 0 if it has no size, such as a pipe.
  let size: Int

  /// Opens a file.
  init(_ path: String) throws(InputError) {
    name = InputFile.name(path)
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw InputError("\(name): \(String(cString: strerror(errno)))")
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw InputError("\(name): is a folder, not a file of lines")
    }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    closes = descriptor != STDIN_FILENO
    buffer = .allocate(capacity: capacity)
  }

  /// Reads a pipe, which the caller closes.
  init(descriptor: Int32, name: String) {
    self.name = name
    self.descriptor = descriptor
    size = 0
    closes = false
    buffer = .allocate(capacity: capacity)
  }

  deinit {
    buffer.deallocate()
    if closes { close(descriptor) }
  }

  /// Returns the next line without its line break, valid until the next call; `nil` at the end.
  mutating func next() throws(InputError) -> UnsafeBufferPointer<UInt8>? {
    var searched = start
    while true {
      if let found = memchr(buffer + searched, 0x0A, end - searched) {
        let length =
          UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer)
          - start
        return take(length, separator: 1)
      }
      searched = end
      if isAtEnd { return end > start ? take(end - start, separator: 0) : nil }
      try fill(&searched)
    }
  }

  private mutating func take(_ length: Int, separator: Int) -> UnsafeBufferPointer<UInt8> {
    let line = UnsafeBufferPointer(start: buffer + start, count: length)
    start += length + separator
    offset += length + separator
    lineNumber += 1
    return line
  }

  /// Reads more, after moving the unread bytes to the front.
  private mutating func fill(_ searched: inout Int) throws(InputError) {
    if start > 0 {
      buffer.update(from: buffer + start, count: end - start)
      searched -= start
      end -= start
      start = 0
    }
    if end == capacity {
      guard capacity < Self.maximumLength else {
        throw InputError(
          "\(name):\(lineNumber + 1): the line is longer than \(Self.maximumLength >> 20) MiB")
      }
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity)
      larger.update(from: buffer, count: end)
      buffer.deallocate()
      buffer = larger
      capacity *= 2
    }
    while true {
      let count = read(descriptor, buffer + end, capacity - end)
      if count >= 0 {
        end += count
        isAtEnd = count == 0
        return
      }
      guard errno == EINTR else {
        throw InputError("\(name): \(String(cString: strerror(errno)))")
      }
    }
  }
}
