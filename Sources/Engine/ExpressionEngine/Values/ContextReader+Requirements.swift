extension ContextReader {
  /// Whether a filter reads the parameters as a whole. They are as the record has them then.
  package var keepsAllParameters: Bool { isWhole(.params) }

  /// Returns whether any filter reads an attribute of the user.
  package func reads(user name: String) -> Bool { reads(name, of: .user) }

  /// Returns whether any filter reads an attribute of the device.
  package func reads(device name: String) -> Bool { reads(name, of: .device) }

  private func reads(_ name: String, of root: Root) -> Bool {
    isWhole(root) || range(of: root).contains { self.name($0) == name }
  }
}
