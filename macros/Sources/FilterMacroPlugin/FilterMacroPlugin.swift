import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct FilterMacroPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [FilterMacro.self]
}
