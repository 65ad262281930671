#if Macros
  import FilterMacros
  import Testing

  @Suite("The macro")
  @MainActor struct MacroSnippets {
    @Test("a filter that the compiler has checked")
    func macro() {
      let adults = #filter("user.age >= 18")
      #expect(adults.matches(Context(user: ["age": 25])))
    }
  }
#endif
