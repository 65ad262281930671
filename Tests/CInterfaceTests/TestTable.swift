import CArrow
import TestSupport

/// A table of the Arrow C data interface that counts how often it is released.
///
/// The memory that it refers to lives until the end of the process.
final class TestTable {
  final class Releases {
    var array = 0
    var schema = 0
  }

  let releases = Releases()
  let array: UnsafeMutablePointer<ArrowArray>
  let schema: UnsafeMutablePointer<ArrowSchema>
  private var arrays: [UnsafeMutablePointer<ArrowArray>] = []
  private var schemas: [UnsafeMutablePointer<ArrowSchema>] = []

  init() {
    array = .allocate(capacity: 1)
    schema = .allocate(capacity: 1)
    array.initialize(to: ArrowArray())
    schema.initialize(to: ArrowSchema())
    array.pointee.n_buffers = 1
    array.pointee.buffers = Self.buffers([nil])
    array.pointee.private_data = Unmanaged.passRetained(releases).toOpaque()
    array.pointee.release = { array in
      guard let array, let data = array.pointee.private_data else { return }
      Unmanaged<Releases>.fromOpaque(data).takeUnretainedValue().array += 1
      array.pointee.release = nil
    }
    schema.pointee.format = Self.text("+s")
    schema.pointee.private_data = Unmanaged.passRetained(releases).toOpaque()
    schema.pointee.release = { schema in
      guard let schema, let data = schema.pointee.private_data else { return }
      Unmanaged<Releases>.fromOpaque(data).takeUnretainedValue().schema += 1
      schema.pointee.release = nil
    }
  }

  func addInts(_ name: String, _ values: [Int64], validity: UInt8? = nil) {
    add(
      name, "l", count: values.count, nulls: validity == nil ? 0 : -1,
      buffers: [validity.map { Self.memory([$0]) }, Self.memory(values)])
  }

  func addTexts(_ name: String, _ texts: [String]) {
    var ends: [Int32] = [0]
    for text in texts { ends.append(ends[ends.count - 1] + Int32(text.utf8.count)) }
    add(
      name, "u", count: texts.count, nulls: 0,
      buffers: [nil, Self.memory(ends), Self.memory(Array(texts.joined().utf8))])
  }

  private func add(
    _ name: String, _ format: String, count: Int, nulls: Int64, buffers: [UnsafeRawPointer?]
  ) {
    let own = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
    own.initialize(to: ArrowArray())
    own.pointee.length = Int64(count)
    own.pointee.null_count = nulls
    own.pointee.n_buffers = Int64(buffers.count)
    own.pointee.buffers = Self.buffers(buffers)
    let type = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
    type.initialize(to: ArrowSchema())
    type.pointee.format = Self.text(format)
    type.pointee.name = Self.text(name)
    arrays.append(own)
    schemas.append(type)
    array.pointee.length = Int64(count)
    array.pointee.n_children = Int64(arrays.count)
    schema.pointee.n_children = Int64(arrays.count)
    let children = UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>.allocate(
      capacity: arrays.count)
    for (index, child) in arrays.enumerated() { children[index] = child }
    array.pointee.children = children
    let types = UnsafeMutablePointer<UnsafeMutablePointer<ArrowSchema>?>.allocate(
      capacity: schemas.count)
    for (index, type) in schemas.enumerated() { types[index] = type }
    schema.pointee.children = types
  }

  /// Changes one of the numbers and addresses that the interface lets a reader check.
  func damage(_ random: inout SeededGenerator) {
    let numbers: [Int64] = [-1, .min, .max, 1 << 40, 7, 0]
    let number = numbers[Int.random(in: numbers.indices, using: &random)]
    let child = arrays[Int.random(in: arrays.indices, using: &random)]
    let type = schemas[Int.random(in: schemas.indices, using: &random)]
    switch Int.random(in: 0..<14, using: &random) {
    case 0: array.pointee.length = number
    case 1: array.pointee.offset = number
    case 2: array.pointee.n_children = number
    case 3: schema.pointee.n_children = number
    case 4: array.pointee.children = nil
    case 5: schema.pointee.children = nil
    // How large a buffer is, and so how large an offset may be, is not part of the interface.
    case 6: child.pointee.offset = [-1, .min, .max][Int.random(in: 0..<3, using: &random)]
    case 7: child.pointee.n_buffers = min(number, 2)
    case 8: child.pointee.buffers = nil
    case 9:
      child.pointee.buffers?[Int.random(in: 0..<Int(child.pointee.n_buffers), using: &random)] = nil
    case 10:
      let formats = ["", "+", "+w:", "+w:-1", "w:x", "d:", "q", "+s", "+r", "+l", "+m", "vu"]
      type.pointee.format = Self.text(formats[Int.random(in: formats.indices, using: &random)])
    case 11: type.pointee.format = nil
    case 12:
      guard let offsets = arrays[1].pointee.buffers?[1] else { return }
      UnsafeMutablePointer(mutating: offsets.assumingMemoryBound(to: Int32.self))[
        Int.random(in: 0..<4, using: &random)] = Int32(truncatingIfNeeded: number == 7 ? -7 : -1)
    default: type.pointee.name = nil
    }
  }

  private static func memory<Element: BitwiseCopyable>(_ values: [Element]) -> UnsafeRawPointer {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(values.count, 1) + 64)
    memory.initialize(from: values, count: values.count)
    return UnsafeRawPointer(memory)
  }

  private static func buffers(
    _ buffers: [UnsafeRawPointer?]
  ) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    let memory = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: buffers.count)
    memory.initialize(from: buffers, count: buffers.count)
    return memory
  }

  private static func text(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { memory[index] = byte }
    return UnsafePointer(memory)
  }
}
