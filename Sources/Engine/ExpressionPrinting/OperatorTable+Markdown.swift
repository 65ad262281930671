package import ExpressionSyntax

extension OperatorTable {
  /// The table as the text of `grammar/operators.md`.
  package static func markdown() -> String {
    var out = """
      # Operators

      Generated from `OperatorTable`; do not edit. Tightest first. Operators of one level group to
      the left unless the table says otherwise.

      | level | operator | place | groups | dialects | in a row | function | meaning |
      |---|---|---|---|---|---|---|---|

      """
    var level = 0
    var previous: BindingPower?
    for row in rows.reversed() {
      if previous != row.power { level += 1 }
      previous = row.power
      let cells = [
        "\(level)", code(row.spelling), row.fixity.rawValue, row.associativity.rawValue,
        names(row.dialects), names(row.chainsIn), row.celName.isEmpty ? "–" : code(row.celName),
        row.summary,
      ]
      out += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return out
  }

  private static func code(_ text: String) -> String {
    "`" + text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      + "`"
  }

  private static func names(_ dialects: Set<Dialect.Name>) -> String {
    let all = Dialect.Name.allCases.filter(dialects.contains).map { $0.rawValue }
    return all.isEmpty ? "–" : all.joined(separator: ", ")
  }
}
