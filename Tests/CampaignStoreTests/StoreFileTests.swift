#if os(Linux)
  import CampaignCore
  import Foundation
  import TestSupport
  import Testing

  @testable import CampaignStore

  @Suite("Network file systems")
  struct NetworkFileSystemTests {
    private static let mounts = """
      23 28 0:21 / /proc rw,nosuid shared:14 - proc proc rw
      28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
      90 28 0:52 / /home rw,relatime shared:40 master:3 - nfs4 server:/home rw,vers=4.2
      91 28 0:53 / /mnt/share rw - cifs //server/share rw
      92 28 0:54 / /mnt/ssh rw - fuse.sshfs server:/ rw
      93 28 0:55 / /host rw - 9p host rw
      94 28 2048:300 / /far rw - nfs server:/far rw
      not a line
      95 28 0:56
      96 28 0:57 / /cut rw -
      """

    @Test(
      "are told by the device of the folder",
      arguments: [
        (0x15, nil), (0xFE01, nil), (0x34, "nfs4"), (0x35, "cifs"), (0x36, "fuse.sshfs"),
        (0x37, nil), (0x38, nil), (0x39, nil), (0x99, nil),
        // A large device number: 2048 is 0x800, and 300 is 0x12C.
        (0x0010_0000 | 0x8_0000 | 0x2C, "nfs"),
      ] as [(UInt64, String?)])
    func devices(_ device: UInt64, _ expected: String?) {
      #expect(NetworkFileSystem.name(device: device, mounts: Self.mounts) == expected)
    }

    @Test("the disk of the tests is none")
    func local() throws {
      let folder = try TemporaryFolder()
      #expect(NetworkFileSystem.name(at: folder.url.path) == nil)
      #expect(NetworkFileSystem.name(at: "/no/such/folder") == nil)
      withExtendedLifetime(folder) {}
    }
  }

  @Suite("The files of stores")
  struct StoreFileTests {
    @Test("are not opened while a store of this process has them open")
    func inUse() throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      var store: SQLiteStore? = try SQLiteStore(path: path)
      #expect(try !StoreFile.copyUnused(path, to: path + ".copy"))
      #expect(!StoreFile.exists(path + ".copy"))
      let second = try? SQLiteStore(path: path)
      store = nil
      #expect(try !StoreFile.copyUnused(path, to: path + ".copy"))
      withExtendedLifetime((store, second)) {}
    }

    @Test("are not copied into a store in memory while they are about to be opened")
    func claimed() throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      do { try SQLiteStore(path: path).addSampleRecords() }
      let claim = try #require(StoreFile.claim(path))
      let error = #expect(throws: StoreError.self) { try SQLiteStore(copyOf: path) }
      #expect(error?.kind == .busy)
      claim.release()
      #expect(
        try SQLiteStore(copyOf: path).read { transaction throws(StoreError) in
          try transaction.count(of: "opened", since: nil)
        } == 4)
      withExtendedLifetime(folder) {}
    }

    @Test("are open once while a store has them, and not after it")
    func descriptors() throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))
            == path
        }
      }
      do {
        let store = try SQLiteStore(path: path)
        try store.addSampleRecords()
        #expect(try count() == 1)
        try store.backUp(to: path + ".backup")
        _ = try SQLiteStore(copyOf: path + ".backup")
        #expect(try count() == 1)
      }
      #expect(try count() == 0)
      withExtendedLifetime(folder) {}
    }

    @Test("are copied when none has, also after an attempt to open them failed")
    func unused() throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      do { _ = try SQLiteStore(path: path) }
      #expect(try StoreFile.copyUnused(path, to: path + ".copy"))
      try Data(repeating: 65, count: 4_096).write(to: URL(filePath: path))
      #expect(throws: StoreError.self) { try SQLiteStore(path: path) }
      #expect(try StoreFile.copyUnused(path, to: path + ".second"))
      withExtendedLifetime(folder) {}
    }
  }
#endif
