// The functions of the cel dialect: the standard ones and those of an environment's extension
// libraries.

extension FunctionLibrary {
  /// The standard functions together with the given extension libraries.
  static func cel(_ libraries: Set<ExtensionLibrary>) -> FunctionLibrary {
    libraries == ExtensionLibrary.all ? completeCEL : makeCEL(libraries)
  }

  private static let completeCEL = makeCEL(ExtensionLibrary.all)

  private static func makeCEL(_ libraries: Set<ExtensionLibrary>) -> FunctionLibrary {
    var definitions = CELStandard.definitions
    var types = CELStandard.types
    for library in ExtensionLibrary.allCases where libraries.contains(library) {
      definitions += library.definitions
      types += library.types
    }
    return FunctionLibrary(merging(definitions), types: Set(types))
  }

  /// Merges the overloads of functions that several libraries define.
  private static func merging(_ definitions: [FunctionDefinition]) -> [FunctionDefinition] {
    var result: [FunctionDefinition] = []
    var places: [String: Int] = [:]
    for definition in definitions {
      guard let place = places[definition.name] else {
        places[definition.name] = result.count
        result.append(definition)
        continue
      }
      let earlier = result[place]
      switch (earlier.form, definition.form) {
      case (.overloads(let old), .overloads(let new)):
        result[place] = .cel(
          earlier.name, earlier.summary, old + new, intrinsic: earlier.intrinsic)
      default:
        result[place] = FunctionDefinition(
          earlier.name, signatures: earlier.signatures + definition.signatures,
          summary: earlier.summary, examples: earlier.examples + definition.examples,
          form: earlier.form)
      }
    }
    return result
  }
}

extension ExtensionLibrary {
  /// The functions that the library adds.
  var definitions: [FunctionDefinition] {
    switch self {
    case .optionals: CELOptionals.definitions
    case .comprehensions: CELComprehensions.definitions
    case .bindings: CELBindings.definitions
    case .block: CELBlock.definitions
    case .strings: CELStrings.definitions
    case .math: CELMath.definitions
    case .encoders: CELEncoders.definitions
    case .sets: CELSets.definitions
    case .lists: CELLists.definitions
    case .regex: CELRegex.definitions
    case .network: CELNetwork.definitions
    }
  }

  /// The names of the types that the library adds.
  var types: [String] {
    switch self {
    case .optionals: ["optional_type"]
    case .network: ["net.IP", "net.CIDR"]
    default: []
    }
  }
}
