#if os(Linux)
  import CampaignCore
  import CampaignMatcher
  import Foundation
  import GRDB
  import Glibc
  import TestSupport
  import Testing

  @testable import CampaignStore

  /// What the errors of SQLite and of the system become.
  @Suite("The kinds of errors of a store")
  struct ErrorKindTests {
    @Test(
      "follow from what SQLite says",
      arguments: [
        (.SQLITE_BUSY, .busy), (.SQLITE_LOCKED, .busy), (.SQLITE_PROTOCOL, .busy),
        (.SQLITE_CORRUPT, .damaged), (.SQLITE_NOTADB, .damaged), (.SQLITE_ERROR, .damaged),
        (.SQLITE_FULL, .noSpace), (.SQLITE_READONLY, .notPermitted),
        (.SQLITE_PERM, .notPermitted), (.SQLITE_AUTH, .notPermitted), (.SQLITE_NOMEM, .other),
        (.SQLITE_IOERR, .other),
      ] as [(ResultCode, StoreError.Kind)])
    func codes(_ code: ResultCode, _ kind: StoreError.Kind) {
      let error = StoreError(operation: "try", DatabaseError(resultCode: code, message: "why"))
      #expect(error.kind == kind && error.operation == "try" && error.reason == "why")
    }

    @Test(
      "follow from what the system says",
      arguments: [
        (EACCES, .notPermitted), (EPERM, .notPermitted), (EROFS, .notPermitted),
        (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EIO, .other), (ENOENT, .other),
      ] as [(Int32, StoreError.Kind)])
    func numbers(_ number: Int32, _ kind: StoreError.Kind) {
      #expect(StoreProblem(errno: number).kind == kind)
      #expect(!StoreProblem(errno: number).reason.isEmpty)
    }

    @Test("follow from the other reasons that a file cannot be used")
    func others() {
      #expect(StoreError(operation: "open", UnusableStore.newer).kind == .newerVersion)
      #expect(StoreError(operation: "open", UnusableStore.foreign).kind == .damaged)
      #expect(
        StoreError(operation: "open", StoreProblem(networkFileSystem: "nfs")).kind
          == .networkFileSystem)
      let inner = StoreError(operation: "inner", reason: "r", kind: .replaced)
      #expect(StoreError(operation: "outer", inner).kind == .replaced)
      #expect(StoreError(operation: "outer", inner).operation == "outer")
    }

    @Test("a full disk is an error each time, and once there is room the first write succeeds")
    func fullDisk() throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.storePath)
      try store.addSampleRecords()
      func setPages(_ count: Int) throws {
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA max_page_count = \(count)") }
      }
      func write() throws {
        try store.write { transaction throws(StoreError) in
          let text = String(repeating: "x", count: 100_000)
          try transaction.setUserAttribute("long", to: .string(text))
        }
      }
      try setPages(1)
      for _ in 0..<3 {
        let error = #expect(throws: StoreError.self) { try write() }
        #expect(error?.kind == .noSpace)
      }
      try setPages(1 << 20)
      try write()
      try store.readEverything()
      withExtendedLifetime(folder) {}
    }

    @Test("a transaction that fails ends at once, so that other stores can write")
    func undone() throws {
      let folder = try TemporaryFolder()
      let first = try SQLiteStore(path: folder.storePath)
      let second = try SQLiteStore(path: folder.storePath, busyTimeout: .milliseconds(50))
      #expect(throws: StoreError.self) {
        try first.write { transaction throws(StoreError) -> Void in
          try transaction.record("e", at: WallTime(milliseconds: 1))
          throw StoreError(operation: "stop", reason: "stop")
        }
      }
      try second.write { transaction throws(StoreError) in
        #expect(try transaction.count(of: "e", since: nil) == 0)
        try transaction.record("e", at: WallTime(milliseconds: 2))
      }
      withExtendedLifetime((folder, first)) {}
    }

    @Test("the table of mounts is read as a whole")
    func mounts() throws {
      let folder = try TemporaryFolder()
      let text = (0..<3_000).map { "line \($0)" }.joined(separator: "\n")
      let path = folder.url.appending(path: "mounts").path
      try Data(text.utf8).write(to: URL(filePath: path))
      #expect(NetworkFileSystem.contents(path) == text)
      #expect(NetworkFileSystem.contents(path + "-not") == "")
      withExtendedLifetime(folder) {}
    }
  }
#endif
