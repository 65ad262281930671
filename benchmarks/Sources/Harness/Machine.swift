#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the figures were measured on.
package struct Machine: Encodable, Sendable {
  package let processor: String
  package let cores: Int
  package let system: String

  package init(processor: String, cores: Int, system: String) {
    self.processor = processor
    self.cores = cores
    self.system = system
  }

  /// This machine, as far as it says.
  package static func current() -> Machine {
    Machine(
      processor: processorName() ?? "unknown", cores: ProcessInfo.processInfo.activeProcessorCount,
      system: systemName() ?? ProcessInfo.processInfo.operatingSystemVersionString)
  }

  private static func lines(ofFile path: String) -> [Substring] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(separator: "\n")
  }

  private static func processorName() -> String? {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      return field("model name", separator: ":", in: lines(ofFile: "/proc/cpuinfo"))
    #endif
  }

  private static func systemName() -> String? {
    field("PRETTY_NAME", separator: "=", in: lines(ofFile: "/etc/os-release"))
  }

  private static func field(
    _ name: String, separator: Character, in lines: [Substring]
  ) -> String? {
    for line in lines {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == name.filter({ $0 != " " })
      else { continue }
      let value = parts[1].drop { $0 == " " || $0 == "\"" }
      return String(value.last == "\"" ? value.dropLast() : value)
    }
    return nil
  }
}
