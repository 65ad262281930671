/// The files of the workspace, which the server reads through its caller.
package protocol WorkspaceFiles {
  /// Returns the content of a file; `nil` if it cannot be read.
  func contents(of path: String) -> [UInt8]?
  /// Returns the names of the files in a folder; empty if it cannot be read.
  func names(in folder: String) -> [String]
}

/// The URIs of documents.
enum FileURI {
  /// Returns the path of a `file` URI; `nil` for any other.
  static func path(of uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst(7)
    // After the host, which is empty or this machine.
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    var bytes: [UInt8] = []
    var octets = Array(rest[slash...].utf8)[...]
    while let byte = octets.popFirst() {
      if byte == UInt8(ascii: "%"), octets.count >= 2,
        let octet = UInt8(String(decoding: octets.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(octet)
        octets = octets.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    let path = String(decoding: bytes, as: UTF8.self)
    return path.utf8.contains(0) ? nil : path
  }

  /// Returns the path of the folder of a document; `nil` if the document is not a file.
  static func folder(of uri: String) -> String? {
    guard let path = path(of: uri), let slash = path.lastIndex(of: "/") else { return nil }
    return String(path[..<slash])
  }

  /// Returns the part of the last name after its last dot; empty if there is none.
  static func pathExtension(of uri: String) -> String {
    let name = uri.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
