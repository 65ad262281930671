#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Prints a line to standard error in a debug build: something that a program does is certainly not
/// what its author wants, but the program can go on.
package func noteForDevelopers(_ text: @autoclosure () -> String) {
  #if DEBUG && !hasFeature(Embedded)
    var line = "swexpr: \(text())\n"
    // Standard error of the C library is a variable, which Swift holds to be unsafe.
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  #endif
}
