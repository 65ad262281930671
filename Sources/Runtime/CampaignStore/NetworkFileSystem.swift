#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether files are on another computer.
///
/// A write-ahead log needs memory that all processes share, which those of several computers do not
/// have; and the locks of many network file systems do not hold.
enum NetworkFileSystem {
  /// Returns the name of the network file system of a folder; `nil` if its files are on this
  /// computer, or if that cannot be told. The shared folders of virtual machines and containers (9p,
  /// virtiofs) pass for local ones.
  static func name(at folder: String) -> String? {
    #if canImport(Darwin)
      var status = statfs()
      guard statfs(folder, &status) == 0, status.f_flags & UInt32(MNT_LOCAL) == 0 else {
        return nil
      }
      return withUnsafeBytes(of: status.f_fstypename) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    #else
      guard let status = StoreFile.status(folder) else { return nil }
      return name(
        device: UInt64(truncatingIfNeeded: status.st_dev), mounts: contents("/proc/self/mountinfo"))
    #endif
  }

  /// What Linux calls its network file systems.
  private static let names: Set<Substring> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "coda", "ceph", "ncpfs", "lustre", "gpfs",
    "beegfs", "fuse.sshfs", "fuse.glusterfs", "fuse.cephfs", "fuse.s3fs", "fuse.rclone",
  ]

  /// Returns the name of the network file system of a device, by a table as Linux has it
  /// (proc_pid_mountinfo(5)); `nil` for any other.
  static func name(device: UInt64, mounts: String) -> String? {
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 6, fields[2] == "\(major):\(minor)",
        let dash = fields.firstIndex(of: "-"),
        dash + 1 < fields.count
      else { continue }
      let type = fields[dash + 1]
      return names.contains(type) ? String(type) : nil
    }
    return nil
  }

  /// Returns the text of a file; an empty one if it cannot be read.
  static func contents(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var result: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(file, &bytes, bytes.count)
      guard count > 0 else { return String(decoding: result, as: UTF8.self) }
      result += bytes[..<count]
    }
  }
}
