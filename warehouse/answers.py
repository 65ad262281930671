"""Evaluates queries and prints the truth of each cell, for tests that compare engines.

Reads one JSON object a line from standard input, {"setup": [statement, ...], "query": statement},
and writes one a line: {"rows": ["10n", ...]}, a character for each column, or {"error": text}.
A cell is 1 if it is true, 0 if it is false, n if it is NULL. The first column of the query is the number
of the row: it gives the order of the rows, and is left out.

    python answers.py duckdb|sqlite|spark|postgresql
    python answers.py --list                            the engines that can run here
"""

import importlib.util
import json
import shutil
import signal
import sys
import tempfile

import postgresql


def has(module):
    return importlib.util.find_spec(module) is not None


class DuckDB:
    @staticmethod
    def can_run():
        return has("duckdb")

    def __init__(self):
        import duckdb

        self.connection = duckdb.connect()
        # Queries are many and small.
        self.connection.execute("SET threads = 1")

    def execute(self, statement):
        self.connection.execute(statement)

    def rows(self, query):
        return self.connection.execute(query).fetchall()

    def close(self):
        self.connection.close()


class SQLite(DuckDB):
    @staticmethod
    def can_run():
        return True

    def __init__(self):
        import sqlite3

        self.connection = sqlite3.connect(":memory:")


class PostgreSQL(DuckDB):
    @staticmethod
    def can_run():
        return has("psycopg") and postgresql.can_run()

    def __init__(self):
        self.server = postgresql.Server()
        self.connection = self.server.connect()

    def close(self):
        self.connection.close()
        self.server.stop()


class Spark:
    @staticmethod
    def can_run():
        return has("pyspark") and shutil.which("java") is not None

    def __init__(self):
        from pyspark.sql import SparkSession

        self.tables = tempfile.mkdtemp(prefix="swexpr-spark-")
        self.session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", self.tables)
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.log.level", "OFF")
            # Plans of long filters, twenty to a query, do not fit in the default of 1 GB.
            .config("spark.driver.memory", "4g")
            .getOrCreate()
        )

    def execute(self, statement):
        self.session.sql(statement)

    def rows(self, query):
        return [tuple(row) for row in self.session.sql(query).collect()]

    def close(self):
        self.session.stop()
        shutil.rmtree(self.tables, ignore_errors=True)


ENGINES = {"duckdb": DuckDB, "sqlite": SQLite, "postgresql": PostgreSQL, "spark": Spark}


def cell(value):
    if value is None:
        return "n"
    return "1" if value else "0"


def main():
    if sys.argv[1] == "--list":
        print(" ".join(name for name, engine in ENGINES.items() if engine.can_run()))
        return
    # A test that is stopped stops the server, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    engine = ENGINES[sys.argv[1]]()
    try:
        for line in sys.stdin:
            request = json.loads(line)
            try:
                for statement in request["setup"]:
                    engine.execute(statement)
                rows = sorted(engine.rows(request["query"]), key=lambda row: row[0])
                answer = {"rows": ["".join(map(cell, row[1:])) for row in rows]}
            except Exception as error:  # Whatever the engine says is the answer.
                answer = {"error": str(error)[:2000]}
            print(json.dumps(answer), flush=True)
    finally:
        engine.close()


main()
