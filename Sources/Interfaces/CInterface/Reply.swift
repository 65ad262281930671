import ExpressionEngine

/// The result of one call of a host function. It is used on the thread of the call only.
final class Reply {
  /// The value or the failure that the function has set last; null before.
  private(set) var result: Result<Value, InterfaceError> = .success(.null)
  private let reads: (String) throws(InterfaceError) -> Value

  /// Creates a reply; `reads` reads the texts of values.
  init(reads: @escaping (String) throws(InterfaceError) -> Value) { self.reads = reads }

  /// Returns the reply that a pointer stands for.
  static func at(_ pointer: OpaquePointer?) -> Reply? {
    pointer.map {
      Unmanaged<Reply>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
    }
  }

  /// Sets the value; a text that is not a value is a failure.
  func set(value: TextArgument) -> Bool {
    do throws(InterfaceError) {
      result = .success(try reads(try value.string()))
      return true
    } catch {
      result = .failure(InterfaceError("the host function replied with no value: \(error)"))
      return false
    }
  }

  /// Sets a failure; a message that is not a text is one, too.
  func set(failure: TextArgument) -> Bool {
    do throws(InterfaceError) {
      result = .failure(InterfaceError(try failure.string()))
      return true
    } catch {
      result = .failure(InterfaceError("the host function failed, and \(error)"))
      return false
    }
  }
}
