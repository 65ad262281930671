/// An object that C code owns through an opaque pointer.
final class Handle<Content: Sendable>: Sendable {
  let content: Content

  private init(_ content: Content) { self.content = content }

  /// Creates a pointer that owns a new object.
  static func make(_ content: Content) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(Handle(content)).toOpaque())
  }

  /// Returns the content of a handle.
  ///
  /// - Throws: ``InterfaceError`` if the pointer is NULL.
  static func content(
    of pointer: OpaquePointer?, _ argument: StaticString
  ) throws(InterfaceError) -> Content {
    guard let pointer else { throw .missing(argument) }
    return Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue().content
  }

  /// Gives up the ownership of a handle; NULL does nothing.
  static func free(_ pointer: OpaquePointer?) {
    guard let pointer else { return }
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}
