#!/usr/bin/env python3
"""Counts the matches of many filters over a Parquet file of users in warehouses, and what that costs.

    benchmark_warehouses.py USERS.parquet [--filters 200] [--seed 7] [--cores 2] [WAY...]

USERS.parquet is a file of warehouse/generate.py. Each way runs in a process of its own, and its processor time is that
of all processes it starts, the virtual machine of Java included; all of them must count the same. The ways:

    spark-start   Spark with an empty query, which is part of the next four
    spark-sql     count(*) FILTER (WHERE ...) in Spark's SQL, as an analyst would write it
    spark-tuned   sum(CASE WHEN ...) instead, with spark.sql.codegen.maxFields above the number of filters
    spark-rows    swexpr.spark.counts, with the rows from Spark
    spark-files   swexpr.spark.counts, with the files read by the executors
    duckdb-sql    the same SQL in DuckDB
    native        swexpr over a dataset of pyarrow, without a warehouse
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import random
import resource
import subprocess
import sys
import time

WAYS = ["spark-start", "spark-sql", "spark-tuned", "spark-rows", "spark-files", "duckdb-sql", "native"]
NUMBERS = {
    "user.sessions": 60, "user.seed": 99, "device.totalPaywallViews": 12, "device.daysSince_app_install": 400,
    "device.hoursSince_paywall_close": 500, "params.days": 16, "params.discount": 50,
}
TEXTS = {
    "device.platform": ["iOS", "Android"], "device.interfaceType": ["iphone", "ipad"],
    "device.preferredLanguageCode": ["en", "de", "fr", "pt", "es", "ja"],
    "device.ipCountry": ["United States", "Germany", "France", "Portugal", "Brazil", "Japan"],
    "device.demandTier": ["high", "medium", "low"], "user.homeSpot": ["Croyde", "Ericeira", "Pipeline", "Hossegor"],
    "device.latestSubscriptionPeriodType": ["trial", "subscription"], "params.host": ["offer"],
}


def condition(chance: random.Random) -> tuple[str, str]:
    """A condition as a filter, and as SQL with the same result where the column is NULL."""
    kind = chance.random()
    if kind < 0.5:
        name, most = chance.choice(sorted(NUMBERS.items()))
        bound = chance.randint(1, most)
        if chance.random() < 0.6:
            return f"{name} >= {bound}", f"{name} >= {bound}"
        return f"{name} < {bound}", f"coalesce({name}, 0) < {bound}"
    if kind < 0.9:
        name, values = chance.choice(sorted(TEXTS.items()))
        value = chance.choice(values)
        if chance.random() < 0.7:
            return f'{name} == "{value}"', f"{name} = '{value}'"
        return f'{name} != "{value}"', f"({name} <> '{value}' OR {name} IS NULL)"
    return "user.isLoggedIn == true", "user.isLoggedIn"


def pairs(count: int, seed: int) -> list[tuple[str, str]]:
    """Filters of one to four conditions, and their SQL."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        parts = [condition(chance) for _ in range(chance.randint(1, 4))]
        joined = chance.random() < 0.8
        found.append(((" && " if joined else " || ").join(part[0] for part in parts),
                      (" AND " if joined else " OR ").join(part[1] for part in parts)))
    return found


def run(way: str, file: str, filters: list[tuple[str, str]], cores: int) -> list[int]:
    """The counts of one way."""
    columns = ", ".join(f"count(*) FILTER (WHERE {sql})" for _, sql in filters)
    texts = {str(number): text for number, (text, _) in enumerate(filters)}
    if way == "native":
        import pyarrow.dataset

        import swexpr

        return list(swexpr.FilterSet(texts).counts(pyarrow.dataset.dataset(file), threads=cores).values())
    if way == "duckdb-sql":
        import duckdb

        con = duckdb.connect(config={"threads": cores})
        return list(con.execute(f"SELECT {columns} FROM '{file}'").fetchone())
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false").config(
        "spark.driver.memory", "4g").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    try:
        if way == "spark-start":
            session.range(1).collect()
            return []
        users = session.read.parquet(file)
        if way == "spark-tuned":
            session.conf.set("spark.sql.codegen.maxFields", str(5 * len(filters)))
            columns = ", ".join(f"sum(CASE WHEN {sql} THEN 1L ELSE 0L END)" for _, sql in filters)
        if way in ("spark-sql", "spark-tuned"):
            users.createOrReplaceTempView("users")
            return list(session.sql(f"SELECT {columns} FROM users").collect()[0])
        import swexpr.spark

        return list(swexpr.spark.counts(users, texts, files=way == "spark-files").values())
    finally:
        session.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("ways", nargs="*", default=WAYS, metavar="WAY")
    parser.add_argument("--filters", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    options = parser.parse_args()
    filters = pairs(options.filters, options.seed)
    if options.run:
        json.dump(run(options.run, options.file, filters, options.cores), sys.stdout)
        return
    if sys.platform == "linux":  # processes whose parent ends first are this one's, and counted as well
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    counts: dict[str, list[int]] = {}
    for way in options.ways:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            [sys.executable, __file__, options.file, "--filters", str(options.filters), "--seed", str(options.seed),
             "--cores", str(options.cores), "--run", way], stdout=subprocess.PIPE, check=True)
        wall = time.monotonic() - start
        while True:
            try:
                os.wait()
            except ChildProcessError:
                break
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = json.loads(done.stdout)
        if found:
            counts[way] = found
        processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        print(f"{way:12} {wall:7.1f} s wall {processor:7.1f} s processor time {sum(found):14,} matches", flush=True)
    if len({tuple(found) for found in counts.values()}) > 1:
        sys.exit("the counts differ")


if __name__ == "__main__":
    main()
