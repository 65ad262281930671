/// What the command line asked for.
package struct Options: Sendable, Equatable {
  /// The suites to run; empty means all.
  package var suites: [String] = []
  /// The filters to run; empty means all.
  package var filters: [String] = []
  /// The subjects to run; empty means all.
  package var subjects: [String] = []
  package var rounds = 21
  package var batchMilliseconds = 5.0
  package var json = false
  package var list = false
  package var help = false
  /// Run between callgrind's marks instead of timing.
  package var instructions = false
  /// Print allocations per evaluation instead of timing.
  package var mallocs = false
  /// Print the memory that compiled filters hold instead of timing.
  package var memory = false
  /// Another data file than `Data/filters.json`.
  package var data: String?

  package static let usage = """
    usage: swexpr-benchmarks [SUITE…] [options]

      --filter A,B     only these filters
      --only A,B       only these subjects (the baseline is added where ratios need it)
      --rounds N       batches timed per subject (21)
      --batch-ms MS    length of a batch in milliseconds (5)
      --quick          7 rounds of 1 ms
      --json           one JSON document instead of tables
      --data FILE      another file of filters in the form of Data/filters.json
      --list           print the suites and stop
      --mallocs        print allocations per evaluation as JSON and stop
      --memory         print the bytes that a compiled filter holds as JSON and stop
      --instructions   run each subject between callgrind's marks (see instructions/check)
    """

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: `OptionsError` with a sentence for the user.
  package init(_ arguments: some Sequence<String>) throws(OptionsError) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter": filters += try Self.value(&rest, of: argument).commaSeparated
      case "--only": subjects += try Self.value(&rest, of: argument).commaSeparated
      case "--rounds":
        rounds = Int(try Self.number(&rest, of: argument, within: 1...100_000).rounded())
      case "--batch-ms":
        batchMilliseconds = try Self.number(&rest, of: argument, within: 0.001...10_000)
      case "--quick":
        rounds = 7
        batchMilliseconds = 1
      case "--json": json = true
      case "--list": list = true
      case "--instructions": instructions = true
      case "--mallocs": mallocs = true
      case "--memory": memory = true
      case "--data": data = try Self.value(&rest, of: argument)
      case "--help", "-h": help = true
      default:
        guard !argument.hasPrefix("-") else {
          throw OptionsError(description: "unknown option \(argument)")
        }
        suites.append(argument)
      }
    }
  }

  private static func value(
    _ rest: inout ArraySlice<String>, of option: String
  ) throws(OptionsError) -> String {
    guard let value = rest.popFirst() else {
      throw OptionsError(description: "\(option) needs a value")
    }
    return value
  }

  private static func number(
    _ rest: inout ArraySlice<String>, of option: String, within range: ClosedRange<Double>
  ) throws(OptionsError) -> Double {
    let text = try value(&rest, of: option)
    guard let number = Double(text), range.contains(number) else {
      throw OptionsError(
        description: "\(option) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}

/// What is wrong with the command line, as a sentence.
package struct OptionsError: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) {
    self.description = description
  }
}

extension String {
  fileprivate var commaSeparated: [String] {
    split(separator: ",").map(String.init)
  }
}
