import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A progress bar on standard error for long work; silent if standard error is not a terminal.
struct ProgressBar {
  private let label: String
  private let isShown: Bool
  private let start = DispatchTime.now()
  private var drawn = -1

  init(_ label: String, isShown: Bool = true) {
    self.label = label
    self.isShown = isShown && Output.isTerminal(STDERR_FILENO)
  }

  /// Draws the progress, once the work has taken long enough for anyone to wonder.
  mutating func update(_ done: Int, of total: Int, note: String = "") {
    guard isShown, total > 0, .now() > start + .milliseconds(300) else { return }
    let cells = 30
    let filled = min(cells, done * cells / total)
    let percent = min(100, done * 100 / total)
    guard percent != drawn || !note.isEmpty else { return }
    drawn = percent
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
    Output.errorPiece("\r\u{1B}[K\(label) [\(bar)] \(percent) % \(note)")
  }

  /// Removes the bar.
  mutating func finish() {
    if isShown, drawn >= 0 { Output.errorPiece("\r\u{1B}[K") }
    drawn = -1
  }
}
