"""Compares the SQL of filters with the SQL that one would write for clean rows, in DuckDB.

    python ratios.py SWEXPR [COUNT] [THREADS]

SWEXPR is the tool, COUNT the number of users (10,000,000). For each filter: the least processor time of
four runs of both, and how many times as long the exact one takes.
"""

import json
import resource
import subprocess
import sys
import tempfile

import duckdb

SCHEMA = {
    "user.age": "int", "user.country": "string", "user.sessions": "int", "user.email": "string",
    "user.score": "number", "user.tags": "list(string)", "user.props": "map",
}

COUNTRIES = ["SE", "DE", "FR", "US", "GB", "JP", "BR", "IN"]

# A tenth of each attribute is missing.
USERS = """
CREATE TABLE users AS SELECT
  CASE WHEN hash(n, 1) % 10 < 9 THEN CAST(hash(n, 2) % 80 AS BIGINT) END AS "user.age",
  CASE WHEN hash(n, 3) % 10 < 9
    THEN list_extract({countries}, CAST(1 + hash(n, 4) % 8 AS BIGINT)) END AS "user.country",
  CASE WHEN hash(n, 5) % 10 < 9 THEN CAST(hash(n, 6) % 200 AS BIGINT) END AS "user.sessions",
  CASE WHEN hash(n, 7) % 10 < 9
    THEN 'user' || n || '@example' || (hash(n, 8) % 100) || '.com' END AS "user.email",
  CASE WHEN hash(n, 9) % 10 < 9
    THEN CAST(hash(n, 10) % 100000 AS DOUBLE) / 1000 END AS "user.score",
  CASE WHEN hash(n, 11) % 10 < 9
    THEN list_transform(range(CAST(hash(n, 12) % 6 AS BIGINT)), lambda i: 'a' || (hash(n, i) % 40))
    END AS "user.tags",
  CASE WHEN hash(n, 13) % 10 < 9
    THEN json_object(
      'plan', list_extract(['free', 'pro', 'team', 'trial'], CAST(1 + hash(n, 14) % 4 AS BIGINT)),
      'level', CAST(hash(n, 15) % 100 AS INT), 'name', 'user' || n, 'beta', hash(n, 16) % 2 = 0,
      'ratio', CAST(hash(n, 17) % 1000 AS DOUBLE) / 1000) END AS "user.props"
FROM range({count}) AS numbers(n)
"""

PARTS = ["000", "111", "222"]
PAIRS = [(20 + n, COUNTRIES[n % 8]) for n in range(40)]
PLAN = ('user.props.plan == "pro"', "\"user.props\"->>'plan' = 'pro'")
LEVEL = ("user.props.level >= 20", "CAST(\"user.props\"->>'level' AS BIGINT) >= 20")

# A filter, and the SQL that one would write.
FILTERS = [
    ("user.age >= 18", '"user.age" >= 18'),
    (
        'user.country in ["SE", "DE", "FR"] && user.sessions >= 10',
        "\"user.country\" IN ('SE', 'DE', 'FR') AND \"user.sessions\" >= 10",
    ),
    (
        " || ".join(f'(user.age == {age} && user.country == "{name}")' for age, name in PAIRS),
        " OR ".join(f"(\"user.age\" = {age} AND \"user.country\" = '{name}')" for age, name in PAIRS),
    ),
    (
        " || ".join(f'user.email.contains("{part}")' for part in PARTS),
        " OR ".join(f"\"user.email\" LIKE '%{part}%'" for part in PARTS),
    ),
    ('user.tags.contains("a3")', "list_contains(\"user.tags\", 'a3')"),
    (
        'user.tags.exists(t, t.startsWith("a3"))',
        "len(list_filter(\"user.tags\", lambda t: starts_with(t, 'a3'))) > 0",
    ),
    (
        "user.score > 50.0 && user.sessions * 2 > user.age",
        '"user.score" > 50 AND "user.sessions" * 2 > "user.age"',
    ),
    ("user.sessions % 10 == 3", '"user.sessions" % 10 = 3'),
    PLAN,
    LEVEL,
    (f"{PLAN[0]} && {LEVEL[0]}", f"{PLAN[1]} AND {LEVEL[1]}"),
]


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measured(connection, condition):
    before = processor_time()
    count = connection.execute(f"SELECT count(*) FROM users WHERE {condition}").fetchone()[0]
    return processor_time() - before, count


def main():
    tool = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    connection = duckdb.connect()
    connection.execute(USERS.format(countries=COUNTRIES, count=count))
    connection.execute(f"SET threads = {int(sys.argv[3]) if len(sys.argv) > 3 else 1}")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as schema:
        json.dump({name: {"type": type, "optional": True} for name, type in SCHEMA.items()}, schema)
        schema.flush()
        print("| filter | exact | naive | ratio |\n| --- | ---: | ---: | ---: |")
        for text, naive in FILTERS:
            exact = subprocess.run(
                [tool, "sql", text, "--schema", schema.name, "--engine", "duckdb"],
                check=True, capture_output=True, text=True,
            ).stdout
            # In turn, so that other work of the machine slows both down.
            runs = [(measured(connection, exact), measured(connection, naive)) for _ in range(4)]
            if runs[0][0][1] != runs[0][1][1]:
                sys.exit(f"{text}: {runs[0][0][1]} rows, and {runs[0][1][1]} with the naive SQL")
            first, second = (min(run[side][0] for run in runs) for side in (0, 1))
            print(f"| `{text[:60]}` | {first:.2f} s | {second:.2f} s | {first / second:.2f} |", flush=True)


main()
