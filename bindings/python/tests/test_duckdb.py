"""Campaigns in DuckDB, as a relation and as a table function, counted as `Campaign.audiences` does."""

import pathlib

import pytest

import swexpr

pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
import swexpr.duckdb  # noqa: E402
from test_campaigns import CONFIG, NOW, users  # noqa: E402


@pytest.fixture
def campaign():
    return swexpr.Campaign(CONFIG, now=NOW)


@pytest.fixture
def con():
    connection = duckdb.connect()
    yield connection
    connection.close()


def expected(campaign, table):
    """What `Campaign.audiences` counts, as rows: users without a variant or an audience are rows of their own."""
    found = []
    for placement in campaign.audiences(table)["placements"]:
        for rank, audience in enumerate(placement["audiences"], 1):
            own = (placement["placement"], rank, audience["experiment"])
            found += [(*own, variant["id"], variant["count"]) for variant in audience["variants"]]
            rest = audience["matched"] - sum(variant["count"] for variant in audience["variants"])
            found += [(*own, None, rest)] if rest else []
        found.append((placement["placement"], None, None, None, placement["unmatched"]))
    return found


def stored(con, count, seed, name="people"):
    rows = pa.Table.from_pylist(users(count, seed))
    con.execute(f"CREATE TABLE {name} AS SELECT * FROM rows")
    return rows


def test_relation(con, campaign):
    wanted = expected(campaign, stored(con, 5_000, 1))
    assert sum(row[4] for row in wanted if row[1]) > 1_000
    for source in ["people", "FROM people", "SELECT * FROM people WHERE true", con.table("people")]:
        found = swexpr.duckdb.audiences(con, campaign, source)
        assert found.columns == ["placement", "audience", "experiment", "variant", "users"]
        assert found.fetchall() == wanted
    sums = swexpr.duckdb.audiences(con, campaign, "people").aggregate("placement, sum(users) AS n").fetchall()
    assert {n for _, n in sums} == {5_000}


def test_relation_in_sql(con, campaign):
    wanted = expected(campaign, stored(con, 500, 2))
    found = swexpr.duckdb.audiences(con, campaign, "people")
    assert con.sql("SELECT sum(users) FROM found WHERE audience = 1").fetchall()[0][0] == sum(
        row[4] for row in wanted if row[1] == 1)
    found.create_view("sizes")
    del found
    assert con.sql("FROM sizes").fetchall() == wanted


def test_only_needed_columns_are_read(con, campaign):
    stored(con, 100, 3)
    con.execute("ALTER TABLE people ADD COLUMN broken VARCHAR DEFAULT 'no number'")
    wanted = swexpr.duckdb.audiences(con, campaign, "people").fetchall()
    query = "SELECT * EXCLUDE broken, CAST(broken AS INTEGER) AS number FROM people"
    assert swexpr.duckdb.audiences(con, campaign, query).fetchall() == wanted
    query = "SELECT * REPLACE (CAST(broken AS STRUCT(days INTEGER)) AS params) FROM people"
    with pytest.raises(duckdb.Error):
        swexpr.duckdb.audiences(con, campaign, query)


def test_memory_is_bounded(con, campaign):
    """A million rows are counted in batches, of which a few are there at once."""
    seen = []
    stored(con, 10, 1)
    query = "SELECT p.* FROM people AS p, range(100000)"
    found = swexpr.duckdb.audiences(con, campaign, query, progress=seen.append)
    assert sum(seen) == 1_000_000 and max(seen) <= 110_000
    assert {n for _, n in found.aggregate("placement, sum(users) AS n").fetchall()} == {1_000_000}


def test_no_users(con, campaign):
    stored(con, 10, 1)
    found = swexpr.duckdb.audiences(con, campaign, "FROM people WHERE false").fetchall()
    assert found == expected(campaign, None) and not any(row[4] for row in found)
    swexpr.duckdb.register_audiences(con, campaign, con.table("people"))
    con.execute("CREATE VIEW nothing AS FROM people WHERE false")
    assert con.sql("FROM audiences('nothing')").fetchall() == found


def test_table_function(con, campaign, tmp_path):
    table = stored(con, 20_000, 4)
    wanted = expected(campaign, table)
    swexpr.duckdb.register_audiences(con, campaign, con.table("people"))
    assert con.sql("FROM audiences('people')").fetchall() == wanted
    file = tmp_path / "people.parquet"
    con.execute(f"COPY people TO '{file}'")
    assert con.sql(f"FROM audiences('{file}')").fetchall() == wanted
    top = con.sql("SELECT placement, sum(users) AS n FROM audiences('people') WHERE audience IS NOT NULL GROUP BY ALL")
    assert dict(top.fetchall()) == {
        name: sum(row[4] for row in wanted if row[0] == name and row[1]) for name in {row[0] for row in wanted}}
    con.execute("CREATE VIEW half AS FROM people WHERE hash(user.id) % 2 = 0")
    half = con.sql("FROM audiences('half')").fetchall()
    assert half == expected(campaign, con.table("half").to_arrow_table())
    # A name that has to be quoted, and one thread.
    swexpr.duckdb.register_audiences(con, campaign, con.table("people"), name="it's \"mine\"")
    con.execute("SET threads = 1")
    assert con.sql('FROM "it\'s ""mine"""(\'people\')').fetchall() == wanted


def test_equal_rows_count_each(con):
    """DuckDB may call a function once for many equal rows: each of them is a user even so."""
    campaign = swexpr.Campaign(CONFIG, now=NOW)
    swexpr.duckdb.register_audiences(con, campaign, {"user": "STRUCT(id VARCHAR, seed BIGINT)"})
    con.execute("CREATE TABLE same AS SELECT {'id': 'a', 'seed': 1} AS user FROM range(10000)")
    con.execute("CREATE VIEW constants AS SELECT {'id': 'a', 'seed': 1::BIGINT} AS user FROM range(10000)")
    wanted = expected(campaign, con.table("same").to_arrow_table())
    assert con.sql("FROM audiences('same')").fetchall() == wanted
    assert con.sql("FROM audiences('constants')").fetchall() == wanted
    assert {n for _, n in con.sql(
        "SELECT placement, sum(users) FROM audiences('constants') GROUP BY ALL").fetchall()} == {10_000}


def test_names_and_columns(con, campaign):
    con.execute("CREATE TABLE flat AS SELECT 'u' || range AS id, range % 100 AS seed, range % 40 AS visits FROM range(3000)")
    names = {"attributes": {"visits": "user.sessions"}}
    wanted = swexpr.duckdb.audiences(con, campaign, "flat", **names).fetchall()
    table = con.table("flat").to_arrow_table()
    counts = campaign.audiences(table, **names)
    assert sum(row[4] for row in wanted if row[1]) == sum(
        audience["matched"] for placement in counts["placements"] for audience in placement["audiences"])
    swexpr.duckdb.register_audiences(
        con, campaign, {"id": "VARCHAR", "seed": "BIGINT", "visits": "BIGINT"}, **names)
    assert con.sql("FROM audiences('flat')").fetchall() == wanted


def test_mistakes(con, campaign):
    with pytest.raises(duckdb.Error):
        swexpr.duckdb.audiences(con, campaign, "nowhere")
    with pytest.raises(duckdb.Error):
        swexpr.duckdb.audiences(con, campaign, "SELEC 1")
    with pytest.raises(swexpr.SwexprError, match="read none of these columns: other"):
        swexpr.duckdb.register_audiences(con, campaign, {"other": "BIGINT"})
    with pytest.raises(swexpr.SwexprError, match="two columns"):
        swexpr.duckdb.audiences(con, campaign, "SELECT 1 AS seed, 2 AS \"user.seed\"")
    swexpr.duckdb.register_audiences(con, campaign, {"seed": "BIGINT"})
    with pytest.raises(duckdb.Error, match="nowhere"):
        con.sql("FROM audiences('nowhere')").fetchall()
    con.execute("CREATE TABLE other AS SELECT 1 AS x")
    with pytest.raises(duckdb.Error, match="seed"):
        con.sql("FROM audiences('other')").fetchall()
