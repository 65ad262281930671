import ExpressionEngine

do {
  let filter = try Filter(CommandLine.arguments[1])
  print(filter.matches(try Context(json: CommandLine.arguments[2])))
} catch {
  print(error)
}
