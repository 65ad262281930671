import ExpressionCoding
import ExpressionEngine
import FilterSQL

/// Writes types and values of rows in the words of an engine. It shares nothing with what it tests.
struct RowWriter {
  let dialect: SQLDialect.Name

  func identifier(_ name: String) -> String {
    let quote = dialect == .spark ? "`" : "\""
    return quote + name.replacingAll(quote, by: quote + quote) + quote
  }

  func typeName(_ type: ColumnType) -> String {
    switch type {
    case .bool: "BOOLEAN"
    case .int: "BIGINT"
    case .uint: dialect == .duckdb ? "UBIGINT" : "DECIMAL(20, 0)"
    case .double:
      dialect == .postgresql ? "DOUBLE PRECISION" : (dialect == .sqlite ? "REAL" : "DOUBLE")
    case .string: dialect == .spark ? "STRING" : "TEXT"
    case .bytes: dialect == .postgresql ? "BYTEA" : (dialect == .spark ? "BINARY" : "BLOB")
    case .timestamp: dialect == .postgresql ? "TIMESTAMPTZ" : "TIMESTAMP"
    case .list(let element):
      dialect == .spark ? "ARRAY<\(typeName(element))>" : "\(typeName(element))[]"
    case .record(let members):
      if dialect == .spark {
        "STRUCT<"
          + members.map { "\(identifier($0.name)): \(typeName($0.type))" }.joined(separator: ", ")
          + ">"
      } else {
        "STRUCT("
          + members.map { "\(identifier($0.name)) \(typeName($0.type))" }.joined(separator: ", ")
          + ")"
      }
    case .other(let name): name
    case .json: dialect == .postgresql ? "JSONB" : (dialect == .duckdb ? "JSON" : "TEXT")
    }
  }

  /// A value of a column; `nil` is missing.
  func cell(_ value: Value?, _ type: ColumnType) -> String {
    let name = typeName(type)
    guard let value else { return "CAST(NULL AS \(name))" }
    if type == .json { return "CAST(\(text(value.jsonText())) AS \(name))" }
    switch (type, value) {
    case (_, .null), (.other, _): return "CAST(NULL AS \(name))"
    case (.record(let members), .map(let entries)):
      let cells = members.map { member in
        (member.name, cell(entries[.string(member.name)], member.type))
      }
      if dialect == .spark {
        return "named_struct("
          + cells.map { "\(text($0.0)), \($0.1)" }.joined(separator: ", ") + ")"
      }
      return "{" + cells.map { "\(text($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
    case (.list(let element), .list(let values)):
      let cells = values.map { cell($0, element) }.joined(separator: ", ")
      switch dialect {
      case .spark: return "CAST(array(\(cells)) AS \(name))"
      case .postgresql: return "CAST(ARRAY[\(cells)] AS \(name))"
      default: return "CAST([\(cells)] AS \(name))"
      }
    case (_, .bool(let bool)): return bool ? "TRUE" : "FALSE"
    case (_, .int(let number)):
      if dialect == .sqlite, number == .min { return "(-9223372036854775807 - 1)" }
      return "CAST('\(number)' AS \(name))"
    case (_, .uint(let number)): return "CAST('\(number)' AS \(name))"
    case (_, .double(let number)):
      if dialect == .sqlite { return "CAST('\(number)' AS REAL)" }
      let special = number.isNaN ? "NaN" : (number < 0 ? "-Infinity" : "Infinity")
      return "CAST('\(number.isFinite ? "\(number)" : special)' AS \(name))"
    case (_, .string(let string)): return text(string)
    case (_, .bytes(let bytes)):
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      switch dialect {
      case .duckdb: return "unhex('\(digits)')"
      case .postgresql: return "decode('\(digits)', 'hex')"
      default: return "x'\(digits)'"
      }
    case (_, .timestamp(let instant)):
      let micros = instant.seconds * 1_000_000 + Int64(instant.nanoseconds / 1000)
      switch dialect {
      case .duckdb: return "make_timestamp(\(micros))"
      case .spark: return "timestamp_micros(\(micros))"
      default:
        return "(TIMESTAMPTZ '1970-01-01 00:00:00+00' + INTERVAL '\(instant.seconds) seconds'"
          + " + INTERVAL '\(instant.nanoseconds / 1000) microseconds')"
      }
    default: return "NULL"
    }
  }

  private func text(_ text: String) -> String {
    var text = text.replacingAll("'", by: "''")
    if dialect == .spark {
      text = text.replacingAll("\\", by: "\\\\").replacingAll("''", by: "\\'")
    }
    if dialect == .duckdb {
      return "'" + text.replacingAll("\0", by: "' || chr(0) || '") + "'"
    }
    return "'" + text + "'"
  }
}

extension String {
  /// The text with every occurrence of a part replaced, scalar by scalar.
  func replacingAll(_ part: String, by other: String) -> String {
    let wanted = Array(part.unicodeScalars)
    let scalars = Array(unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      if scalars[index...].starts(with: wanted) {
        result.append(contentsOf: other.unicodeScalars)
        index += wanted.count
      } else {
        result.append(scalars[index])
        index += 1
      }
    }
    return String(result)
  }
}
