import ExpressionSyntax

extension DiagnosticCatalog {
  /// The texts about compiling and evaluating, which the engine reports.
  ///
  /// - Returns: The entry; `nil` for an id that another part of the catalogue has.
  static func engineEntry(for id: DiagnosticID) -> Entry? {
    switch id {
    case .undeclaredName:
      Entry(
        "name is not in the context",
        """
        The filter reads a name that the context does not have. Names start with a root: `user`, \
        `device`, `params`, or a variable that the host adds.
        """, example: "ghost", dialect: .cel)
    case .unknownFunction:
      Entry(
        "unknown function",
        """
        No function of that name exists in this dialect, and the host offers none. `swexpr funcs` \
        lists what there is.
        """, example: "nosuch(1)", dialect: .cel)
    case .argumentCount:
      Entry(
        "argument is missing",
        """
        The function needs more arguments than the call has. `swexpr doc NAME` shows how it is \
        called.
        """, example: "size()")
    case .failedArgument:
      Entry(
        "argument has no value",
        """
        Evaluating the argument failed, so the function could not be called with it.
        """, example: "int(1 + \"a\")")
    case .divisionByZero:
      Entry(
        "division by zero",
        """
        Integers cannot be divided by zero. Guard the division: \
        `b != 0 ? a / b : 0`. Doubles can: `a / 0.0` is infinity.
        """, example: "1 / 0")
    case .overflow:
      Entry(
        "result out of range",
        """
        The result does not fit: integers have 64 bits, and times have a range.
        """, example: "(-9223372036854775808) / -1")
    case .notComparable:
      Entry(
        "values have no order",
        """
        `<`, `<=`, `>`, `>=` and `in` need two values that can be compared: two numbers, two \
        strings, two bools, two times. Text is never converted to a number here.
        """, example: "1 < \"a\"")
    case .unsupportedOperands:
      Entry(
        "operator has no meaning for these values",
        """
        An operator was given values of kinds that it does not take, such as a number and a text. \
        Nothing is converted silently; write the conversion: `string(5) + "a"`.
        """, example: "1 + \"a\"")
    case .unexpectedType:
      Entry(
        "value of the wrong kind",
        """
        A function was given a value of a kind that it does not take.
        """, example: "(5).startsWith(\"a\")")
    case .unusableKey:
      Entry(
        "value cannot be a key",
        """
        Map keys are strings, ints, uints or bools.
        """, example: "{1.5: 1}")
    case .duplicateKey:
      Entry(
        "key occurs twice",
        """
        A map literal has the same key twice; numeric keys of one value are the same key.
        """, example: "{1: 1, 1u: 2}", dialect: .cel)
    case .unusableIndex:
      Entry(
        "value cannot be an index",
        """
        Lists are indexed with ints, maps with keys.
        """, example: "[1][\"a\"]")
    case .notIndexable:
      Entry(
        "value has no elements",
        """
        Only lists, maps and, in the superscript dialect, strings can be indexed.
        """, example: "5[0]")
    case .indexOutOfRange:
      Entry(
        "index out of range",
        """
        A list has elements from 0 up to its size minus one.
        """, example: "[1][1]", dialect: .cel)
    case .missingKey:
      Entry(
        "missing key",
        """
        The map does not have this key. Ask first: `has(m.key) ? m.key : 0`.
        """, example: "{\"a\": 1}.b", dialect: .cel)
    case .invalidArgument:
      Entry(
        "argument that the function cannot use",
        """
        The argument has the right kind, or one that the function could take, but not a content \
        that it can use, such as text that is not a number for `int`.
        """, example: "int(\"x\")")
    case .invalidPattern:
      Entry(
        "regular expression is not valid",
        """
        Look-around and back-references do not exist here, so matching always ends quickly.
        """, example: "\"a\".matches(\"(\")")
    case .hostFunctionFailed:
      Entry(
        "host function failed",
        """
        A function that the app provides threw an error while the filter ran, so the filter does \
        not match. The error is in the note; it is for the app to mend.
        """, example: "")
    case .notBool:
      Entry(
        "condition is not a bool",
        """
        `&&`, `||`, `!` and `?:` need bools. Compare the value: `n != 0`.
        """, example: "1 ? 2 : 3", dialect: .cel)
    case .unsupportedConstruct:
      Entry(
        "fields have no meaning here",
        """
        `Name{field: value}` parses, but there are no message types.
        """, example: "size([]){a: 1}")
    case .stepLimit:
      Entry(
        "too many steps",
        """
        All loops of a filter together may take a limited number of steps \
        (`EvaluationLimits.steps`, a million by default), so one filter cannot hold up others. \
        Comparing long lists and searching long texts takes steps, too.
        """, example: "")
    case .memoryLimit:
      Entry(
        "too much memory",
        """
        The lists, maps and texts that a filter builds may take a limited amount of memory \
        (`EvaluationLimits.memory`, 64 MiB by default).
        """, example: "")
    case .patternLimit:
      Entry(
        "regular expression takes too long",
        """
        Matching stopped at its limit. Avoid nested repetitions such as `(a+)+`.
        """, example: "")
    case .expressionTooDeep:
      Entry(
        "expression nests too deeply",
        """
        Operators, conditions and parentheses may be nested up to a limit, so no filter can \
        exhaust the stack. Chains such as `a && b && c` do not count, however long they are.
        """, example: "")
    case .filterTooLarge:
      Entry(
        "filter is too large",
        """
        The filter holds more literals, or more values at once, than can be numbered. Keep long \
        lists and maps in the context, and read them by name.
        """, example: "")
    case .evaluationCancelled:
      Entry(
        "evaluation cancelled",
        """
        The app ended the evaluation (`EvaluationStop.cancel`), so the filter has no value.
        """, example: "")
    case .deadlineExceeded:
      Entry(
        "deadline exceeded",
        """
        The app gave the evaluation a deadline (`EvaluationStop.deadline`), which passed before \
        the filter had a value.
        """, example: "")
    default: nil
    }
  }
}
