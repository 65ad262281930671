#!/usr/bin/env python3
"""Makes large sets of filters and the events that they meet, as the literature on matching measures them.

    sets.py be SEED FILTERS EVENTS FOLDER [options]
    sets.py abe SEED FILTERS EVENTS FOLDER [options]

`be` makes conjunctions as BE-Gen does, by its descriptions in BE-Tree (SIGMOD 2011) and PS-Tree (PVLDB 12(3),
2018); `abe` makes trees of and, or, not, xor and xnor as ABE-Gen does, by its description in A-Tree (SIGMOD
2021). The defaults are those of the papers; README.md lists what they leave open.

    filters.txt      one filter a line, valid in both dialects
    events.jsonl     one event a line: {"user": {"a17": 4, …}}
    expected.txt     the matches of each of the first 20 events, from the evaluator in this file; of up to
                     100,000 filters
    filters.tree, events.values    the same for set_floor.c
"""

import argparse
import bisect
import gc
import itertools
import json
import operator
import pathlib
import random

OPERATORS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}
INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# A missing attribute counts as 0 in comparisons of the superscript dialect, and these hold for 0. Values
# are 1 and more, so that `a > 0` tells whether there is one.
HOLD_FOR_MISSING = {"!=", "<", "<="}
MOST_EXPECTED = 100_000


class Zipf:
    """Draws ranks from 0, rank r with a probability proportional to (r + 1) ** -exponent."""

    def __init__(self, count, exponent):
        self.count = count
        self.sums = None
        if exponent > 0:
            self.sums = list(itertools.accumulate((r + 1) ** -exponent for r in range(count)))

    def draw(self, rng):
        if self.sums is None:
            return rng.randrange(self.count)
        return min(bisect.bisect(self.sums, rng.random() * self.sums[-1]), self.count - 1)

    def distinct(self, rng, count):
        if self.sums is None:
            return rng.sample(range(self.count), count)
        drawn = {}
        while len(drawn) < count:
            drawn[self.draw(rng)] = True
        return list(drawn)


def condition_text(attribute, op, value, is_nested):
    text = f"user.a{attribute} {op} {value}"
    if op in HOLD_FOR_MISSING:
        text = f"user.a{attribute} > 0 && {text}"
        return f"({text})" if is_nested else text
    return text


class Output:
    """The files of a workload."""

    def __init__(self, folder, events):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.open("events.jsonl") as file:
            for event in events:
                user = {f"a{attribute}": value for attribute, value in event.items()}
                file.write(json.dumps({"user": user}, separators=(",", ":")) + "\n")
        with self.open("events.values") as file:
            for event in events:
                file.write(" ".join(f"{a} {value}" for a, value in event.items()) + "\n")
        self.filters = self.open("filters.txt")
        self.trees = self.open("filters.tree")

    def open(self, name):
        return open(self.folder / name, "w", encoding="utf-8")

    def finish(self, counts):
        self.filters.close()
        self.trees.close()
        expected = self.folder / "expected.txt"
        expected.unlink(missing_ok=True)
        if counts is not None:
            expected.write_text("".join(f"{count}\n" for count in counts), encoding="utf-8")


# Conjunctions


def make_conjunctions(options):
    rng = random.Random(f"be {options.seed}")
    attributes = Zipf(options.dimensions, options.dimension_exponent)

    def make_event():
        names = attributes.distinct(rng, min(options.event_size, options.dimensions))
        return {name: rng.randint(1, options.cardinality) for name in names}

    # A share of `match` of all filters is true of each of these, which are the events, too.
    model_count = max(1, round(1 / options.match))
    models = [make_event() for _ in range(max(model_count, options.events))]
    output = Output(options.folder, models[:options.events])
    first = models[:min(20, options.events)]
    counts = [0] * len(first) if options.filters <= MOST_EXPECTED else None

    for _ in range(options.filters):
        model = models[rng.randrange(model_count)]
        names = rng.sample(list(model), min(options.size, len(model)))
        conditions = [(name, *true_condition(rng, model[name], options)) for name in names]
        texts = (condition_text(*condition, is_nested=False) for condition in conditions)
        output.filters.write(" && ".join(texts) + "\n")
        leaves = " ".join(f"{op} {name} {value}" for name, op, value in conditions)
        output.trees.write(f"& {len(conditions)} {leaves}\n")
        if counts is not None:
            for index, event in enumerate(first):
                counts[index] += all(
                    name in event and OPERATORS[op](event[name], value)
                    for name, op, value in conditions)
    output.finish(counts)


def true_condition(rng, value, options):
    """A condition that holds for a value, its bound drawn from those for which it does."""
    if rng.random() < options.equality:
        return "==", value
    most = options.cardinality
    bounds = {"<": (value + 1, most + 1), "<=": (value, most), ">": (0, value - 1), ">=": (1, value)}
    op = rng.choice(list(bounds))
    return op, rng.randint(*bounds[op])


# Trees


class Tree:
    """A node of a tree, and for each of the first events whether it is true or false.

    `true` and `false` hold a bit for each event; an event without the attribute has neither, and a tree
    with such conditions follows the logic of three values. Texts have no negations: they are pushed into
    the conditions, so that in them a condition on a missing attribute can count as false.
    """

    __slots__ = ("op", "children", "condition", "true", "false", "texts")

    def __init__(self, op, children=(), condition=None):
        self.op, self.children, self.condition = op, children, condition
        self.true = self.false = 0
        self.texts = [None, None]

    def decide(self, events):
        """Fills in `true` and `false`; the children's are there."""
        if self.op == "leaf":
            attribute, op, value = self.condition
            for index, event in enumerate(events):
                if attribute in event:
                    if OPERATORS[op](event[attribute], value):
                        self.true |= 1 << index
                    else:
                        self.false |= 1 << index
            return
        true, false = self.children[0].true, self.children[0].false
        for child in self.children[1:]:
            if self.op == "and":
                true, false = true & child.true, false | child.false
            elif self.op == "or":
                true, false = true | child.true, false & child.false
            else:
                true, false = (
                    true & child.false | false & child.true, true & child.true | false & child.false)
        if self.op in ("not", "xnor"):
            true, false = false, true
        self.true, self.false = true, false

    def written(self, negated):
        """The text of the filter and the tree for set_floor.c."""
        if self.texts[negated] is None:
            self.texts[negated] = self.write(negated)
        return self.texts[negated]

    def write(self, negated):
        if self.op == "leaf":
            attribute, op, value = self.condition
            op = INVERSE[op] if negated else op
            text = condition_text(attribute, op, value, is_nested=True)
            return text, f"{op} {attribute} {value}"
        if self.op == "not":
            return self.children[0].written(not negated)
        if self.op in ("and", "or"):
            return combined((self.op == "and") != negated, [c.written(negated) for c in self.children])
        a, b = self.children
        # Exactly one of two holds, or both or neither.
        differs = (self.op == "xor") != negated
        return combined(False, [
            combined(True, [a.written(False), b.written(differs)]),
            combined(True, [a.written(True), b.written(not differs)]),
        ])


def combined(is_and, parts):
    texts, trees = zip(*parts)
    text = "(" + (" && " if is_and else " || ").join(texts) + ")"
    return text, f"{'&' if is_and else '|'} {len(parts)} {' '.join(trees)}"


def make_trees(options):
    rng = random.Random(f"abe {options.seed}")
    attributes = Zipf(options.dimensions, options.dimension_exponent)
    events = []
    for _ in range(options.events):
        names = rng.sample(range(options.dimensions), min(options.event_size, options.dimensions))
        events.append({name: rng.randint(1, options.cardinality) for name in names})
    output = Output(options.folder, events)
    is_counted = options.filters <= MOST_EXPECTED
    first = events[:20] if is_counted else []
    counts = [0] * len(first) if is_counted else None
    ranks = Zipf(max(1, round(options.pool * options.filters)), options.exponent)
    # The subexpressions that filters share, by depth and rank.
    pools = {}

    def make_leaf():
        op = rng.choice(options.operators.split(","))
        # No condition is always or never true.
        low = 2 if op in ("<", ">=") else 1
        high = options.cardinality - 1 if op in (">", "<=") else options.cardinality
        leaf = Tree("leaf", condition=(attributes.draw(rng), op, rng.randint(low, high)))
        leaf.decide(first)
        return leaf

    def make_child(depth):
        if depth == options.depth:
            return make_leaf()
        if options.exponent <= 0:
            return make_tree(depth)
        pool = pools.setdefault(depth, {})
        rank = ranks.draw(rng)
        found = pool.get(rank)
        if found is None:
            found = pool[rank] = make_tree(depth)
        return found

    def make_tree(depth):
        if depth == options.depth:
            return make_leaf()
        op = rng.choices(("and", "or", "not", "xor", "xnor"), (40, 40, 10, 5, 5))[0]
        count = {"and": options.children, "or": options.children, "not": 1}.get(op, 2)
        tree = Tree(op, [make_child(depth + 1) for _ in range(count)])
        tree.decide(first)
        return tree

    for _ in range(options.filters):
        tree = make_tree(1)
        text, floor = tree.write(False)
        output.filters.write(text + "\n")
        output.trees.write(floor + "\n")
        for index in range(len(first)):
            counts[index] += tree.true >> index & 1
    output.finish(counts)


# The command line


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    be = kinds.add_parser("be", help="conjunctions, as BE-Gen makes them")
    abe = kinds.add_parser("abe", help="trees, as ABE-Gen makes them")
    for kind in (be, abe):
        for name in ("seed", "filters", "events"):
            kind.add_argument(name, type=int)
        kind.add_argument("folder")
        kind.add_argument("--cardinality", type=int, default=100, help="values of an attribute")
        kind.add_argument(
            "--dimension-exponent", type=float, default=0, help="Zipf exponent of attributes")
    be.set_defaults(make=make_conjunctions)
    be.add_argument("--dimensions", type=int, default=100, help="attributes; the papers have 30000, too")
    be.add_argument("--size", type=int, default=5, help="conditions of a filter")
    be.add_argument("--event-size", type=int, default=30, help="attributes of an event")
    be.add_argument("--match", type=float, default=0.001, help="share of filters that an event matches")
    be.add_argument("--equality", type=float, default=0.2, help="share of conditions with ==")
    abe.set_defaults(make=make_trees)
    abe.add_argument("--dimensions", type=int, default=1000, help="attributes")
    abe.add_argument("--event-size", type=int, default=20, help="attributes of an event")
    abe.add_argument("--depth", type=int, default=3, help="of a tree; its conditions are that deep")
    abe.add_argument("--children", type=int, default=4, help="of and, or")
    abe.add_argument("--exponent", type=float, default=0.6, help="Zipf exponent of subexpressions")
    abe.add_argument("--pool", type=float, default=0.89, help="subexpressions per filter to draw from")
    abe.add_argument("--operators", default="==", help="of conditions, for instance ==,!=,<,>=")
    return parser.parse_args()


def main():
    options = arguments()
    # Nothing that is made here has cycles, and looking for them takes longer than all the rest.
    gc.disable()
    options.make(options)


if __name__ == "__main__":
    main()
