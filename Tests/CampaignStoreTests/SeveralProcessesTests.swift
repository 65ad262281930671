#if os(Linux)
  import CampaignCore
  import CampaignMatcher
  import CampaignStore
  import ExpressionEngine
  import Foundation
  import Glibc
  import TestSupport
  import Testing

  /// What both processes know.
  enum PeerStore {
    /// The store of the second process; `nil` in the first.
    static let path = ProcessInfo.processInfo.environment["SWEXPR_PEER_STORE"]
    static let maximum = 120
    static let registrations = 60
    static let created = 40
  }

  /// What the second process does; it is this test program, started with `SWEXPR_PEER_STORE`.
  @Suite("The other process", .enabled(if: PeerStore.path != nil))
  struct StorePeerTests {
    private static let role = ProcessInfo.processInfo.environment["SWEXPR_PEER_ROLE"] ?? ""

    @Test("does what its role says")
    func peer() throws {
      let path = try #require(PeerStore.path)
      do {
        switch Self.role {
        case "register": try register(path)
        case "create": try create(path)
        case "look": try look(path)
        case "write": try writeForever(path)
        case "nobody": try beNobody(path)
        default: PeerProcess.say("no such role")
        }
      } catch {
        PeerProcess.say("error \(error)")
      }
    }

    /// Waits for the instant at which all processes start, and some seconds more.
    private func waitForStart(plus seconds: Double = 0) {
      let start = Double(ProcessInfo.processInfo.environment["SWEXPR_PEER_START"] ?? "") ?? 0
      // Sleeping ends late; the last hundredth of a second is exact.
      let left = start + seconds - Date().timeIntervalSince1970 - 0.01
      if left > 0 { Thread.sleep(forTimeInterval: left) }
      while Date().timeIntervalSince1970 < start + seconds {}
    }

    /// Opens many stores that do not exist, each at the same instant as the other processes.
    private func create(_ path: String) throws {
      for number in 0..<PeerStore.created {
        waitForStart(plus: Double(number) / 20)
        let store = try SQLiteStore(path: "\(path)-\(number)")
        try store.write { transaction throws(StoreError) in
          try transaction.record("seen", at: WallTime(milliseconds: 1))
        }
        PeerProcess.say("created")
      }
    }

    /// Registers until the limit is reached, and some more.
    private func register(_ path: String) throws {
      waitForStart()
      let matcher = try Matcher(.init(store: SQLiteStore(path: path), zone: .utc))
      try matcher.load(TestConfig.limited(maximum: PeerStore.maximum))
      try matcher.user.setAttributes(["member": .bool(true)])
      var request = MatchRequest("x")
      request.presentation = .immediate
      for _ in 0..<PeerStore.registrations {
        PeerProcess.say(try matcher.registerNow(request).result.caseName)
      }
    }

    /// Opens the store, reads and closes it.
    private func look(_ path: String) throws {
      let store = try SQLiteStore(path: path)
      let count = try store.read { transaction throws(StoreError) in
        try transaction.count(of: "seen", since: nil)
      }
      PeerProcess.say("\(count)")
    }

    /// Writes pairs of events until the process is killed.
    private func writeForever(_ path: String) throws {
      let store = try SQLiteStore(path: path)
      var at: Int64 = 0
      while true {
        at += 1
        try store.write { transaction throws(StoreError) in
          try transaction.record("left", at: WallTime(milliseconds: at))
          try transaction.record("right", at: WallTime(milliseconds: at))
        }
        if at == 1 || at.isMultiple(of: 100) { PeerProcess.say("wrote \(at)") }
      }
    }

    /// Opens the store, and a copy of it, as another user where this one has all rights.
    private func beNobody(_ path: String) throws {
      if geteuid() == 0 {
        guard setegid(65_534) == 0, seteuid(65_534) == 0 else {
          return PeerProcess.say("cannot change the user")
        }
      }
      do throws(StoreError) {
        _ = try SQLiteStore(path: path)
        PeerProcess.say("opened")
      } catch {
        PeerProcess.say("\(error.kind): \(error.reason)")
      }
      do throws(StoreError) {
        let count = try SQLiteStore(copyOf: path).read { transaction throws(StoreError) in
          try transaction.count(of: "opened", since: nil)
        }
        PeerProcess.say("copy has \(count)")
      } catch {
        PeerProcess.say("\(error.kind): \(error.reason)")
      }
    }
  }

  /// A store that several processes use, each with rights of its own.
  @Suite("Several processes", .serialized, .enabled(if: PeerStore.path == nil))
  struct SeveralProcessesTests {
    private static func peer(
      _ role: String, _ path: String, start: Double = 0, environment: [String: String] = [:]
    ) throws -> PeerProcess {
      let own = [
        "SWEXPR_PEER_STORE": path, "SWEXPR_PEER_ROLE": role, "SWEXPR_PEER_START": "\(start)",
      ]
      return try PeerProcess(
        "CampaignStoreTests.StorePeerTests",
        environment: own.merging(environment) { first, _ in first })
    }

    @Test(
      "that create one store at the same instant count each registration, and keep the limit",
      .timeLimit(.minutes(5)))
    func registrations() async throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      let lines =
        try await OwnThreads.run { () throws -> [[String]] in
          let start = Date().timeIntervalSince1970 + 4
          let peers = try (0..<4).map { _ in try Self.peer("register", path, start: start) }
          return try peers.map { try $0.lines() }
        } ?? []
      let all = lines.flatMap { $0 }
      #expect(all.filter { $0 != "paywall" && $0 != "holdout" } == [])
      #expect(lines.map(\.count) == Array(repeating: PeerStore.registrations, count: 4))
      #expect(all.count { $0 == "paywall" } == PeerStore.maximum)
      let store = try SQLiteStore(path: path)
      try store.read { transaction throws(StoreError) in
        #expect(try transaction.count(of: "x", since: nil) == 4 * PeerStore.registrations)
        #expect(
          try transaction.occurrenceCount(key: "k", since: nil, limit: .max) == PeerStore.maximum)
      }
      TortureTable.add(
        "four processes at once", tried: all.count, worked: all.count, reported: 0,
        "limit of \(PeerStore.maximum) met exactly")
      withExtendedLifetime(folder) {}
    }

    @Test("that create stores at the same instants all open them", .timeLimit(.minutes(5)))
    func creation() async throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      let lines =
        try await OwnThreads.run { () throws -> [[String]] in
          let start = Date().timeIntervalSince1970 + 3
          let peers = try (0..<3).map { _ in try Self.peer("create", path, start: start) }
          return try peers.map { try $0.lines() }
        } ?? []
      #expect(
        lines == Array(repeating: Array(repeating: "created", count: PeerStore.created), count: 3))
      for number in 0..<PeerStore.created {
        let count = try SQLiteStore(path: "\(path)-\(number)").read {
          transaction throws(StoreError) in
          try transaction.count(of: "seen", since: nil)
        }
        #expect(count == 3)
      }
      withExtendedLifetime(folder) {}
    }

    @Test("do not lose the log of a store that was opened twice here", .timeLimit(.minutes(5)))
    func openedTwice() async throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      let seen = try await OwnThreads.run { () throws -> [[String]] in
        let store = try SQLiteStore(path: path)
        let add = {
          try store.write { transaction throws(StoreError) in
            try transaction.record("seen", at: WallTime(milliseconds: 1))
          }
        }
        try add()
        // Neither another store of this process nor a copy takes away the locks of the first.
        _ = try SQLiteStore(path: path)
        _ = try SQLiteStore(copyOf: path)
        var result = [try Self.peer("look", path).lines()]
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        try add()
        result.append(try Self.peer("look", path).lines())
        return withExtendedLifetime(store) { result }
      }
      #expect(seen == [["1"], ["2"]])
      withExtendedLifetime(folder) {}
    }

    @Test("a backup beside a process that writes is whole, and so is a restore")
    func backupBesideWriter() async throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      let problems = try await OwnThreads.run { () throws -> [String] in
        var problems: [String] = []
        let writer = try Self.peer("write", path)
        defer { writer.kill() }
        writer.wait(for: "wrote")
        let store = try SQLiteStore(path: path)
        let backup = path + ".backup"
        var last = 0
        for _ in 0..<10 {
          try store.backUp(to: backup)
          let (left, right) = try Self.pair(SQLiteStore(copyOf: backup))
          if left != right || left < last || left == 0 { problems.append("\(left), \(right)") }
          last = left
          usleep(20_000)
        }
        // The writer continues on what was restored.
        for _ in 0..<5 {
          try store.restore(from: backup)
          let (left, right) = try Self.pair(store)
          if left != right || left < last { problems.append("restored \(left), \(right)") }
          usleep(20_000)
        }
        let (before, _) = try Self.pair(store)
        for _ in 0..<500 where try Self.pair(store).0 <= before { usleep(10_000) }
        if try Self.pair(store).0 <= before { problems.append("the writer has stopped") }
        return problems
      }
      #expect(problems == [])
      withExtendedLifetime(folder) {}
    }

    private static func pair(_ store: SQLiteStore) throws -> (Int, Int) {
      try store.read { transaction throws(StoreError) in
        (
          try transaction.count(of: "left", since: nil),
          try transaction.count(of: "right", since: nil)
        )
      }
    }

    /// The rights of a folder and of the files of a store, and what opening and copying it say to
    /// a user who is not their owner; to the owner, if the tests cannot change the user.
    struct Rights: Sendable, CustomTestStringConvertible {
      let folder: Int
      let file: Int
      var isOpen = false
      let opening: String
      let copying: String

      var testDescription: String {
        "folder \(String(folder, radix: 8)), file \(String(file, radix: 8)), open: \(isOpen)"
      }
    }

    private static let onlyReading =
      "notPermitted: this user may only read the file; a copy can be opened"
    private static let noFolder =
      "notPermitted: this user may not write into the folder, where SQLite keeps two more files"

    @Test(
      "an error names the right that a user lacks, and a copy is read where that is allowed",
      arguments: [
        Rights(folder: 0o555, file: 0o444, opening: onlyReading, copying: "copy has 4"),
        Rights(folder: 0o777, file: 0o444, opening: onlyReading, copying: "copy has 4"),
        Rights(folder: 0o555, file: 0o666, opening: noFolder, copying: "copy has 4"),
        Rights(
          folder: 0o777, file: 0, opening: "notPermitted: this user may not read the file",
          copying: "notPermitted: this user may not read the file"),
        Rights(
          folder: 0, file: 0o666, opening: "notPermitted: this user may not look into the folder",
          copying: "notPermitted: this user may not look into the folder"),
        Rights(
          folder: 0o555, file: 0o444, isOpen: true, opening: onlyReading, copying: "copy has 4"),
      ])
    func rights(_ rights: Rights) async throws {
      let folder = try TemporaryFolder()
      let path = folder.storePath
      var store: SQLiteStore? = try SQLiteStore(path: path)
      try store?.addSampleRecords()
      if !rights.isOpen { store = nil }
      for suffix in ["", "-wal", "-shm"] where access(path + suffix, F_OK) == 0 {
        #expect(chmod(path + suffix, mode_t(rights.file)) == 0)
      }
      #expect(chmod(folder.url.path, mode_t(rights.folder)) == 0)
      defer { chmod(folder.url.path, 0o700) }
      // The other user may not write into the folder for temporary files of this one.
      let temporary = try TemporaryFolder()
      let copies = temporary.url.path
      #expect(chmod(copies, 0o777) == 0)
      let lines = try await OwnThreads.run {
        try Self.peer("nobody", path, environment: ["TMPDIR": copies]).lines()
      }
      #expect(lines == [rights.opening, rights.copying])
      #expect(chmod(folder.url.path, 0o700) == 0)
      // The reader leaves nothing behind.
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
      #expect(
        names == (rights.isOpen ? ["", "-shm", "-wal"] : [""]).map { "store.sqlite" + $0 })
      #expect(try FileManager.default.contentsOfDirectory(atPath: copies) == [])
      withExtendedLifetime((folder, store, temporary)) {}
    }

    @Test("the files of a new store are their user's, and a file that exists keeps its mode")
    func mode() throws {
      let folder = try TemporaryFolder()
      func modes() throws -> [String: UInt16] {
        var result: [String: UInt16] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
          var status = stat()
          #expect(stat(folder.url.appending(path: name).path, &status) == 0)
          result[name] = UInt16(status.st_mode & 0o777)
        }
        return result
      }
      do {
        let store = try SQLiteStore(path: folder.storePath)
        try store.addSampleRecords()
        #expect(
          try modes() == [
            "store.sqlite": 0o600, "store.sqlite-wal": 0o600, "store.sqlite-shm": 0o600,
          ])
        try store.backUp(to: folder.url.appending(path: "backup").path)
      }
      #expect(try modes() == ["store.sqlite": 0o600, "backup": 0o600])
      #expect(chmod(folder.storePath, 0o640) == 0)
      let store = try SQLiteStore(path: folder.storePath)
      try store.addSampleRecords()
      #expect(try modes()["store.sqlite"] == 0o640)
      #expect(try modes()["store.sqlite-wal"] == 0o640)
      withExtendedLifetime((folder, store)) {}
    }
  }
#endif
