#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main
  struct FilterMacroPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [FilterMacro.self]
  }
#else
  /// A program that does nothing: without the trait, there is no swift-syntax, and no macro.
  @main
  struct FilterMacroPlugin {
    static func main() {}
  }
#endif
