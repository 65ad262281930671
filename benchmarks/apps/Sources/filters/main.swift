import AudienceFilters

do {
  let filter = try Filter(CommandLine.arguments[1])
  print(filter.matches(Context(user: ["age": 25, "plan": "trial"])))
} catch {
  print(error)
}
