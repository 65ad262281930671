#!/usr/bin/env python3
"""Makes a workload as an app has it: many filters, and a new context each time.

    app.py SEED FILTERS CONTEXTS FOLDER

Filters have one to seven conditions: comparisons, `in`, startsWith, endsWith, arithmetic and negations.
One in five conditions is an alternative to the one in front of it. Every filter is valid in both dialects.
A context has about 50 attributes. Thirteen of them are absent in three contexts of ten, so that almost
every context has a set of names of its own; an attribute always has the same kind.

    filters.json     [{"swexpr": FILTER}]
    contexts.jsonl   one context a line: the roots `user`, `device` and `params`
    expected.txt     matches of the first 20 filters and of the first 200 over all contexts, and of all
                     filters over the first context, from the evaluator in this file
    filters.h        the same filters written by hand in C, for app_floor.c
    contexts.tsv     the same contexts for app_floor.c
"""

import json
import operator
import pathlib
import random
import sys

PLANS = ("free", "trial", "monthly", "annual", "family")
REGIONS = ("US", "CA", "MX", "BR", "GB", "DE", "FR", "IT", "JP", "KR")
LANGUAGES = ("en", "es", "pt", "de", "fr", "ko")
PLACEMENTS = ("app_launch", "onboarding_end", "export_tap", "streak_lost", "profile", "share_sheet")
TAGS = ("early", "referred", "lapsed", "athlete", "student", "gifted")
NAMES = ("ada", "bo", "chris", "dee", "team.eve")
DOMAINS = ("@gmail.com", "@icloud.com", "@school.edu", "@mail.org")
SIZES = (1, 2, 2, 3, 3, 3, 4, 4, 5, 7)
OPERATORS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">=": operator.ge, ">": operator.gt,
}


def quoted(text):
    return f'"{text}"'


def literal(text):
    """A text as the C floor passes it: the bytes, and their number."""
    return f"LITERAL({quoted(text)})"


def key_hash(text):
    """The hash of a key as floor_hash in ../Sources/Floors/context.h works it out."""
    def mix(a, b):
        product = a * b
        return (product ^ product >> 64) & (1 << 64) - 1

    data = text.encode()
    result = 0x9E3779B97F4A7C15 ^ len(data)
    for at in range(0, len(data), 8):
        result = mix(result ^ int.from_bytes(data[at:at + 8], "little"), 0xD6E8FEB86659FD93)
    return result


def key(text):
    """A key as the C floor passes it: its hash, its bytes and their number."""
    return f"{key_hash(text):#x}u, {literal(text)}"


class Comparison:
    """An attribute beside a constant."""

    C_NAMES = {
        ("text", "=="): "text_equal", ("text", "!="): "text_differs", ("text", ">="): "text_at_least",
        ("int", ">="): "number_at_least", ("int", ">"): "number_above", ("int", "<"): "number_below",
        ("double", ">"): "double_above",
    }

    def __init__(self, path, op, value):
        self.path, self.op, self.value = path, op, value
        self.paths = (path,)
        kinds = {str: "text", int: "int", float: "double"}
        self.kind = kinds[type(value)]

    def text(self):
        value = quoted(self.value) if self.kind == "text" else self.value
        return f"{self.path} {self.op} {value}"

    def holds(self, get):
        return OPERATORS[self.op](get(self.path), self.value)

    def c(self, read):
        value = literal(self.value) if self.kind == "text" else self.value
        return f"{self.C_NAMES[self.kind, self.op]}({read(self.path)}, {value}) == FLOOR_YES"


class OneOf:
    """An attribute among constants."""

    def __init__(self, path, values):
        self.path, self.values, self.paths = path, values, (path,)

    def text(self):
        return f"{self.path} in [{', '.join(map(quoted, self.values))}]"

    def holds(self, get):
        return get(self.path) in self.values

    def c(self, read):
        cases = " || ".join(f"bytes_equal(b, n, {literal(value)})" for value in self.values)
        return (
            f"({{ const floor_value *v = {read(self.path)}; bool is = false; "
            "if (v && v->tag == FLOOR_TAG_TEXT) { "
            f"const char *b = v->as.text; uint32_t n = v->length; is = {cases}; }} is; }})"
        )


class Affix:
    """How a text starts or ends."""

    def __init__(self, path, function, value):
        self.path, self.function, self.value, self.paths = path, function, value, (path,)

    def text(self):
        return f"{self.path}.{self.function}({quoted(self.value)})"

    def holds(self, get):
        text = get(self.path)
        starts = self.function == "startsWith"
        return text.startswith(self.value) if starts else text.endswith(self.value)

    def c(self, read):
        name = "text_starts" if self.function == "startsWith" else "text_ends"
        return f"{name}({read(self.path)}, {literal(self.value)}) == FLOOR_YES"


class Contains:
    """A constant among the elements of an attribute."""

    def __init__(self, value, path):
        self.value, self.path, self.paths = value, path, (path,)

    def text(self):
        return f"{quoted(self.value)} in {self.path}"

    def holds(self, get):
        return self.value in get(self.path)

    def c(self, read):
        return f"text_in_list({read(self.path)}, {literal(self.value)}) == FLOOR_YES"


class WeightedSum:
    """A multiple of one attribute and another one, above a bound."""

    def __init__(self, path, factor, other, bound):
        self.factor, self.bound, self.paths = factor, bound, (path, other)

    def text(self):
        return f"{self.paths[0]} * {self.factor} + {self.paths[1]} > {self.bound}"

    def holds(self, get):
        return get(self.paths[0]) * self.factor + get(self.paths[1]) > self.bound

    def c(self, read):
        first, second = map(read, self.paths)
        return f"sum_above({first}, {self.factor}, {second}, {self.bound})"


class Not:
    """A negation."""

    def __init__(self, operand):
        self.operand, self.paths = operand, operand.paths

    def text(self):
        return f"!({self.operand.text()})"

    def holds(self, get):
        return not self.operand.holds(get)

    def c(self, read):
        return f"!({self.operand.c(read)})"


def condition(rng):
    """One of sixteen kinds of conditions, all of them as likely."""
    kinds = (
        lambda: Comparison("user.age", ">=", rng.randint(16, 65)),
        lambda: Comparison("user.plan", "==", rng.choice(PLANS)),
        lambda: Comparison("user.sessions", ">", rng.randint(0, 50)),
        lambda: Comparison("device.platform", "==", rng.choice(("iOS", "Android"))),
        lambda: Comparison("device.appVersionPadded", ">=", version(rng, (10, 12, 20), 0)),
        lambda: OneOf("device.regionCode", rng.sample(REGIONS, rng.randint(2, 5))),
        lambda: Comparison("device.languageCode", "!=", rng.choice(LANGUAGES)),
        lambda: Comparison("device.daysSinceInstall", ">=", rng.randint(0, 60)),
        lambda: Comparison("device.totalPaywallViews", "<", rng.randint(1, 30)),
        lambda: Comparison("params.placement", "==", rng.choice(PLACEMENTS)),
        lambda: Affix("user.email", "startsWith", rng.choice(("a", "ch", "q", "team."))),
        lambda: Affix("user.email", "endsWith", rng.choice(("@gmail.com", "@icloud.com", ".edu"))),
        lambda: Contains(rng.choice(TAGS[:4]), "user.tags"),
        lambda: WeightedSum(
            "user.sessions", rng.randint(2, 5), "user.purchases", rng.randint(5, 200)),
        lambda: Comparison("user.ltv", ">", rng.randint(0, 90) + 0.5),
        lambda: Not(condition(rng)),
    )
    return rng.choice(kinds)()


def version(rng, minors, patch):
    return f"{rng.randint(1, 3):03}.{rng.choice(minors):03}.{patch:03}"


def make_filter(rng):
    """A filter: all groups hold, and of each group at least one condition."""
    groups = []
    for _ in range(rng.choice(SIZES)):
        item = condition(rng)
        if rng.random() < 0.2 and groups:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def joined(groups, text):
    """A filter in a language that has `&&`, `||` and parentheses."""
    parts = []
    for group in groups:
        part = " || ".join(map(text, group))
        parts.append(f"({part})" if len(group) > 1 else part)
    return " && ".join(parts)


def holds(groups, get):
    return all(any(item.holds(get) for item in group) for group in groups)


def make_context(rng, number):
    def at_times(attributes):
        return {name: value for name, value in attributes.items() if rng.random() >= 0.3}

    user = {
        "id": f"user-{number}",
        "age": rng.randint(13, 80),
        "plan": rng.choice(PLANS),
        "sessions": rng.randint(0, 60),
        "purchases": rng.randint(0, 15),
        # Never a whole number, so that it is a double in JSON.
        "ltv": rng.randint(0, 9999) / 100 + 0.001,
        "email": f"{rng.choice(NAMES)}{number}{rng.choice(DOMAINS)}",
        "tags": rng.sample(TAGS, rng.randint(0, 4)),
    } | at_times({
        "name": f"User {number}",
        "isSignedIn": rng.random() < 0.5,
        "points": rng.randint(0, 1000),
        "address": {"city": "Lyon", "postalCode": "69001"},
    })
    device = {
        "platform": rng.choice(("iOS", "Android")),
        "appVersionPadded": version(rng, (8, 10, 11, 12, 20, 21), rng.randint(0, 9)),
        "regionCode": rng.choice(REGIONS),
        "languageCode": rng.choice(LANGUAGES),
        "daysSinceInstall": rng.randint(0, 90),
        "totalPaywallViews": rng.randint(0, 40),
        "deviceModel": "iPhone16,1",
        "osVersion": "18.4",
        "isSandbox": False,
        "activeEntitlements": [],
        "interfaceStyle": "light",
        "bundleId": "org.example.app",
        "sdkVersion": "4.10.0",
    }
    # An SDK adds 25 attributes of four kinds, every third of them absent at times.
    extras = {f"extra{i}": (i, f"text {i}", True, 2.5)[i % 4] for i in range(25)}
    device |= {name: value for i, (name, value) in enumerate(extras.items()) if i % 3}
    device |= at_times({name: value for i, (name, value) in enumerate(extras.items()) if not i % 3})
    params = {"placement": rng.choice(PLACEMENTS), "step": rng.randint(0, 9)}
    return {"user": user, "device": device, "params": params}


def getter(context):
    def get(path):
        root, name = path.split(".")
        return context[root][name]

    return get


def c_source(filters):
    """The filters in C: one function each, and one function for each condition that differs."""
    def read(path):
        return "read_path(context, {}, {})".format(*map(key, path.split(".")))

    lines = ["// Generated; see app.py.", ""]
    for index, groups in enumerate(filters):
        body = joined(groups, lambda item: item.c(read))
        lines.append(f"FILTER(F{index}) {{ return {body}; }}")
    lines += ["static const filter filters[] = {"]
    lines += [f"  F{index}," for index in range(len(filters))] + ["};", ""]

    # The same with attributes and conditions shared by all filters.
    paths, conditions, counts = {}, {}, []
    combined = []
    for index, groups in enumerate(filters):
        def reference(item):
            for path in item.paths:
                paths.setdefault(path, len(paths))
            body = item.c(lambda path: f"attributes[{paths[path]}]")
            return f"holds[{conditions.setdefault(body, len(conditions))}]"

        combined.append(f"COMBINATION(G{index}) {{ return {joined(groups, reference)}; }}")
        counts.append(len(conditions))
    for body, number in conditions.items():
        lines.append(f"CONDITION(C{number}) {{ return {body}; }}")
    lines += ["static const condition conditions[] = {"]
    lines += [f"  C{number}," for number in range(len(conditions))] + ["};", ""]
    lines += combined + ["static const combination combinations[] = {"]
    lines += [f"  G{index}," for index in range(len(filters))] + ["};", ""]
    lines.append("// The number of conditions that the filters up to each one have.")
    lines.append(f"static const int condition_counts[] = {{{', '.join(map(str, counts))}}};")
    lines.append(f"enum {{ ATTRIBUTE_COUNT = {len(paths)} }};")
    lines.append("static void read_attributes(const floor_context *context, "
                 "const floor_value **attributes) {")
    lines += [f"  attributes[{number}] = {read(path)};" for path, number in paths.items()]
    lines.append("}")
    return "\n".join(lines) + "\n"


def tsv(context):
    """The lines of a context: root, name, kind and value of each attribute, and an empty line."""
    lines = []
    for root, attributes in context.items():
        for name, value in attributes.items():
            kinds = {bool: "b", int: "i", float: "d", str: "s", list: "l", dict: "m"}
            kind = kinds[type(value)]
            if kind == "b":
                value = int(value)
            elif kind == "l":
                value = ",".join(value)
            elif kind == "m":
                value = ""
            lines.append(f"{root}\t{name}\t{kind}\t{value}\n")
    return "".join(lines) + "\n"


def make(seed, filter_count, context_count, folder):
    """Writes a workload into a folder."""
    rng = random.Random(f"app {seed}")
    filters = [make_filter(rng) for _ in range(filter_count)]
    contexts = [make_context(rng, number) for number in range(context_count)]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    texts = [joined(groups, lambda item: item.text()) for groups in filters]
    rows = ",\n".join(json.dumps({"swexpr": text}) for text in texts)
    (folder / "filters.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    with open(folder / "contexts.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(context) + "\n" for context in contexts)
    with open(folder / "contexts.tsv", "w", encoding="utf-8") as file:
        file.writelines(map(tsv, contexts))
    (folder / "filters.h").write_text(c_source(filters), encoding="utf-8")

    getters = list(map(getter, contexts))
    counts = {}
    for count in (20, 200):
        if count <= filter_count:
            counts[f"each{count}"] = sum(
                holds(groups, get) for get in getters for groups in filters[:count])
    counts["once"] = sum(holds(groups, getters[0]) for groups in filters)
    (folder / "expected.txt").write_text(
        "".join(f"{name} {count}\n" for name, count in counts.items()), encoding="utf-8")


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    make(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])


if __name__ == "__main__":
    main()
