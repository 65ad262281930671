public import ExpressionEngine
import ExpressionPrinting
import ExpressionSyntax
import FilterAnalysis

extension Filter {
  /// Returns a filter over what is left once some attributes are known.
  ///
  /// Known values are put in, what follows from them is computed, and `&&`, `||`, `!` and `? :` are
  /// simplified as far as the dialect allows: superscript goes on after a false operand, because
  /// one that fails makes the whole filter fail, and cel does not. A filter that is decided has the
  /// text `true`, `false` or that of another value.
  ///
  /// The result gives what this filter gives, failures included, for every context that has the
  /// known attributes with their values and lacks those in `missing`, whatever else it has. Parts
  /// stay as they are where a value in their place would mean something else, and calls of host
  /// functions always stay.
  ///
  /// - Parameters:
  ///   - context: The known attributes: those directly under `user`, `device` and `params`, and
  ///     other variables, each with all that it contains.
  ///   - missing: Attributes that no context has, such as `user.referrer`, and variables, such as
  ///     `referrer`. Whether an attribute is missing is known only if the context has its root.
  /// - Returns: The filter that is left, or this one if nothing can be simplified.
  /// - Complexity: About O(n) in the length of the filter, compilation included.
  public func simplified(
    knowing context: Context, missing: Set<AttributePath> = []
  ) -> Filter {
    // The text was parsed before with the same rules, so this cannot fail.
    guard
      let tree = try? parse(
        SourceText(text), dialect: environment.dialect, limits: environment.parserLimits)
    else { return self }
    let simplifier = FilterSimplifier(
      tree, environment: environment, context: context, missing: missing)
    let text = simplifier.simplified()
    guard
      let rest = try? parse(
        SourceText(text), dialect: environment.dialect, limits: environment.parserLimits),
      let filter = try? Filter(SyntaxPrinter.format(rest), environment: environment)
    else { return self }
    return filter
  }
}
