import AudienceFilters
import CSwexpr
import ExpressionEngine
import Testing

@testable import CInterface

@Suite("Handles of the C interface")
struct HandleTests {
  /// Expects that a pointer owns an object, and that freeing it leaves nothing.
  private func isOwner<Content: Sendable>(
    _ pointer: OpaquePointer?, of type: Content.Type, _ free: (OpaquePointer?) -> Void,
    at location: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let pointer = try #require(pointer, sourceLocation: location)
    weak var object: Handle<Content>?
    do {
      object = Unmanaged<Handle<Content>>.fromOpaque(UnsafeRawPointer(pointer))
        .takeUnretainedValue()
    }
    #expect(object != nil, sourceLocation: location)
    free(pointer)
    #expect(object == nil, sourceLocation: location)
  }

  @Test("nothing is left of an object that was used and freed")
  func balance() throws {
    let environment = swexpr_environment_create("{}", -1, nil, nil, nil, nil)
    let filter = swexpr_filter_create("user.age > 1", -1, environment, nil)
    let context = swexpr_context_create(0, #"{"user": {"age": 5}}"#, -1, nil)
    let other = swexpr_context_replacing(context, 2, 0, "{}", -1, nil)
    let text: ContiguousArray<CChar> = "user.age > 1".utf8CString
    let set = text.withUnsafeBufferPointer { text in
      swexpr_set_create([text.baseAddress], nil, 1, environment, nil)
    }
    for _ in 0..<10 {
      #expect(swexpr_filter_matches(filter, other, nil))
      #expect(swexpr_set_first_match(set, context, nil) == 0)
      swexpr_string_free(swexpr_filter_evaluate(filter, context, 0, nil))
      swexpr_string_free(swexpr_filter_explain(filter, context, nil))
      swexpr_string_free(swexpr_check("x", -1, environment, nil, 0, nil))
    }
    try isOwner(environment, of: FilterEnvironment.self, swexpr_environment_free)
    try isOwner(filter, of: Filter.self, swexpr_filter_free)
    try isOwner(context, of: Context.self, swexpr_context_free)
    try isOwner(other, of: Context.self, swexpr_context_free)
    try isOwner(set, of: FilterSet.self, swexpr_set_free)
  }

  @Test("an owned string has no NUL but the last")
  func strings() throws {
    for (text, wanted) in [("", ""), ("a\0b", "a\u{FFFD}b"), ("ü\0", "ü\u{FFFD}"), ("👍", "👍")] {
      let string = OwnedString.make(text)
      defer { OwnedString.free(string) }
      #expect(String(cString: string) == wanted)
    }
  }
}
