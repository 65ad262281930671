"""Evaluates queries and prints the truth of each cell, for tests that compare engines.

Reads one JSON object a line from standard input, {"setup": [statement, ...], "query": statement},
and writes one a line: {"rows": ["10n", ...]}, a character for each column, or {"error": text}.
A cell is 1 if it is true, 0 if it is false, n if it is NULL.

    python answers.py duckdb|sqlite|spark|postgresql [connection]
"""

import json
import sys


class DuckDB:
    def __init__(self, _):
        import duckdb

        self.connection = duckdb.connect()
        # Queries are many and small.
        self.connection.execute("SET threads = 1")

    def execute(self, statement):
        self.connection.execute(statement)

    def rows(self, query):
        return self.connection.execute(query).fetchall()


class SQLite(DuckDB):
    def __init__(self, _):
        import sqlite3

        self.connection = sqlite3.connect(":memory:")


class PostgreSQL(DuckDB):
    def __init__(self, connection):
        import psycopg

        self.connection = psycopg.connect(connection, autocommit=True)


class Spark:
    def __init__(self, _):
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.log.level", "ERROR")
            .getOrCreate()
        )

    def execute(self, statement):
        self.session.sql(statement)

    def rows(self, query):
        return [tuple(row) for row in self.session.sql(query).collect()]


ENGINES = {"duckdb": DuckDB, "sqlite": SQLite, "postgresql": PostgreSQL, "spark": Spark}


def cell(value):
    if value is None:
        return "n"
    return "1" if value else "0"


def main():
    engine = ENGINES[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else None)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            for statement in request["setup"]:
                engine.execute(statement)
            rows = engine.rows(request["query"])
            answer = {"rows": ["".join(map(cell, row)) for row in rows]}
        except Exception as error:  # Whatever the engine says is the answer.
            answer = {"error": str(error)[:2000]}
        print(json.dumps(answer), flush=True)


main()
