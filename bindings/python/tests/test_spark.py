"""The package on the executors of Spark, if it is installed."""

import os
import sys

import pytest

pyspark = pytest.importorskip("pyspark")

FILTERS = {"adults": "user.age >= 18", "pro": 'user.plan == "pro"'}
ROWS = [(31, "pro"), (17, "pro"), (None, "free"), (40, None)]


@pytest.fixture(scope="module")
def users():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    yield session.createDataFrame(ROWS, "age int, plan string")
    session.stop()


def test_columns(users):
    import swexpr.spark

    rows = swexpr.spark.match(users, FILTERS).collect()
    assert [(row.adults, row.pro) for row in rows] == [(True, True), (False, True), (False, False), (True, False)]
    assert rows[0].age == 31


def test_counts(users):
    import swexpr.spark

    assert swexpr.spark.counts(users, FILTERS) == {"adults": 2, "pro": 2}
    assert swexpr.spark.counts(users, FILTERS, first=True) == {"adults": 2, "pro": 1}


def test_mistakes_are_found_by_the_driver(users):
    import swexpr
    import swexpr.spark

    with pytest.raises(swexpr.SwexprError):
        swexpr.spark.match(users, {"broken": "user.age >"})


@pytest.fixture
def table(users, tmp_path):
    """A folder of Parquet files, as Spark writes them: structs, times, lists and a name with a dot."""
    session = users.sparkSession
    frame = session.range(1_000).selectExpr(
        "named_struct('age', CAST(id % 50 AS INT), 'plan', IF(id % 3 = 0, 'pro', IF(id % 3 = 1, 'free', NULL)), "
        "'tags', IF(id % 4 = 0, array('a', 'b'), NULL), 'at', IF(id % 7 = 0, NULL, TIMESTAMP_SECONDS(id))) AS user",
        "IF(id % 2 = 0, 'iOS', 'Android') AS `device.platform`", "CAST(id AS STRING) AS unused")
    folder = str(tmp_path / "users and more")
    frame.repartition(5).write.parquet(folder)
    return session.read.parquet(folder)


TABLE_FILTERS = {
    "adults": "user.age >= 18", "pro": 'user.plan == "pro" && device.platform == "iOS"', "tags": '"a" in user.tags',
    "late": "has(user.at)", "all": "true", "none": "user.plan == 5", "missing": '!(user.plan == "pro")',
}


def test_files_are_read_by_executors(table, monkeypatch):
    import swexpr.spark

    counted = swexpr.spark.counts(table, TABLE_FILTERS, files=False)
    assert counted["all"] == 1_000 and counted["adults"] == 640 and 0 < counted["tags"] < 1_000
    assert 0 < counted["late"] < 1_000
    assert swexpr.spark.counts(table, TABLE_FILTERS, files=True) == counted
    monkeypatch.setattr(swexpr.spark, "_needed", lambda *_: pytest.fail("the rows pass through Spark"))
    assert swexpr.spark.counts(table, TABLE_FILTERS) == counted
    assert swexpr.spark.counts(table, {"all": "true"}) == {"all": 1_000}
    assert swexpr.spark.counts(table, TABLE_FILTERS, first=True)["missing"] < counted["missing"]
    table.createOrReplaceTempView("users")
    session = table.sparkSession
    for plain in [session.table("users"), session.sql("SELECT * FROM users"), table.select("user", "`device.platform`")]:
        assert swexpr.spark.counts(plain, TABLE_FILTERS, files=True) == counted


def test_frames_that_are_more_than_files(table, users, tmp_path):
    import swexpr
    import swexpr.spark

    filters = {"adults": "user.age >= 18", "all": "true"}
    few = table.filter("user.age < 20")
    renamed = table.selectExpr("user.age + 1 AS age")
    table.selectExpr("user", "user.age % 2 AS part").write.partitionBy("part").parquet(str(tmp_path / "parts"))
    parted = table.sparkSession.read.parquet(str(tmp_path / "parts"))
    cases = {
        "Filter": (few, {"adults": 40, "all": 400}), "computes": (renamed, {"adults": 660, "all": 1_000}),
        "Limit": (table.limit(10), None), "folders": (parted, {"adults": 640, "all": 1_000}),
        "Union": (table.union(table), {"adults": 1_280, "all": 2_000}),
        "": (users, {"adults": 2, "all": 4}),
    }
    for reason, (frame, counts) in cases.items():
        if counts:
            assert swexpr.spark.counts(frame, filters) == counts, reason
        with pytest.raises(swexpr.SwexprError, match=f"themselves: .*{reason}"):
            swexpr.spark.counts(frame, filters, files=True)
    # A cached frame is what it was, also when its files change.
    kept = table.cache()
    assert kept.count() == 1_000
    with pytest.raises(swexpr.SwexprError, match="InMemoryRelation"):
        swexpr.spark.counts(kept, filters, files=True)
    kept.unpersist()


def test_tables_of_the_catalog(users, tmp_path):
    """A column that files lack has its default, which only Spark knows; a path that is named twice is read as Spark does."""
    import swexpr
    import swexpr.spark

    session = users.sparkSession
    folder = str(tmp_path / "stored")
    session.sql(f"CREATE TABLE stored (age INT) USING parquet LOCATION '{folder}'")
    try:
        session.sql("INSERT INTO stored VALUES (31), (17)")
        filters = {"adults": "user.age >= 18", "all": "true"}
        assert swexpr.spark.counts(session.table("stored"), filters, files=True) == {"adults": 1, "all": 2}
        session.sql("ALTER TABLE stored ADD COLUMN plan STRING DEFAULT 'pro'")
        assert swexpr.spark.counts(session.table("stored"), {"pro": 'user.plan == "pro"'}) == {"pro": 2}
        with pytest.raises(swexpr.SwexprError, match="default"):
            swexpr.spark.counts(session.table("stored"), filters, files=True)
        twice = session.read.parquet(folder, folder)
        assert swexpr.spark.counts(twice, {"all": "true"}, files=True) == {"all": twice.count()}
    finally:
        session.sql("DROP TABLE stored")


def test_columns_with_dots(table):
    import swexpr.spark

    rows = swexpr.spark.match(table, {"pro": TABLE_FILTERS["pro"]}).collect()
    assert rows[0].asDict().keys() == {"user", "device.platform", "unused", "pro"}
    assert sum(row.pro for row in rows) == swexpr.spark.counts(table, TABLE_FILTERS)["pro"] > 0


def test_audiences(users, tmp_path):
    import swexpr
    import swexpr.spark
    from test_campaigns import CONFIG, NOW
    from test_campaigns import users as people

    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    campaign = swexpr.Campaign(CONFIG, now=NOW)
    rows = pa.Table.from_pylist(people(2_000, 5))
    for n in range(3):
        pyarrow.parquet.write_table(rows.slice(n * 700, 700), tmp_path / f"{n}.parquet", row_group_size=100)
    frame = users.sparkSession.read.parquet(str(tmp_path))
    wanted = campaign.audiences(rows)
    assert swexpr.spark.audiences(frame, campaign, files=True) == wanted
    assert swexpr.spark.audiences(frame, campaign, files=False) == wanted
    assert swexpr.spark.audiences(frame.filter("false"), campaign) == campaign.audiences(None)


def test_damaged_files_are_errors(table, tmp_path):
    import glob

    import swexpr.spark

    path = glob.glob(str(tmp_path / "users and more" / "*.parquet"))[0]
    with open(path, "r+b") as file:
        file.truncate(100)
    with pytest.raises(Exception, match="cannot be read"):
        swexpr.spark.counts(table, TABLE_FILTERS)
