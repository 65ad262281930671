/// A name that is compared byte by byte, as SQLite and the reference compare it (spec/campaigns.md §2.1:
/// placements match exactly).
///
/// `String` takes canonically equivalent texts as equal, such as a composed and a decomposed `é`; names of
/// placements, events, counters and experiments are only the same when their bytes are.
package struct ExactName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// Creates a name from its text.
  package init(_ text: String) { self.text = text }

  package static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.isExactly(right.text)
  }

  package func hash(into hasher: inout Hasher) {
    // The standard library would feed the normalized text, so that all equivalent names collide.
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether two names have the same bytes.
  package func isExactly(_ other: String) -> Bool {
    // What is not even equivalent is told quickly.
    self == other && utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
