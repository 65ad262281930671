import ArgumentParser
import ExpressionPrinting
import ExpressionSyntax

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Options for the appearance of diagnostics.
struct DiagnosticOptions: ParsableArguments {
  /// The conditions for using colour.
  enum Color: String, ExpressibleByArgument, CaseIterable {
    case auto
    case always
    case never
  }

  @Option(help: "Whether to colour diagnostics; auto colours terminals unless NO_COLOR is set.")
  var color: Color = .auto

  @Flag(help: "Print diagnostics as sentences without drawings, for screen readers.")
  var plain = false

  /// The number of diagnostics of one filter that are written in full. Readers correct a few at a
  /// time.
  private static let limit = 100

  /// Writes diagnostics to standard error; of very many only the first ones, and the others
  /// counted.
  func report(_ diagnostics: [Diagnostic], in source: SourceText) {
    guard !diagnostics.isEmpty else { return }
    let usesColor =
      switch color {
      case .auto:
        Output.isTerminal(STDERR_FILENO) && Output.environment("NO_COLOR") == nil
      case .always: true
      case .never: false
      }
    let renderer = DiagnosticRenderer(style: plain ? .plain : .rich, usesColor: usesColor)
    Output.errorPiece(renderer.render(Array(diagnostics.prefix(Self.limit)), in: source))
    let rest = diagnostics.dropFirst(Self.limit)
    guard !rest.isEmpty else { return }
    let counts = Dictionary(grouping: rest, by: \.id.rawValue).sorted { $0.key < $1.key }
      .map { "\($0.value.count) × \($0.key)" }.joined(separator: ", ")
    Output.error("\n\(source.name ?? "<filter>"): \(rest.count) more findings: \(counts)")
  }
}
