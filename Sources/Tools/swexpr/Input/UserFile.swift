import CampaignCore
import ExpressionCoding

/// A file of users, one per line as JSON.
struct UserFile {
  let path: String

  /// - Parameter path: The file; `-` for standard input.
  init(_ path: String) { self.path = path }

  /// Counts all users.
  ///
  /// - Parameter skipsInvalid: Whether lines that are not users are skipped.
  /// - Returns: The number of skipped lines.
  func count(in simulation: Simulation, skipsInvalid: Bool) throws(InputError) -> Int {
    var lines = try LineReader(path)
    var bar = ProgressBar("simulate")
    defer { bar.finish() }
    var skipped = 0
    while let line = try lines.next() {
      // The white space of JSON: a line that contains nothing else is empty, and a carriage return
      // may end any line.
      if line.first.map({ $0 <= 0x20 }) ?? true,
        line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D })
      {
        continue
      }
      do throws(JSONError) {
        try simulation.add(json: line)
      } catch {
        guard skipsInvalid else {
          throw InputError(
            "\(InputFile.name(path)):\(lines.lineNumber):\(error.column): \(error.message)")
        }
        skipped += 1
      }
      if lines.lineNumber & 0xFFF == 0 {
        bar.update(lines.offset, of: lines.size, note: "\(simulation.users.grouped) users")
      }
    }
    return skipped
  }
}
