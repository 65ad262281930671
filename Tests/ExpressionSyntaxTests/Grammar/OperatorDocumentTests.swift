import ExpressionPrinting
import ExpressionSyntax
import Foundation
import TestSupport
import Testing

/// `grammar/operators.md` against the table it is generated from.
@Suite struct OperatorDocumentTests {
  @Test("operators.md is what the operator table generates")
  func document() throws {
    let url = TestFiles.root.appending(path: "grammar/operators.md")
    let generated = OperatorTable.markdown()
    if ProcessInfo.processInfo.environment["SWEXPR_BLESS"] == "1",
      ProcessInfo.processInfo.environment["CI"] == nil
    {
      try generated.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == generated)
  }

  @Test("every operator but none has one row, a function name, and a power above its looser ones")
  func rows() {
    #expect(OperatorTable.rows.map(\.op).count == Operator.allCases.count - 1)
    #expect(Set(OperatorTable.rows.map(\.op)).count == Operator.allCases.count - 1)
    for row in OperatorTable.rows {
      #expect(OperatorTable[row.op].spelling == row.spelling)
      #expect(row.celName.isEmpty == (row.op == .select))
    }
    let powers = OperatorTable.rows.map { max($0.power.left, $0.power.right) }
    #expect(powers == powers.sorted())
  }
}
