"""Runs the filters on the peers that come as Python wheels and prints a JSON array.

    python_peers.py FILTERS EXPRESSIONS ROUNDS BATCH_MS

Each figure is taken through Python. The same call on the constant `true` is measured in turn with it
and subtracted: ns_net is what the engine itself needs, as far as that can be told from here.
"""

import importlib.metadata
import json
import statistics
import sys
import time
from itertools import repeat


def elapsed(run, count):
    start = time.perf_counter_ns()
    run(count)
    return time.perf_counter_ns() - start


def measure(run, empty, per_count, rounds, batch_ns):
    """The figures of one filter; `per_count` evaluations happen per unit of count."""
    count = 1
    while (taken := elapsed(run, count)) < batch_ns / 4:
        count *= 2
    count = max(1, round(count * batch_ns / taken))
    times, calls, nets = [], [], []
    for _ in range(rounds):
        times.append(elapsed(run, count) / count / per_count)
        calls.append(elapsed(empty, count) / count / per_count)
        nets.append(times[-1] - calls[-1])
    return {
        "ns_median": statistics.median(times),
        "ns_min": min(times),
        "ns_call": statistics.median(calls),
        "ns_net": statistics.median(nets),
    }


def compile_us(compile_once, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        for _ in range(20):
            compile_once()
        times.append((time.perf_counter_ns() - start) / 20 / 1000)
    return statistics.median(times)


def loop(function, *arguments):
    """A loop over one call, with everything looked up beforehand."""

    def run(count):
        for _ in repeat(None, count):
            function(*arguments)

    return run


def cel_cpp(context):
    from cel_expr_python import cel

    attributes = cel.Type.Map(cel.Type.STRING, cel.Type.DYN)
    env = cel.NewEnv(variables={root: attributes for root in context})
    activation = env.Activation(context)

    def compile_any(source):
        try:
            return env.compile(source)
        except RuntimeError:
            # Its checker refuses to compare an int with a double; its evaluator does it.
            return env.compile(source, disable_check=True)

    def prepare(row):
        expression = compile_any(row["expression"])
        answer = expression.eval(activation).value()
        return loop(expression.eval, activation), answer, lambda: compile_any(row["expression"])

    return prepare, loop(env.compile("true").eval, activation), 1


def cel_rust(context):
    import cel

    values = cel.Context()
    values.update(context)

    def prepare(row):
        program = cel.compile(row["expression"])
        answer = program.execute(values)
        return loop(program.execute, values), answer, lambda: cel.compile(row["expression"])

    return prepare, loop(cel.compile("true").execute, values), 1


def datalogic(context):
    import datalogic_py

    engine = datalogic_py.Engine()
    session = engine.session()
    # One native call evaluates this many, so that Python's share of each is small.
    handles = [datalogic_py.DataHandle(json.dumps(context))] * 1000

    def prepare(row):
        if row["jsonlogic"] is None:
            return None
        text = json.dumps(row["jsonlogic"])
        rule = engine.compile(text)
        answers = set(session.evaluate_batch(rule, handles))
        answer = json.loads(answers.pop()) if len(answers) == 1 else answers
        return loop(session.evaluate_batch, rule, handles), answer, lambda: engine.compile(text)

    return prepare, loop(session.evaluate_batch, engine.compile("true"), handles), len(handles)


PEERS = [
    ("cel-cpp", "cel-expr-python", cel_cpp),
    ("cel-rust", "common-expression-language", cel_rust),
    ("datalogic", "datalogic-py", datalogic),
]


def main():
    filters_file, expressions_file, rounds, batch_ms = sys.argv[1:5]
    rounds, batch_ns = int(rounds), float(batch_ms) * 1e6
    with open(filters_file, encoding="utf-8") as file:
        data = json.load(file)
    with open(expressions_file, encoding="utf-8") as file:
        translations = json.load(file)
    results = []
    for name, distribution, make in PEERS:
        prepare, empty, per_count = make(data["context"])
        rows = []
        for entry in data["filters"]:
            prepared = prepare({**entry, **translations[entry["name"]]})
            if prepared is None:
                continue
            run, answer, compile_once = prepared
            if answer is not entry["expected"]:
                print(f"{name} answers {entry['name']} with {answer!r}: left out", file=sys.stderr)
                continue
            figures = measure(run, empty, per_count, rounds, batch_ns)
            compiling = compile_us(compile_once, rounds)
            rows.append(
                {"name": entry["name"], **figures, "compile_us": compiling, "result": answer}
            )
        version = importlib.metadata.version(distribution)
        results.append({"engine": name, "version": version, "filters": rows})
    json.dump(results, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
