import ExpressionSyntax

extension DiagnosticCatalog {
  /// The texts of the warnings of `swexpr check`, about filters that run but probably do not do
  /// what was meant.
  ///
  /// Every warning can be silenced with a comment: `// swexpr:ignore W0704` after the condition or
  /// on the line before it, `// swexpr:ignore-filter W0704` for the whole filter.
  ///
  /// - Returns: The entry; `nil` for an id that another part of the catalogue has.
  static func lintEntry(for id: DiagnosticID) -> Entry? {
    switch id {
    case .unknownAttribute:
      Entry(
        "unknown attribute",
        """
        No attribute of that name is known, neither in the built-in vocabulary nor in your own \
        schema. A missing attribute is not an error: it counts as zero, empty or false, so a \
        misspelled name quietly decides wrongly. Correct the name, or add the attribute to the \
        schema.
        """, example: "device.appVersoinPadded >= \"002.010.000\"")
    case .deprecatedAttribute:
      Entry(
        "deprecated attribute",
        """
        The attribute still exists, but says nothing useful any more, or has a successor.
        """, example: "device.isApplePayAvailable == true")
    case .typeMismatch:
      Entry(
        "comparison of different types",
        """
        The attribute is of another type than what it is compared with. `==` between a text and a \
        number is always false, and `<` between them is an error, so the filter does not match. \
        Only text literals that look like numbers are compared with numbers, and only by `==` and \
        `!=`.
        """, example: "device.daysSinceInstall >= \"7\"")
    case .alwaysFalse:
      Entry(
        "condition that is never true",
        """
        No value of the attributes makes the condition true: conditions joined by `&&` exclude \
        each other, or constants are compared that differ. Often `||` is intended.
        """, example: "user.country == \"se\" && user.country == \"SE\"")
    case .alwaysTrue:
      Entry(
        "condition that is always true",
        """
        Every value of the attribute makes the condition true. The usual case is `a != 1 || a != \
        2`, where `&&` is intended.
        """, example: "user.plan != \"free\" || user.plan != \"trial\"")
    case .resultNotBool:
      Entry(
        "filter whose result is not a bool",
        """
        Only a filter that is `true` matches; a number or a text does not, whatever it is. \
        Compare the value with something.
        """, example: "user.credits * 2")
    case .operandNotCondition:
      Entry(
        "value that is not a condition",
        """
        A number or a text alone is not a condition: between `&&` and `||` a text counts as true \
        unless it is empty, a number unless it is 0. `a == 1 || 2` does not compare `a` with 2.
        """, example: "user.plan == \"pro\" || \"team\"")
    case .boolWordAsText:
      Entry(
        "\"true\" is not a text here",
        """
        In the superscript dialect the texts "true" and "false" are bools everywhere, in filters \
        as in attributes. So they have no letters to search in, and cannot be compared with texts.
        """, example: "user.answer.startsWith(\"true\")")
    case .unpaddedVersion:
      Entry(
        "versions compared as text",
        """
        Versions are texts, and as text "3.100.0" comes before "3.65.0". Compare the padded \
        attribute (`device.appVersionPadded`) with a padded version, three digits for every \
        number: "003.065.000".
        """, example: "device.appVersion >= \"2.9.0\"")
    case .missingCountsAsZero:
      Entry(
        "missing attribute matches",
        """
        The attribute may be missing, and in the superscript dialect a missing attribute on the \
        left of a comparison counts as the zero of what it is compared with: `user.gone < 10` and \
        `user.gone != "pro"` are true. Users without the attribute match because of this. Leave \
        them out with `has(user.gone) && user.gone < 10`, or take them in on purpose with \
        `!has(user.gone) || user.gone < 10`.
        """, example: "device.daysSinceLastPaywallView < 7")
    case .uselessGuard:
      Entry(
        "guard that does not guard",
        """
        `&&` evaluates both sides in the superscript dialect, so `has(x) && f(x)` fails when `x` \
        is missing, and `(has(x) && f(x)) || g` does not match even if `g` holds. Use a \
        conditional: `has(x) ? f(x) : false`. A filter that is only `has(x) && f(x)` is right: it \
        does not match either way.
        """, example: "(has(user.name) && user.name.startsWith(\"A\")) || user.isMember")
    case .missingAgainstAttribute:
      Entry(
        "false when the attribute is missing",
        """
        When the attribute on the left is missing, its comparison with anything but a literal is \
        false in the superscript dialect, also `!=`.
        """, example: "user.appUserId != device.vendorId")
    case .wrongCase:
      Entry(
        "constant of the wrong case",
        """
        Texts are compared letter by letter, and the attribute is never written like that.
        """, example: "device.platform == \"ios\"")
    case .impossibleValue:
      Entry(
        "value that the attribute never has",
        """
        The attribute has one of a few values, and this is not one of them.
        """, example: "device.subscriptionStatus == \"EXPIRED\"")
    case .patternNeverMatches:
      Entry(
        "regular expression that never matches",
        """
        The pattern asks for something before the start or after the end of the text, where \
        nothing can match.
        """, example: "user.email.matches(\"$@example.com\")")
    case .slowPattern:
      Entry(
        "regular expression that may be slow",
        """
        A repetition inside a repetition, such as `(a+)+`, can be tried in very many ways on a \
        text that does not match. Write one repetition.
        """, example: "user.name.matches(\"^(a+)+$\")")
    case .uncallableFunction:
      Entry(
        "function that does not exist",
        """
        The dialect has no function of that name, and the app offers none. In the superscript \
        dialect the whole filter is null then, and does not match. `swexpr funcs` lists what \
        there is.
        """, example: "user.name.lowerAscii() == \"ann\"")
    case .unknownRoot:
      Entry(
        "variable that does not exist",
        """
        Attributes are under `user`, `device` and `params`. A variable that the context does not \
        have makes the whole filter null in the superscript dialect, and it does not match.
        """, example: "usr.age > 18")
    case .functionAsMethod:
      Entry(
        "function that is not a method",
        """
        In the superscript dialect the function takes its subject between the parentheses, and \
        ignores the value before the dot.
        """, example: "user.tags.size() > 2")
    case .memberForFunction:
      Entry(
        "member whose name is a function in other languages",
        """
        `.length`, `.count` and `.isEmpty` are not properties of lists and texts here: they are \
        read as attributes, which are missing. The size of a list or a text is `size(user.tags)`.
        """, example: "user.tags.length > 2")
    case .repeatedCondition:
      Entry(
        "condition that is repeated",
        """
        The same condition occurs twice in one chain of `&&` or `||`; the second one changes \
        nothing. Often another attribute or another value is intended.
        """, example: "user.age > 18 && user.age > 18")
    case .wrongArgumentCount:
      Entry(
        "wrong number of arguments",
        """
        The function ignores arguments that it does not know, and has no value without those that \
        it needs. `swexpr doc NAME` shows how it is called.
        """, example: "user.email.contains(\"x\", \"i\")")
    case .mixedLogic:
      Entry(
        "`&&` and `||` mixed without parentheses",
        """
        `a || b && c` is `a || (b && c)`, although people read it from the left where `a` and `b` \
        are alternatives. Parentheses say what is meant.
        """, example: "user.isTester || user.isStaff && user.age > 18")
    case .redundantCondition:
      Entry(
        "condition that changes nothing",
        """
        Another condition on the same attribute is stricter (with `&&`) or less strict (with \
        `||`), so that this one changes nothing. Often one of the two has the wrong number or \
        operator.
        """, example: "user.age > 18 && user.age > 21")
    case .negativeIndex:
      Entry(
        "index before the first element",
        """
        Elements are counted from 0, and no index counts from the end. The last element is \
        `user.tags[size(user.tags) - 1]`.
        """, example: "user.tags[-1] == \"dawn\"")
    case .wildcardInText:
      Entry(
        "wildcard in a text",
        """
        `contains`, `startsWith` and `endsWith` look for a text letter by letter, and `*` is one \
        of its letters. Write the text alone; for more than a beginning or an end use `matches` \
        with a regular expression.
        """, example: "user.email.contains(\"*@example.com\")")
    case .failsWhenMissing:
      Entry(
        "negated condition that fails without its attribute",
        """
        A search in a missing text is an error, and an error is not turned around by `!`: the \
        filter does not match. If users without the attribute are to match, let the condition be \
        false for them: `!(has(x) ? x.endsWith("…") : false)`.
        """, example: "!device.platformWrapper.startsWith(\"Flut\")")
    case .otherUnit:
      Entry(
        "number in another unit",
        """
        The attribute is counted in days, minutes or points, or as a share, and the number looks \
        like one in another unit: 604800 are the seconds of seven days. Write it in the unit of \
        the attribute, which `swexpr doc` tells.
        """, example: "device.daysSinceInstall > 604800")
    case .otherPlatform:
      Entry(
        "attribute of another platform",
        """
        The filter requires a platform whose SDK does not send the attribute, so that it is \
        missing for every user who could match. `swexpr doc` tells which platforms have it.
        """, example: "device.platform == \"Android\" && device.interfaceType == \"iphone\"")
    case .unusedVariable:
      Entry(
        "loop that does not read its elements",
        """
        The condition of the loop has the same result for every element, because it does not read \
        the variable. Usually the attribute was meant to be a member of the element: `d.platform`.
        """, example: "user.devices.exists(d, device.platform == \"iOS\")")
    case .patternMeansOther:
      Entry(
        "regular expression that means something else",
        """
        `^a|b$` is `a` at the beginning, or `b` at the end: group the alternatives. In `^+49` the \
        `+` repeats the `^`: a sign that is meant itself is written in brackets, `[+]`.
        """, example: "user.plan.matches(\"^pro|team$\")")
    case .uncoveredValue:
      Entry(
        "value between two ranges",
        """
        One alternative is for what is below a value, another one for what is above it, and the \
        value itself is in neither. Let one of them include it, with `<=` or `>=`.
        """,
        example: "user.level < 10 && user.plan == \"a\" || user.level > 10 && user.plan == \"b\"")
    case .seldomMeant:
      Entry(
        "condition that is seldom what is meant",
        """
        A list of two numbers is not a range, and a user who has another entitlement may have this \
        one, too. The help says how a range is written, or that an element must not be there.
        """, example: "user.seed in [0, 49]")
    default: nil
    }
  }
}
