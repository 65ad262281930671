/// The variables whose members are attributes.
package enum AttributeRoots {
  /// Their names, in the order of the documents.
  package static let names = ["user", "device", "params"]

  /// Returns whether a name is one of them.
  package static func contains(_ name: String) -> Bool { names.contains(name) }
}
