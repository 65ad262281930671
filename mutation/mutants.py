"""Makes mutants of Swift sources: each is a condition at its place that asks for the mutant's number.

Works on lines, not on syntax trees: it changes what it recognizes, and leaves the rest alone. What the
compiler refuses is taken back by its name, which has no line numbers, so that it lasts.
"""

import collections
import re

OPENERS, CLOSERS = "([{", ")]}"
COMPARISONS = (" == ", " != ", " <= ", " >= ", " < ", " > ")
SHIFTED = {" <= ": " < ", " >= ": " > ", " < ": " <= ", " > ": " >= "}
# Loops whose cases are fast paths: a case that is left out has the same result by design.
FAST_CASES = ("Machine/VM.swift", "Machine/VM+Decisions.swift")

# Parts of a line that have mutants of their own.
TOKENS = re.compile(
    r"(?P<truth>(?<![.\w\"`])(?:true|false)(?![\w\"`]))"
    r"|\bexits\.if(?P<exit>True|False|Failed)\b(?!\s*=[^=])"
    r"|(?P<call>\b(?:fail|raise)\()(?P<code>\.[a-z]\w+)(?=[,)])"
    r"|(?P<side>(?<![\w.)\]])(?<![-+*/%] )[a-z][\w.]*) (?P<sign>&?[+-]) 1(?![\w.])")
INNER = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
MADE = re.compile(rf"\(mutant_is\(\d+\) (?:\? [^:]*? : (?P<kept>{INNER})|!= \((?P<negated>{INNER})\))\)")
CALL = re.compile(r"^\s+[a-zA-Z_][\w.]*\(.*\)$|^\s+[a-zA-Z_][\w.]*\[.*\]\.\w+\(.*\)$")
ASSIGNMENT = re.compile(
    r"^\s+(?!self\.)(?:[\w.()]+(?:\[.*\])?(?:\.\w+)+|\w+(?:\.\w+)*\[.*\]) (?:&?[-+*/|^&]|)= .*$"
    r"|^\s+\w+ (?:&?[-+*|^&])= .*$")


def parts(text, separator):
    """Splits at separators that are not in brackets or texts; None if brackets do not match."""
    result, depth, current, quoted, index = [], 0, "", False, 0
    while index < len(text):
        letter = text[index]
        if letter == '"' and (index == 0 or text[index - 1] != "\\"):
            quoted = not quoted
        if not quoted:
            depth += (letter in OPENERS) - (letter in CLOSERS)
            if depth < 0:
                return None
            if depth == 0 and text.startswith(separator, index):
                result.append(current)
                current = ""
                index += len(separator)
                continue
        current += letter
        index += 1
    return None if depth or quoted else result + [current]


def has(text, *separators):
    """Whether a text has one of the separators outside of brackets."""
    return any(len(parts(text, separator) or []) > 1 for separator in separators)


def joined(lines):
    """The lines with each condition, case and operator on one line, and the number of its first one."""
    index = 0
    while index < len(lines):
        first = index
        line = lines[index]

        def take(ends, most=8):
            nonlocal index, line
            whole, last = line, index
            while not ends(whole) and last - first < most and last + 1 < len(lines):
                last += 1
                if "//" in lines[last]:
                    return
                # The statements of a closure.
                starts = re.match(r"\s*(return|let|var|guard|if)\b", lines[last])
                within = starts and not re.search(r"([{(,=?:&|]|\b(in|guard|if|while))$", whole)
                whole += ("; " if within else " ") + lines[last].strip()
            if ends(whole):
                line, index = whole, last

        if "//" not in line:
            if re.match(r"\s*guard\b", line):
                take(lambda text: re.search(r"\belse( \{|$)", text))
            elif re.match(r"\s*(\} else )?(if|while)\b", line):
                take(lambda text: re.search(r"\{$| \{ .*\}$", text))
            elif re.match(r"\s*case \S", line) and line.endswith((",", "(")):
                take(lambda text: has(text + " ", ": "))
            elif line.strip():
                while index + 1 < len(lines) and "//" not in lines[index + 1] and re.match(
                        r"\s+(\?|:|&&|\|\|) ", lines[index + 1]):
                    index += 1
                    line += " " + lines[index].strip()
        yield first + 1, line
        index += 1


def quoted_lines(lines):
    """The numbers of the lines that belong to texts over several lines."""
    quoted, inside = set(), False
    for number, line in enumerate(lines, 1):
        ends = not line.lstrip().startswith("//") and line.count('"""') % 2
        if inside or ends:
            quoted.add(number)
        inside = inside != bool(ends)
    return quoted


def absent_lines(lines):
    """The numbers of the lines that are not compiled here: those for systems of Apple."""
    absent, stack = set(), []
    for number, line in enumerate(lines, 1):
        word = line.split()[0] if line.strip() else ""
        if word == "#if":
            stack.append("canImport(Darwin)" in line)
        elif word == "#elseif":
            stack[-1] = "canImport(Darwin)" in line
        elif word == "#else":
            stack[-1] = False
        elif word == "#endif":
            stack.pop()
        if any(stack):
            absent.add(number)
    return absent


class Mutants:
    """The mutants in the order of their numbers, which begin with 1.

    All have a number, but only those of `chosen`, if it is given, get into the sources.
    """

    def __init__(self, unusable=(), chosen=None):
        self.all = []
        self.unusable = set(unusable)
        self.chosen = chosen
        self.seen = collections.Counter()

    def skip_to_thousand(self):
        """Leaves out numbers, so that the next one is 1 more than a multiple of 1,000."""
        self.all += [{"name": "", "line": 0, "usable": False}] * (-len(self.all) % 1_000)

    def name(self, kind, text):
        """The name of a new mutant: its file, its kind, the text, and how often the file had these."""
        # A choice contains the mutants of its parts, whose numbers do not last.
        text = " ".join(text.split())
        while MADE.search(text):
            text = MADE.sub(lambda made: made["kept"] or made["negated"], text)
        text = text if len(text) <= 100 else text[:97] + "..."
        name = f"{self.short} {kind}: {text}"
        self.seen[name] += 1
        return name if self.seen[name] == 1 else f"{name} ({self.seen[name]})"

    def add(self, kind, text, original, changed):
        """Adds a mutant.

        `changed` makes the new text of the condition that it is on. Returns the original if the
        compiler has refused the new text before, or if the mutant is not chosen.
        """
        name = self.name(kind, text)
        self.all.append({"name": name, "line": self.line, "usable": name not in self.unusable})
        if name in self.unusable or self.chosen is not None and name not in self.chosen:
            return original
        return changed(f"mutant_is({len(self.all)})")

    # MARK: Conditions

    def clause(self, text):
        """A condition that is negated by one mutant and, if it compares, shifted by another."""
        stripped = text.strip()
        if not stripped or re.match(r"(let|var|case|try|await)\b|#|true$", stripped):
            return text
        if "//" in stripped or parts(stripped, ",") != [stripped]:
            return text
        for sign in (" || ", " && "):
            if has(stripped, " ? ") or not has(stripped, sign):
                continue
            # Each operand by itself.
            return "\n(" + sign.join(self.clause(side) for side in parts(stripped, sign)) + ")"
        body = self.tokens(stripped)
        if not has(stripped, " ? "):
            for sign, other in SHIFTED.items():
                sides = parts(stripped, sign)
                if sides and len(sides) == 2:
                    body = self.add(
                        "boundary", stripped, body,
                        lambda on: f"({on} ? ({sides[0]}{other}{sides[1]}) : ({body}))")
                    break
        original = text if body == stripped else f" ({body})"
        return self.add("negation", stripped, original, lambda on: f"\n({on} != ({body}))")

    def conditions(self, text):
        found = parts(text, ",")
        return text if found is None else ",".join(self.clause(part) for part in found)

    # MARK: Parts of lines

    def tokens(self, text):
        """Constants, exits, failure codes, and ones that are added or subtracted."""
        def replace(match):
            if text[:match.start()].count('"') % 2:
                return match[0]
            if match["truth"]:
                other = "false" if match[0] == "true" else "true"
                return self.add("constant", text, match[0],
                                lambda on: f"({on} ? {other} : {match[0]})")
            if match["exit"]:
                other = {"True": "False", "False": "True", "Failed": "False"}[match["exit"]]
                return self.add("exit", text, match[0],
                                lambda on: f"({on} ? exits.if{other} : {match[0]})")
            if match["code"]:
                other = ".overflow" if match["code"] != ".overflow" else ".noSuchKey"
                return self.add("failure", text, match[0],
                                lambda on: f"{match['call']}({on} ? {other} : {match['code']})")
            return self.add("one", text, match[0],
                            lambda on: f"({on} ? {match['side']} : {match[0]})")

        return TOKENS.sub(replace, text)

    def choice(self, line):
        """The conditions of `? :` within a line, swapped."""
        index = len(line)
        while (index := line.rfind(" ? ", 0, index)) >= 0:
            if line[:index].count('"') % 2 or "mutant_is" in line[max(0, index - 16):index]:
                continue
            start, depth = index, 0
            while start > 0:
                letter = line[start - 1]
                depth += (letter in CLOSERS) - (letter in OPENERS)
                if depth < 0 or depth == 0 and re.search(
                        r"(, |: |\? |[ &+*|-]= |\breturn |\{ | in |^\s+)$", line[:start]):
                    break
                start -= 1
            condition = line[start:index]
            if condition.strip() and not condition.strip().startswith(("let ", "var ", "case ")):
                changed = self.add("choice", condition + line[index:], condition,
                                   lambda on: f"({on} != ({condition}))")
                line = line[:start] + changed + line[index:]
        return line

    def result(self, line, before, after):
        """A comparison that is returned or assigned, or the line as it is."""
        match = re.match(r"^(\s*(?:return |(?:let |var )?\w+ = )?)([^={].*)$", line)
        if not match or has(line, " ? ") or line.rstrip().endswith(("{", ",", "(", "&&", "||")):
            return None
        if not has(match[2], *COMPARISONS, " && ", " || ") or re.match(
                r"\s*(let|var|func|init|static|private|case|for|@|switch|return)\b", match[2]):
            return None
        implicit = not match[1].strip()
        if implicit and not (before.endswith(("{", ":")) and re.match(r"\}|case|default", after)):
            return None
        return match[1] + self.clause(match[2]).lstrip("\n")

    def inner(self, line):
        return self.choice(self.tokens(line))

    # MARK: Lines

    def pattern(self, line, rest):
        """A case of a switch that has a default: each pattern is left out by one mutant."""
        match = re.match(r"^(\s*)case (.*)$", line)
        indent = match[1]
        halves = parts(match[2] + " ", ":")
        if not halves or len(halves) < 2 or re.match(r"\w+ =|let \w|var \w", match[2]):
            return self.inner(line)
        label, body = halves[0], ":".join(halves[1:]).rstrip()
        condition = parts(label, " where ") or [label]
        body = self.inner(body) if body.strip() else ""
        if len(condition) == 2:
            return f"{indent}case {condition[0]} where {self.clause(condition[1])}:{body}"
        has_default = False
        for later in rest:
            if later.strip() and len(later) - len(later.lstrip()) < len(indent) or later == indent + "}":
                break
            has_default = has_default or later.startswith(indent + "default:")
        found = parts(label, ", ")
        if not has_default or not found or self.short in FAST_CASES:
            return f"{indent}case {label}:{body}"
        return f"{indent}case " + ", ".join(
            self.add("case", f"{pattern.strip()}:{halves[1].rstrip()}", pattern,
                     lambda on: f"{pattern} where !{on}")
            for pattern in found) + f":{body}"

    def whole(self, line, before, after, rest):
        """A line with its mutants."""
        short = re.match(r"^(\s*.*\bfunc .* -> \w+\?? \{ )(.*)( \})$", line)
        if short and "//" not in line:
            body = short[2]
            compares = "-> Bool {" in line and not has(body, " ? ")
            return short[1] + (self.clause(body) if compares else self.inner(body)) + short[3]
        if re.match(r"\s*(//|@|import|package import|public import|static let|func |.*\bfunc |init\("
                    r"|mutating |assert)", line) or '"""' in line:
            return line
        if re.match(r"\s*case ", line):
            return self.pattern(line, rest)
        code = line.split(" //")[0]
        if code != line:
            return line
        match = re.match(r"^(\s*(?:\} else )?(?:if|while) )(.*)( \{)$", line) or re.match(
            r"^(\s*(?:\} else )?if )([^{}]*)( \{ .*\})$", line)
        guard = re.match(r"^(\s*guard )(.*?)( else\b.*)$", line)
        loop = re.match(r"^(\s*for .* where )(.*)( \{.*)$", line)
        if match and " else " not in match[2]:
            return match[1] + self.conditions(match[2]) + self.inner(match[3])
        if guard:
            return guard[1] + self.conditions(guard[2]) + self.inner(guard[3])
        if loop:
            return loop[1] + self.clause(loop[2]) + loop[3]
        if before.endswith(("(", ",", "=", "?", "&&", "||", "[", "+", "|")) or re.match(
                r"[.?:|&+]", after):
            return self.inner(line)
        if "reserveCapacity" in line or "giveBack" in line or after == "}" and re.search(
                r"->.*\{$|\bin$|\b(var|let) .*\{$|\{ *\w+ in$", before):
            return self.result(line, before, after) or self.inner(line)
        if re.match(r"\s*(self\.init\(|[A-Z]\w*\(|\w+\(set\))", line):
            return self.inner(line)
        if (CALL.match(line) or ASSIGNMENT.match(line)) and parts(line, ";") == [line]:
            body = self.inner(line.strip())
            original = line.replace(line.strip(), body)
            return self.add("statement", line, original, lambda on: f"if !{on} {{ {body} }}")
        return self.result(line, before, after) or self.inner(line)

    def function(self, line, name, body):
        """The mutants of a function as a whole: it returns a constant. They go before its body.

        `body` has the lines after its head.
        """
        match = re.search(r"(?:->|var \w+:) (\w[\w.<>\[\]]*)(\?)? \{$", line)
        if not match or not body:
            return ""
        kind = "Optional" if match[2] else match[1]
        values = {"Bool": ["false", "true"], "Slot": [".null"], "Optional": ["nil"]}.get(kind, [])
        if kind == "UInt32" and self.short.startswith("Lowering/"):
            values = ["ir.constant(.null, span: tree[tree.root].span)"]
        before = ""
        for value in values:
            before += self.add("function", f"{name} returns {'null' if '(' in value else value}", "",
                               lambda on: f"if {on} {{ return {value} }}; ")
        indent = re.match(r"\s*", body[0])[0]
        own = []
        for following in body:
            if following.strip() and not following.startswith(indent):
                break
            own.append(following)
        returns = re.search(r"\breturn\b|^\s*(let|var|for) ", "\n".join(own), re.M)
        # One call whose closure has statements.
        steps = [text for text in own if re.match(rf"{indent}[^\s)}}\]]", text)]
        if len(steps) == 1 and re.match(r"\s*(try )?[a-z][\w.]*(<\w+>\.\w+)?\(?.*\{", steps[0]) and not re.match(
                r"\s*(if|switch|guard|for|while|do|let|var|return|throw|repeat|defer|await)\b", steps[0]):
            returns = None
        return before + ("return " if before and not returns else "")

    def file(self, text, short):
        """The text of a file with its mutants; `short` is its name in theirs."""
        self.short = short
        lines = text.split("\n")
        found = list(joined(lines))
        kept = quoted_lines(lines) | absent_lines(lines)
        result, name, start = [], "", ""
        for place, (number, line) in enumerate(found):
            self.line = number
            before = found[place - 1][1].rstrip() if place else ""
            after = found[place + 1][1].strip() if place + 1 < len(found) else ""
            changed = line if number in kept else self.whole(line, before, after, lines[number:])
            result.append(start + changed.lstrip() if start else changed)
            if match := re.search(r"\b(?:func|var) (\w+)", line):
                name = match[1]
            start = self.function(line, name, lines[number:])
        return "internal import CMutant\n" + "\n".join(result)
