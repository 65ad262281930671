@testable import FilterCorpus

/// A corpus file is read as its text says, or has an error with the line of the mistake.
enum CorpusTarget {
  static func run(_ input: FuzzInput) {
    let text = input.text
    do throws(CorpusError) {
      let file = try CorpusFile(reading: text, path: "input.corpus")
      for entry in file.entries {
        require(!entry.name.isEmpty, "a case without a name")
        require(entry.line > 0, "a case without a line")
      }
      let again: CorpusFile
      do throws(CorpusError) {
        again = try CorpusFile(reading: file.text, path: "input.corpus")
      } catch {
        report("what was written cannot be read: \(error)")
      }
      require(again.text == file.text, "writing what was read changes it")
      require(
        again.entries.map { $0.name } == file.entries.map { $0.name }, "writing loses a case")
    } catch {
      require(error.line > 0 && !error.message.isEmpty, "an error without a place: \(error)")
    }
  }
}
