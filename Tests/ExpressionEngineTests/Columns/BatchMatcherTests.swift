import ExpressionSyntax
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("Batches of users as columns")
struct BatchMatcherTests {
  @Test("equal each filter for each user", arguments: 0..<40, [Dialect.superscript, .cel])
  func equalsOneByOne(seed: UInt64, dialect: Dialect) throws {
    var generator = ColumnGenerator(seed: seed)
    let environment = FilterEnvironment(dialect: dialect)
    let texts = try (0..<40).map { _ in
      try generator.filters.compiledFilter(environment).source.text
    }
    let set = try FilterSet(texts: texts, environment: environment)
    let matcher = BatchMatcher(set)
    let count = generator.filters.pick([1, 63, 64, 65, 300, 1_030])
    let (batch, contexts) = try generator.batch(count)
    let matches = matcher.matches(in: batch)
    var counts = [Int](repeating: 0, count: texts.count)
    var firsts = counts
    for (row, context) in contexts.enumerated() {
      #expect(set.matches(batch.context(at: row)) == set.matches(context))
      let expected = set.matches(context)
      for (filter, isMatch) in expected.enumerated() {
        #expect(
          matches[filter, row] == isMatch,
          "\(texts[filter])\nfor \(context) in the \(dialect) dialect")
        if isMatch { counts[filter] += 1 }
      }
      if let first = expected.firstIndex(of: true) { firsts[first] += 1 }
    }
    #expect(matcher.counts(in: batch) == counts)
    #expect(matcher.firstMatchCounts(in: batch) == firsts)
    #expect((0..<texts.count).map { matches.count(ofFilter: $0) } == counts)
    #expect((0..<texts.count).map { matches.rows(ofFilter: $0).count } == counts)
  }

  @Test("find texts that share their beginnings")
  func textIndex() throws {
    let texts = (0..<400).map { "002.0\($0 / 10).\($0 % 10)" } + ["", "0", "002.010", "002.01000"]
    let filters =
      texts.map { "device.version == \"\($0)\"" } + texts.map { "device.version < \"\($0)\"" }
    let set = try FilterSet(texts: filters)
    let batch = try ColumnBatch(["device.version": Column(texts.map { Optional($0) })])
    let matches = BatchMatcher(set).matches(in: batch)
    for (row, text) in texts.enumerated() {
      let expected = set.matches(Context(device: Context.Layer(["version": .string(text)])))
      #expect(expected == filters.indices.map { matches[$0, row] })
    }
  }

  @Test("look for texts in lists as the dialect does", arguments: [Dialect.superscript, .cel])
  func lists(dialect: Dialect) throws {
    let texts = ["user.tags.contains(\"x\")", "\"x\" in user.tags", "size(user.tags) == 2"]
    let environment = FilterEnvironment(dialect: dialect)
    for tests in [texts, [texts[0]], [texts[2]]] {
      let set = try FilterSet(texts: tests, environment: environment)
      var generator = ColumnGenerator(seed: 1)
      let (column, values) = generator.lists(200)
      let matches = BatchMatcher(set).matches(in: try ColumnBatch(["user.tags": column]))
      for (row, value) in values.enumerated() {
        let expected = set.matches(Context(user: Context.Layer(value.map { ["tags": $0] } ?? [:])))
        #expect(expected == tests.indices.map { matches[$0, row] })
      }
    }
  }

  @Test("read whole layers as the dialect does, in arithmetic as well")
  func timesInLayers() throws {
    let time = Value.timestamp(Value.Timestamp(seconds: 1_000))
    let layer = Context.Layer(["at": time, "word": "true"])
    let set = try FilterSet(texts: ["user.at + 1 > 1000", "user.at == 1000", "user.word == true"])
    let batch = try ColumnBatch(["user": Column(layers: [layer, nil])])
    #expect(set.matches(Context(user: layer)) == [true, true, true])
    #expect(BatchMatcher(set).counts(in: batch) == [1, 1, 1])
  }

  @Test("leave out removed filters")
  func removed() throws {
    var set = try FilterSet(texts: [
      "user.a > 0", "user.a > 1", "user.a.matches('x') || user.a > 0",
    ])
    set.remove(at: 0)
    let batch = try ColumnBatch(["user.a": Column([1, 2, nil])])
    #expect(BatchMatcher(set).counts(in: batch) == [0, 1, 0])
  }

  @Test("have columns of one length, each an attribute")
  func mistakes() {
    #expect(throws: ColumnBatchError.self) {
      try ColumnBatch(["user.a": Column([1]), "user.b": Column([1, 2])])
    }
    #expect(throws: ColumnBatchError.self) { try ColumnBatch(["user.a.b": Column([1])]) }
    #expect(throws: ColumnBatchError.self) { try ColumnBatch(["user": Column([1])]) }
    #expect(throws: ColumnBatchError.self) {
      try ColumnBatch(["user.a": Column([1]), "user": Column(layers: [nil])])
    }
  }
}
