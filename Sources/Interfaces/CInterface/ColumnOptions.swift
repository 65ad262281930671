import ArrowColumns
import CSwexpr
import ExpressionCoding
import ExpressionEngine

/// How the columns of a table become attributes, as `swexpr_batch_create` takes it in JSON.
struct ColumnOptions {
  private(set) var names = ColumnNames()

  /// Reads options.
  ///
  /// - Parameter text: The JSON object; NULL for no options.
  /// - Throws: ``InterfaceError`` if the text is not JSON, and for a member that is unknown or has
  ///   a value that cannot be used.
  init(_ text: UnsafePointer<CChar>?, _ length: Int) throws(InterfaceError) {
    guard text != nil else { return }
    let json = try TextArgument("options", text, length).string()
    let options = try InterfaceError.describing { () throws(JSONError) in
      try Value(json: json, reading: Value.JSONReading(duplicates: .error))
    }
    guard case .map(let members) = options else {
      throw InterfaceError("the options are not a JSON object")
    }
    for (key, value) in members.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      guard case .string(let name) = key else { continue }
      switch (name, value) {
      case ("root", .string(let root)): names.root = root
      case ("attributes", .map(let entries)):
        for case (.string(let column), let path) in entries {
          guard case .string(let text) = path, let path = AttributePath(text) else {
            throw InterfaceError("the attribute of the column `\(column)` is not a path")
          }
          names.paths[column] = path
        }
      case ("json", .list(let columns)):
        for column in columns {
          guard case .string(let text) = column else {
            throw InterfaceError("the option `json` must be a list of strings")
          }
          names.json.insert(text)
        }
      case ("root", _), ("attributes", _), ("json", _):
        throw InterfaceError("the option `\(name)` has a value of another kind")
      default: throw InterfaceError("there is no option `\(name)`")
      }
    }
  }
}
