import AudienceFilters
import ExpressionEngine
import ExpressionSyntax
import FilterAnalysis
import FilterAuthoring
import TestSupport
import Testing

/// Checks and explanations compute with the constants of a filter, whose numbers may be as large as
/// a number can be.
@Suite("No constant ends the process") struct ExtremeConstantTests {
  private static let constants = [
    "9223372036854775807", "-9223372036854775808", "9007199254740993", "1e308", "-1e308", "1e19",
    "4.9e-324", "-0.0", "0", "-1", "18446744073709551615u", #""9223372036854775808""#, #""1e400""#,
  ]

  /// Ways in which filters use a number.
  private static func filters(of subject: String, _ constant: String) -> [String] {
    [
      "\(subject) > \(constant)", "\(subject) == \(constant)", "\(constant) <= \(subject)",
      "\(subject) in [\(constant), 3]",
      "\(subject) >= \(constant) && \(subject) <= \(constant) || \(subject) < \(constant) && user.b",
      "!(\(subject) * \(constant) > \(constant) - 1) || \(subject) % \(constant) == 1",
    ]
  }

  private static func check(_ text: String) {
    let filter = ParsedFilter(SourceText(text), environment: .standard)
    let findings = filter.findings(schema: .builtIn)
    #expect(findings.diagnostics.allSatisfy { !$0.message.isEmpty })
    guard let whole = try? Filter(text) else { return }
    #expect(!whole.explain(Context()).text.isEmpty)
  }

  @Test("in checks and explanations of every attribute", arguments: constants)
  func attributes(constant: String) {
    let all = AttributeSchema.builtIn.sorted.filter { !$0.path.hasSuffix("*") }
    for (index, attribute) in all.enumerated() {
      let forms = Self.filters(of: attribute.path, constant)
      // Each attribute in a form or two; together all forms.
      Self.check(forms[index % forms.count])
      if attribute.type.isNumeric || Effort.factor > 1 { forms.forEach(Self.check) }
    }
  }

  @Test("in checks of functions, sizes and elements", arguments: constants)
  func others(constant: String) {
    let subjects =
      HistoryFunctionInfo.all.map { "device.\($0.name)(\"x\")" } + [
        "size(user.tags)", "size(device.activeEntitlements)", "size(device.regionCode)", "user.a",
        "user.heightCm", "user.percent", "user.createdAtMillis", "user.x - user.y",
        "max(user.a, 3)", "int(device.osVersion)", "double(params.price)",
        "(timestamp(device.utcDateTime) - timestamp(user.at)).getHours()",
      ]
    for subject in subjects { Self.filters(of: subject, constant).forEach(Self.check) }
    for text in [
      "device.activeEntitlements[\(constant)] == \"a\"", "user.tags.exists(t, t > \(constant))",
      "user.text.matches(\"[0-9]{\(constant)}\")", "duration(\"\(constant)h\") > duration(\"1h\")",
      "timestamp(\(constant)) > timestamp(device.utcDateTime)", "user.a = \(constant) and user.b",
      "user.a ? \(constant) : true && user.b", "device.placementsInDay(\"x\", \(constant)) > 1",
    ] { Self.check(text) }
  }
}
