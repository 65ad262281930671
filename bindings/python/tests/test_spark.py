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
