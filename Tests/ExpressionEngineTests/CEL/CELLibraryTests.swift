import ExpressionChecking
import ExpressionSyntax
import TestSupport
import Testing

@testable import ExpressionEngine

@Suite("The cel library") struct CELLibraryTests {
  static let library = FunctionLibrary.cel(ExtensionLibrary.all)

  static let exampleRows: [CELRow] = library.definitions.flatMap { definition in
    definition.examples.map { CELRow($0.expression, $0.value) }
  }

  @Test("every example answers what it says", arguments: exampleRows)
  func examples(row: CELRow) {
    #expect(answer(row.expression) == row.answer)
  }

  @Test("every overload has a signature that is one, and an example")
  func signatures() {
    for definition in Self.library.definitions {
      #expect(!definition.summary.isEmpty && !definition.summary.hasSuffix("."))
      #expect(definition.examples.count == definition.signatures.count, "\(definition.name)")
      guard case .overloads(let overloads) = definition.form else { continue }
      for overload in overloads {
        let signature = FunctionSignature(overload.signature)
        #expect(signature?.name == definition.name, "\(overload.signature)")
        #expect(signature?.isMember == overload.isMember)
        #expect(signature?.parameters.count == overload.parameters.count)
      }
      #expect(Set(definition.signatures).count == definition.signatures.count)
    }
  }

  @Test("a library that is switched off offers nothing", arguments: ExtensionLibrary.allCases)
  func switches(library: ExtensionLibrary) {
    var environment = FilterEnvironment.cel
    environment.libraries.remove(library)
    let without = FunctionLibrary.cel(environment.libraries)
    let names = Set(without.definitions.map(\.name))
    for definition in library.definitions where !names.contains(definition.name) {
      for example in definition.examples {
        let id = answer(example.expression, in: environment)
        // The function, or what stands before it in a name space, is unknown.
        #expect(["E0401", "E0405", "E0301", "E0505"].contains(id), "\(example.expression): \(id)")
      }
    }
  }

  @Test("a signature is taken apart")
  func parsing() throws {
    let method = try #require(FunctionSignature("list(map(K, V)).pick(int, A) -> list(A)"))
    #expect(method.name == "pick")
    #expect(method.isMember)
    #expect(method.parameters.map(\.text) == ["list(map(K, V))", "int", "A"])
    #expect(method.parameters.map(\.kinds) == [.list, .int, .any])
    let global = try #require(FunctionSignature("math.abs(int) -> int"))
    #expect(global.name == "math.abs")
    #expect(!global.isMember)
    #expect(FunctionSignature("net.CIDR.ip() -> net.IP")?.isMember == true)
    #expect(FunctionSignature("type(A) -> type(A)")?.name == "type")
    #expect(FunctionSignature("math.greatest(...) -> dyn")?.isVariadic == true)
    for text in [
      "f", "f() -> nothing", "f(number) -> int", "f(int -> int", "f(int)", "f(int,) -> int",
    ] {
      #expect(FunctionSignature(text) == nil, "\(text)")
    }
  }

  @Test("the machine and the checker read the same from a signature")
  func agreement() throws {
    for definition in Self.library.definitions {
      guard case .overloads(let overloads) = definition.form else { continue }
      for overload in overloads {
        let machine = try #require(FunctionSignature(overload.signature))
        let checker = try Overload(definition.name, signature: overload.signature)
        #expect(machine.isMember == (checker.receiver != nil), "\(overload.signature)")
        #expect(machine.isVariadic == checker.isVariadic)
        let given = checker.parameters.dropLast(checker.isVariadic ? 1 : 0)
        let types = ([checker.receiver].compactMap { $0 } + given).map(\.alternatives)
        #expect(
          try machine.parameters.map { [try Type(text: $0.text)] } == types,
          "\(overload.signature)")
      }
    }
  }

  @Test("the checker reads every signature", arguments: ExtensionLibrary.allCases)
  func checkerDeclarations(library: ExtensionLibrary) throws {
    var environment = FilterEnvironment.cel
    environment.declarations = [
      .variable(name: "a.b", type: "list(int)"),
      .function(name: "f", overloads: [.init(parameters: ["string"], result: "int")]),
    ]
    let all = try environment.checkingDeclarations()
    #expect(all.functions["f"]?.count == 1)
    #expect(all.functions["contains"]?.count == 1)
    environment.libraries = [library]
    #expect(throws: Never.self) { try environment.checkingDeclarations() }
    environment.declarations = [.variable(name: "x", type: "list(")]
    #expect(throws: DeclarationError.self) { try environment.checkingDeclarations() }
  }

  @Test("Base64 reads back what it wrote")
  func base64() {
    var generator = SeededGenerator(seed: 64)
    for _ in 0..<500 {
      let octets = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let text = octets.withUnsafeBufferPointer { Base64.encoded($0) }
      #expect(text.withUnsafeBufferPointer { Base64.decoded($0) } == octets)
      let bare = text.filter { $0 != UInt8(ascii: "=") }
      #expect(bare.withUnsafeBufferPointer { Base64.decoded($0) } == octets)
    }
  }

  @Test(
    "what is no Base64 is refused",
    arguments: ["a", "ab=", "abc==", "ab===", "a===", "=", "ab-_", "YW I=", "ab==cd", "YWI=\n"])
  func malformedBase64(text: String) {
    #expect(withBytes(text) { Base64.decoded($0) } == nil)
  }

  @Test("addresses and blocks read back what they print")
  func network() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<500 {
      let count = Bool.random(using: &generator) ? 4 : 16
      let octets = (0..<count).map { _ in
        Int.random(in: 0..<3, using: &generator) == 0
          ? UInt8.random(in: 0...255, using: &generator) : 0
      }
      let address = NetworkValue(octets: octets)
      #expect(NetworkValue(address: address.text) == address, "\(address.text)")
      let length = UInt8.random(in: 0...UInt8(count * 8), using: &generator)
      let block = NetworkValue(octets: octets, prefixLength: length)
      #expect(NetworkValue(block: block.text) == block, "\(block.text)")
      #expect(block.contains(address) && block.contains(block.masked))
    }
  }

  @Test(
    "what is no address is refused",
    arguments: [
      "", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.4 ", "1..2.3", ":", ":::", "1:2",
      "1:2:3:4:5:6:7:8:9", "::1::", "12345::", "::g", "fe80::1%eth0", "::ffff:1.2.3.4",
      "1:2:3:4:5:6:7::8",
      "::1.2.3", "::+1", "1.2.3.4/8", "::1:",
    ])
  func malformedAddresses(text: String) {
    #expect(NetworkValue(address: text) == nil)
  }

  @Test(
    "what is no block is refused",
    arguments: [
      "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.0/+8",
      "::/129", "fe80::1%en0/24", "::ffff:1.2.3.4/24", "/8",
    ])
  func malformedBlocks(text: String) {
    #expect(NetworkValue(block: text) == nil)
  }
}
