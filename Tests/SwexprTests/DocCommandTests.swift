import Testing

@Suite("swexpr doc")
struct DocCommandTests {
  @Test(
    "a subject that is not a name lists what is about it",
    arguments: [
      ("version", "device.appVersionPadded"), ("demandScore", "device.demandScore"),
      ("missing", "W0710"), ("contain", "contains"),
    ])
  func subjects(word: String, expected: String) throws {
    let run = try swexpr(arguments: ["doc", word], environment: [:])
    #expect(run.status == 0)
    #expect(run.output.contains(expected), "\(run.output)")
  }

  @Test("what nothing is about is an error")
  func nothing() throws {
    let run = try swexpr(arguments: ["doc", "qqq"], environment: [:])
    #expect(run.status == 2)
    #expect(run.errors.contains("there is nothing about `qqq`"))
  }
}
