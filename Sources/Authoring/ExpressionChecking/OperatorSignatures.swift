/// The overloads of the operators, written like those of functions.
enum OperatorSignatures {
  /// docs/spec/cel.md §6, §14.
  static let cel: [String: [Overload]] = table(
    [
      "!_(bool) -> bool",
      "-_(int) -> int", "-_(double) -> double",
      "_&&_(bool, bool) -> bool", "_||_(bool, bool) -> bool",
      "_?_:_(bool, A, A) -> A",
      "_==_(A, A) -> bool", "_!=_(A, A) -> bool",
      "@in(A, list(A)) -> bool", "@in(A, map(A, B)) -> bool",
      "_+_(int, int) -> int", "_+_(uint, uint) -> uint", "_+_(double, double) -> double",
      "_+_(string, string) -> string", "_+_(bytes, bytes) -> bytes",
      "_+_(list(A), list(A)) -> list(A)", "_+_(timestamp, duration) -> timestamp",
      "_+_(duration, timestamp) -> timestamp", "_+_(duration, duration) -> duration",
      "_-_(int, int) -> int", "_-_(uint, uint) -> uint", "_-_(double, double) -> double",
      "_-_(timestamp, timestamp) -> duration", "_-_(timestamp, duration) -> timestamp",
      "_-_(duration, duration) -> duration",
      "_*_(int, int) -> int", "_*_(uint, uint) -> uint", "_*_(double, double) -> double",
      "_/_(int, int) -> int", "_/_(uint, uint) -> uint", "_/_(double, double) -> double",
      "_%_(int, int) -> int", "_%_(uint, uint) -> uint",
      "_[_](list(A), int) -> A", "_[_](map(A, B), A) -> B",
      "_[_](optional_type(list(A)), int) -> optional_type(A)",
      "_[_](optional_type(map(A, B)), A) -> optional_type(B)",
      "_[?_](list(A), int) -> optional_type(A)", "_[?_](map(A, B), A) -> optional_type(B)",
      "_[?_](optional_type(list(A)), int) -> optional_type(A)",
      "_[?_](optional_type(map(A, B)), A) -> optional_type(B)",
    ]
      + ["_<_", "_<=_", "_>_", "_>=_"].flatMap { name in
        ["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"].map {
          "\(name)(\($0), \($0)) -> bool"
        }
      })

  /// docs/spec/superscript.md §6–§9, §13.
  static let superscript: [String: [Overload]] = table(
    [
      "!_(dyn) -> bool",
      "-_(int) -> int", "-_(double) -> double", "--_(int) -> int", "--_(uint) -> uint",
      "--_(double) -> double",
      "_&&_(dyn, dyn) -> bool",
      "_||_(A, A) -> A", "_||_(A, B) -> dyn",
      "_?_:_(C, A, A) -> A", "_?_:_(C, A, B) -> dyn",
      "_==_(A, B) -> bool", "_!=_(A, B) -> bool",
      "@in(A, list(B)) -> bool", "@in(A, map(B, C)) -> bool", "@in(string, string) -> bool",
      "_+_(string, string) -> string", "_+_(list(A), list(A)) -> list(A)",
      "_+_(list(A), list(B)) -> list(dyn)", "_+_(map(A, B), map(A, B)) -> map(A, B)",
      "_+_(map(A, B), map(C, D)) -> map(dyn, dyn)",
      "_+_(timestamp, duration) -> timestamp", "_+_(duration, duration) -> duration",
      "_-_(timestamp, timestamp) -> duration", "_-_(timestamp, duration) -> timestamp",
      "_-_(duration, duration) -> duration",
      "_[_](list(A), int) -> A", "_[_](map(A, B), int | uint | string | bool) -> B",
      "_[_](string, int) -> string",
    ]
      + ["_+_", "_-_", "_*_", "_/_", "_%_"].flatMap { name in
        [
          "\(name)(int, int) -> int", "\(name)(uint, uint) -> uint",
          "\(name)(double, int | uint | double) -> double",
          "\(name)(int | uint, double) -> double",
        ]
      }
      + ["_<_", "_<=_", "_>_", "_>=_"].flatMap { name in
        [
          "\(name)(int | uint | double, int | uint | double) -> bool",
          "\(name)(string, string) -> bool", "\(name)(bool, bool) -> bool",
          "\(name)(timestamp, timestamp) -> bool", "\(name)(duration, duration) -> bool",
          "\(name)(null, dyn) -> dyn",
        ]
      })

  private static func table(_ signatures: [String]) -> [String: [Overload]] {
    var table: [String: [Overload]] = [:]
    for signature in signatures {
      let name = String(signature.prefix { $0 != "(" })
      // The texts are the ones above; a test reads them all.
      guard let overload = try? Overload(name, signature: signature) else {
        preconditionFailure("malformed operator signature: \(signature)")
      }
      table[name, default: []].append(overload)
    }
    return table
  }
}
