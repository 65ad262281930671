#if Macros
  public import AudienceFilters
  public import ExpressionSyntax

  /// A filter whose text is checked when the program is compiled.
  ///
  /// ```swift
  /// let adults = #filter("user.age >= 18")
  /// ```
  ///
  /// Mistakes are errors of the compiler, warnings of `Filter.check(schema:)` are warnings, each at
  /// the line of the literal, with carets below the place and with fixes. The literal may be
  /// written in any way but with interpolations.
  ///
  /// The filter is compiled each time the expression is evaluated, so keep it.
  ///
  /// - Parameters:
  ///   - text: The filter, as a literal.
  ///   - dialect: The dialect, as `.superscript` or `.cel`.
  ///   - schema: The path of a schema file, beside the source file unless it begins with `/`; its
  ///     attributes add to the vocabulary of the SDKs. Needs a file that the compiler may read.
  @freestanding(expression)
  public macro filter(
    _ text: StaticString, dialect: Dialect.Name = .superscript, schema: StaticString? = nil
  ) -> Filter = #externalMacro(module: "FilterMacroPlugin", type: "FilterMacro")

  extension Filter {
    /// Compiles a text that the macro has checked.
    ///
    /// - Precondition: The library is the version that the macro was built with.
    public static func checked(_ text: String, dialect: Dialect.Name) -> Filter {
      do throws(FilterError) {
        return try Filter(text, environment: FilterEnvironment(dialect: .named(dialect)))
      } catch {
        // The compiler has compiled the same text by the same library.
        fatalError("the macro accepted a filter that the library does not: \(error)")
      }
    }
  }
#endif
