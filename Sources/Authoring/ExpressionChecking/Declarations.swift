package import ExpressionEngine

/// The declarations that an expression is checked against: variables, functions, macros, the
/// container, and the rules of its dialect.
package struct Declarations: Sendable {
  /// The typing rules of the dialect.
  package var rules: CheckingRules
  /// The scope whose names need no prefix, `com.example` for instance; empty for the root scope
  /// (docs/spec/cel.md §3).
  package var container: String
  /// The types of variables, by their names, which may have dots.
  package private(set) var variables: [String: Type]
  /// The overloads of functions, by their names, which may have dots.
  package private(set) var functions: [String: [Overload]]
  /// The macros that are on, by their names, which may have dots.
  private(set) var macros: [String: Set<MacroForm>]

  /// The largest number of parts of a variable's name; bounds the search for dotted names.
  private(set) var longestName = 3
  /// The largest number of parts of a function's name.
  private(set) var longestFunctionName = 1
  /// The proper prefixes of dotted variables: `user` and `user.home` for `user.home.city`.
  private(set) var namespaces: Set<String> = []

  /// Creates declarations that know nothing but the names of the built-in types.
  package init(rules: CheckingRules = .cel, container: String = "") {
    self.rules = rules
    self.container = container
    variables = [:]
    functions = [:]
    macros = [:]
    for (name, type) in Self.typeNames { variables[name] = .type(type) }
  }

  /// The names of types that are values (docs/spec/cel.md §3).
  private static let typeNames: [(String, Type)] = [
    ("bool", .bool), ("int", .int), ("uint", .uint), ("double", .double), ("string", .string),
    ("bytes", .bytes), ("list", .list(.dyn)), ("map", .map(.dyn, .dyn)), ("null_type", .null),
    ("type", .type(.dyn)), ("google.protobuf.Timestamp", .timestamp),
    ("google.protobuf.Duration", .duration),
  ]

  // MARK: Variables

  /// Declares a variable; an earlier declaration of the same name is replaced.
  ///
  /// - Parameters:
  ///   - name: The name. A dotted name such as `user.age` is one variable, and expressions read it
  ///     by the longest prefix that is declared.
  ///   - type: Its type; a type larger than types can be counts as `dyn` where it is.
  package mutating func declare(variable name: String, as type: Type) {
    variables[name] = type.pruned
    var parts = 1
    var index = name.startIndex
    while let dot = name[index...].firstIndex(of: ".") {
      namespaces.insert(String(name[..<dot]))
      index = name.index(after: dot)
      parts += 1
    }
    longestName = max(longestName, parts)
  }

  // MARK: Functions

  /// Declares one more overload of a function.
  ///
  /// - Parameters:
  ///   - name: The function's name, which may have dots.
  ///   - overload: The parameters and the result of the call.
  /// - Throws: `DeclarationError` if the name is not a name (operators cannot be overloaded), or if
  ///   the overload takes the same as one that is declared (docs/spec/cel.md §13).
  package mutating func declare(
    function name: String, _ overload: Overload
  ) throws(DeclarationError) {
    guard Self.isDottedName(name) else {
      throw DeclarationError(function: name, message: "`\(name)` is not a name for a function")
    }
    let erased = overload.erased
    for other in functions[name] ?? []
    where (other.receiver == nil) == (overload.receiver == nil) && other.erased == erased {
      if other.result == overload.result, other.text == overload.text { return }
      throw DeclarationError(
        function: name,
        message: "`\(overload.text)` cannot be told apart from `\(other.text)`")
    }
    functions[name, default: []].append(overload)
    longestFunctionName = max(longestFunctionName, name.count { $0 == "." } + 1)
  }

  /// Declares the functions and switches on the macros of a library.
  ///
  /// Signatures of functions are read from `FunctionDefinition/signatures`. Those of macros tell
  /// which forms are on; how these are typed is known by name. An abstract type that a signature
  /// names is declared as the name of a type, too.
  ///
  /// - Throws: `DeclarationError` naming the signature that cannot be read.
  package mutating func declare(
    library definitions: [FunctionDefinition]
  ) throws(DeclarationError) {
    for definition in definitions {
      for signature in definition.signatures {
        let overload: Overload
        do throws(TypeTextError) {
          overload = try Overload(definition.name, signature: signature)
        } catch {
          throw DeclarationError(function: definition.name, message: error.description)
        }
        if definition.isMacro, let forms = MacroTable.byName[definition.name] {
          let form = forms.first {
            $0.isReceiverStyle == (overload.receiver != nil)
              && $0.count == overload.parameters.count
          }
          if let form { macros[definition.name, default: []].insert(form) }
        } else {
          try declareFromLibrary(function: definition.name, overload)
        }
      }
    }
  }

  /// Declares an overload and the abstract types in it.
  private mutating func declareFromLibrary(
    function name: String, _ overload: Overload
  ) throws(DeclarationError) {
    try declare(function: name, overload)
    let parameters = ([overload.receiver].compactMap { $0 } + overload.parameters)
    for type in parameters.flatMap({ $0.alternatives }) + [overload.result] {
      declareTypeNames(in: type)
    }
  }

  private mutating func declareTypeNames(in type: Type) {
    switch type {
    case .abstract(let name, let arguments):
      let any = Type.abstract(name, arguments.map { _ in .dyn })
      if variables[name] == nil { declare(variable: name, as: .type(any)) }
    case .optional where variables["optional_type"] == nil:
      declare(variable: "optional_type", as: .type(.optional(.dyn)))
    default: break
    }
    for argument in type.arguments { declareTypeNames(in: argument) }
  }

  /// Switches all forms of macros on by name; names that are not macros are ignored.
  package mutating func enable(macros names: some Sequence<String>) {
    for name in names {
      if let forms = MacroTable.byName[name] { macros[name, default: []].formUnion(forms) }
    }
  }

  /// Switches all macros off, so their names are names of functions.
  package mutating func disableMacros() { macros = [:] }

  private static func isDottedName(_ name: String) -> Bool {
    var isStart = true
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        isStart = false
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !isStart: continue
      case UInt8(ascii: ".") where !isStart: isStart = true
      default: return false
      }
    }
    return !isStart
  }

  // MARK: Look-up

  /// The names that a written name may mean, in the order in which they are tried (docs/spec/cel.md
  /// §3).
  func candidates(for name: String, fromRoot: Bool) -> [String] {
    guard !fromRoot, !container.isEmpty else { return [name] }
    var scope = container[...]
    var names = ["\(scope).\(name)"]
    while let dot = scope.lastIndex(of: ".") {
      scope = scope[..<dot]
      names.append("\(scope).\(name)")
    }
    return names + [name]
  }

  /// The type of the variable that a written name means.
  func variable(_ name: String, fromRoot: Bool) -> Type? {
    if container.isEmpty || fromRoot { return variables[name] }
    for candidate in candidates(for: name, fromRoot: fromRoot) {
      if let type = variables[candidate] { return type }
    }
    return nil
  }

  /// Returns whether functions or macros are in a namespace, such as `math` for `math.abs`.
  ///
  /// - Complexity: O(n) in the number of functions; only mistakes ask for it.
  func isFunctionNamespace(_ name: String) -> Bool {
    let prefixes = candidates(for: name, fromRoot: false).map { "\($0)." }
    return prefixes.contains { prefix in
      functions.keys.contains { $0.hasPrefix(prefix) }
        || macros.keys.contains { $0.hasPrefix(prefix) }
    }
  }

  /// The function that a written name means, by its full name.
  func function(_ name: String, fromRoot: Bool) -> String? {
    if container.isEmpty || fromRoot { return functions[name] == nil ? nil : name }
    return candidates(for: name, fromRoot: fromRoot).first { functions[$0] != nil }
  }
}

/// Thrown when something cannot be declared.
package struct DeclarationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The function.
  package let function: String
  /// The problem with it.
  package let message: String

  /// A message of one line that is complete in itself.
  package var description: String { "cannot declare `\(function)`: \(message)" }
}
