#!/usr/bin/env python3
"""Counts the matches of many filters over columns.

    benchmark.py FOLDER [COUNT ...]

FOLDER is a workload of benchmarks/workloads/app.py: filters.json and contexts.jsonl. For each COUNT (20 and 200) it
prints the processor time per filter and row on one thread, of columns of text and of columns with dictionaries. The
counts must be equal, and those of the first rows to what each filter says of each row.
"""

import itertools
import json
import pathlib
import sys
import time

import pyarrow

import swexpr


def clock(body, rounds=3):
    best = None
    for _ in range(rounds):
        start = time.thread_time()
        result = body()
        took = time.thread_time() - start
        best = took if best is None else min(best, took)
    return best, result


def main(folder, counts):
    rows = [json.loads(line) for line in open(folder / "contexts.jsonl")]
    names = sorted({(root, name) for row in rows for root in row for name in row[root]})
    columns = {f"{root}.{name}": pyarrow.array([row.get(root, {}).get(name) for row in rows]) for root, name in names}
    repeat = max(1, 200_000 // len(rows))
    plain = pyarrow.concat_tables([pyarrow.table(columns)] * repeat).combine_chunks()
    coded = pyarrow.table({
        name: column.combine_chunks().dictionary_encode() if pyarrow.types.is_string(column.type) else column
        for name, column in zip(plain.column_names, plain.columns)})
    texts = [filter["swexpr"] for filter in json.load(open(folder / "filters.json"))]
    for count in counts:
        filters = swexpr.FilterSet(texts[:count])
        filters.counts(plain.slice(0, 1), threads=1)
        seconds, found = clock(lambda: filters.counts(plain, threads=1))
        coded_seconds, coded_found = clock(lambda: filters.counts(coded, threads=1))
        assert found == coded_found
        single = [swexpr.Filter(text) for text in texts[:count]]
        expected = [sum(filter.matches(row) for row in rows[:200]) for filter in itertools.islice(single, 20)]
        assert list(filters.counts(plain.slice(0, 200), threads=1).values())[:20] == expected
        scale = 1e9 / plain.num_rows / count
        print(f"{count} filters, {plain.num_rows} rows: {seconds * scale:.2f} ns per filter and row, "
              f"with dictionaries {coded_seconds * scale:.2f}; {sum(found.values())} matches")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), [int(count) for count in sys.argv[2:]] or [20, 200])
