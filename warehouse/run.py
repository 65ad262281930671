"""Asks DuckDB, Spark or the engine itself about files of users; `swexpr size` calls it.

    python run.py ENGINE FILES describe                   the columns and their types
    python run.py ENGINE FILES count QUERY                the only row of a query over the table "users"
    python run.py ENGINE FILES rows QUERY                 all rows of a query, as contexts, one per line
    python run.py ENGINE FILES campaign CONFIG OPTIONS    the users in each audience, by the package swexpr

ENGINE is duckdb or spark; with `campaign` it reads the files, and Spark counts on its executors. FILES are Parquet, CSV or JSON files, with wildcards. The result is one JSON
document on standard output, or one per line.
"""

import json
import sys
import threading
import time

INTEGERS = {"tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger"}


class DuckDB:
    def __init__(self, files):
        import duckdb

        self.connection = duckdb.connect()
        if sys.stderr.isatty():
            self.connection.execute("SET enable_progress_bar = true")
        reader = reader_of(files)
        source = files.replace("'", "''")
        self.connection.execute(
            f"CREATE VIEW users AS SELECT * FROM {reader}('{source}')"
        )

    def columns(self):
        relation = self.connection.table("users")
        return [[n, self.type(t)] for n, t in zip(relation.columns, relation.types)]

    def type(self, own):
        name = own.id
        if name == "list":
            return {"list": self.type(dict(own.children)["child"])}
        if name == "struct":
            return {"struct": [[n, self.type(t)] for n, t in own.children]}
        if str(own) == "JSON":
            return "json"
        if name in INTEGERS:
            return "int"
        names = {
            "boolean": "bool", "ubigint": "uint", "double": "double", "varchar": "string",
            "blob": "bytes", "timestamp": "timestamp",
        }
        return names.get(name, str(own).lower())

    def campaign(self, campaign, options):
        import pyarrow.dataset

        files = options.pop("files")
        bar = Progress()
        if reader_of(files) == "read_parquet":
            import glob

            table = pyarrow.dataset.dataset(sorted(glob.glob(files)) or files)
        else:
            # The types are those that DuckDB finds.
            table = self.connection.table("users")
        return campaign.audiences(table, progress=bar.add, **options)

    def row(self, query):
        return list(self.connection.execute(query).fetchone())

    def rows(self, query):
        cursor = self.connection.execute(query)
        columns = [(c[0], str(c[1]) == "JSON") for c in cursor.description]
        while chunk := cursor.fetchmany(10_000):
            for row in chunk:
                yield columns, row


class Spark:
    def __init__(self, files):
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master("local[2]")
            .appName("swexpr size")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
            .config("spark.log.level", "ERROR")
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate()
        )
        kind = {"read_parquet": "parquet", "read_csv": "csv"}.get(reader_of(files), "json")
        reader = self.session.read.format(kind)
        if kind == "csv":
            reader = reader.option("header", True).option("inferSchema", True)
        reader.load(files).createOrReplaceTempView("users")

    def columns(self):
        fields = self.session.table("users").schema.jsonValue()["fields"]
        return [[field["name"], self.type(field["type"])] for field in fields]

    def type(self, own):
        if isinstance(own, dict):
            if own["type"] == "array":
                return {"list": self.type(own["elementType"])}
            if own["type"] == "struct":
                return {"struct": [[f["name"], self.type(f["type"])] for f in own["fields"]]}
            return own["type"]
        names = {
            "boolean": "bool", "byte": "int", "short": "int", "integer": "int", "long": "int",
            "double": "double", "string": "string", "binary": "bytes", "timestamp": "timestamp",
        }
        return names.get(own, str(own))

    def campaign(self, campaign, options):
        import swexpr.spark

        options.pop("files")
        return swexpr.spark.audiences(self.session.table("users"), campaign, **options)

    def row(self, query):
        return list(self.session.sql(query).collect()[0])

    def rows(self, query):
        frame = self.session.sql(query)
        columns = [(name, False) for name in frame.columns]
        for row in frame.toLocalIterator():
            yield columns, row.asDict(recursive=True).values()


class Progress:
    """The number of users so far, on a terminal."""

    def __init__(self):
        self.count = 0
        self.shown = 0.0
        self.lock = threading.Lock()

    def add(self, count):
        with self.lock:
            self.count += count
            if sys.stderr.isatty() and time.monotonic() - self.shown > 0.2:
                self.shown = time.monotonic()
                print(f"\r{self.count:,} users", end="\r", file=sys.stderr, flush=True)


def reader_of(files):
    name = files.lower().removesuffix(".gz")
    if name.endswith(".parquet"):
        return "read_parquet"
    if name.endswith(".csv"):
        return "read_csv"
    return "read_json"


def context(columns, row):
    """A row as the context that the filters see: NULL is a missing attribute."""
    result = {}
    for (name, is_json), value in zip(columns, row):
        if value is None:
            continue
        if is_json:
            value = json.loads(value)
        elif isinstance(value, dict):
            value = {key: part for key, part in value.items() if part is not None}
        root, _, rest = name.partition(".")
        if rest:
            result.setdefault(root, {})[rest] = value
        else:
            result[root] = value
    return result


def main():
    engine, files, command = sys.argv[1:4]
    try:
        warehouse = {"duckdb": DuckDB, "spark": Spark}[engine](files)
    except ModuleNotFoundError as error:
        option = " --spark" if engine == "spark" else ""
        sys.exit(f"{error.name} is not installed; `scripts/install-warehouse{option}` does that")
    if command == "describe":
        print(json.dumps({"columns": warehouse.columns()}))
        return
    if command == "rows":
        for columns, row in warehouse.rows(sys.argv[4]):
            # Not a number, and bytes or instants, are not JSON; they end the run with an error.
            print(json.dumps(context(columns, row), allow_nan=False, ensure_ascii=False))
        return
    start = time.monotonic()
    if command == "campaign":
        try:
            import swexpr
        except ImportError:
            sys.exit("the package swexpr is not installed; `scripts/install-warehouse --native` does that")
        with open(sys.argv[4], encoding="utf-8") as file:
            campaign = swexpr.Campaign(file.read(), **json.loads(sys.argv[5]))
        result = warehouse.campaign(campaign, {"files": files})
        print(json.dumps({**result, "seconds": float(time.monotonic() - start)}))
        return
    counts = warehouse.row(sys.argv[4])
    print(json.dumps({"counts": counts, "seconds": float(time.monotonic() - start)}))


if __name__ == "__main__":
    main()
