"""Filters as a function of DuckDB, and campaigns as a relation and as a table function.

    >>> import duckdb, swexpr.duckdb
    >>> con = duckdb.connect()
    >>> swexpr.duckdb.register(con, {"age": "BIGINT", "plan": "VARCHAR"})
    >>> con.execute("SELECT swexpr('user.age >= 18', {'age': 31, 'plan': 'pro'})").fetchall()
    [(True,)]
    >>> swexpr.duckdb.audiences(con, campaign, "FROM 'users.parquet'").filter("users > 1000").show()
    >>> swexpr.duckdb.register_audiences(con, campaign, con.sql("FROM 'users.parquet'"))
    >>> con.sql("SELECT placement, sum(users) FROM audiences('users.parquet') GROUP BY ALL").show()
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from swexpr.arrow import selection
from swexpr.campaigns import Audiences, Campaign
from swexpr.errors import SwexprError
from swexpr.filters import Environment
from swexpr.sets import FilterSet

# The rows of a batch: enough for the engine, few enough for the memory.
_BATCH = 100_000


def register(
    connection: Any,
    columns: Mapping[str, Any] | Any = "JSON",
    *,
    name: str = "swexpr",
    root: str = "user",
    environment: Environment | None = None,
) -> None:
    """Adds the function `name(filter, attributes)`, which is true where the filter is.

    Args:
        connection: A connection of DuckDB.
        columns: The type of the attributes: names with types, a type of DuckDB, or ``JSON`` (default) for JSON
            objects of variables. A table's own: ``con.table("users").columns`` with its ``types``.
        name: The name of the function.
        root: The root of attributes without one.
        environment: The dialect, host functions and limits.
    """
    import duckdb
    import pyarrow

    if isinstance(columns, Mapping):
        types = {column: _type(duckdb, kind) for column, kind in columns.items()}
        attributes = duckdb.struct_type(types)
    else:
        attributes = _type(duckdb, columns)
    sets: dict[str, FilterSet] = {}
    lock = threading.Lock()

    def compiled(text: str) -> FilterSet:
        with lock:
            if text not in sets:
                if len(sets) >= 1_000:
                    sets.clear()
                sets[text] = FilterSet([text], environment)
            return sets[text]

    def match(filters: Any, rows: Any) -> Any:
        filters = _whole(pyarrow, filters)
        rows = _whole(pyarrow, rows)
        if pyarrow.types.is_struct(rows.type):
            table = pyarrow.Table.from_arrays(rows.flatten(), [field.name for field in rows.type])
        else:
            parts = ["user", "device", "params"]
            table = pyarrow.table(dict(zip(parts, _layers(pyarrow, rows, parts))))
        texts = filters.unique().to_pylist()
        if len(texts) == 1 and texts[0] is not None:
            return compiled(texts[0]).match(table, root=root, threads=1).mask(0)
        import pyarrow.compute as compute

        result = pyarrow.nulls(len(filters), pyarrow.bool_())
        for text in texts:
            if text is not None:
                mask = compiled(text).match(table, root=root, threads=1).mask(0)
                result = compute.if_else(compute.fill_null(compute.equal(filters, text), False), mask, result)
        return result

    connection.create_function(
        name, match, [_type(duckdb, "VARCHAR"), attributes], _type(duckdb, "BOOLEAN"), type="arrow",
        null_handling="special", exception_handling="default")


def audiences(connection: Any, campaign: Campaign, source: Any, **names: Any) -> Any:
    """The number of users in each audience of a campaign, as a relation.

    The relation has a row for each variant of each audience: placement, audience (its place in the placement, from 1),
    experiment, variant, users. Users in no audience of a placement are a row without audience, and users without a
    variant one without variant, so the users of a placement add up to all of them. DuckDB streams the rows of the
    source, and only the columns that filters need.

    Args:
        connection: A connection of DuckDB.
        campaign: The campaign.
        source: The users: a relation of the connection, the name of a table, or a query.
        names: How columns become attributes, as for `Campaign.audiences`.
    """
    import pyarrow

    if isinstance(source, str):
        source = connection.table(source) if source.isidentifier() else connection.sql(source)
    ways = _needed(source.columns, source.types, campaign, names)
    needed = source.project(", ".join(f"{_column(way)} AS {_name(name)}" for name, way in ways.items()) or "1 AS _")
    reader = getattr(needed, "to_arrow_reader", None) or needed.fetch_record_batch  # of earlier versions
    counts = campaign.audiences(reader(_BATCH), **names)
    found = [dict(zip(_KEYS, (*keys, users))) for keys, users in _flat(counts)]
    kinds = [pyarrow.string(), pyarrow.int32(), pyarrow.string(), pyarrow.string(), pyarrow.int64()]
    table = pyarrow.Table.from_pylist(
        [row for row in found if row["users"] or row["variant"] is not None or row["audience"] is None],
        schema=pyarrow.schema(list(zip(_KEYS, kinds))))
    return connection.from_arrow(table)


def register_audiences(
    connection: Any, campaign: Campaign, columns: Mapping[str, Any] | Any, *, name: str = "audiences", **names: Any,
) -> None:
    """Adds the table function `name(source)`, whose rows are those of `audiences`, for SQL alone.

    The source is the name of a table, a view or a file. DuckDB calls the engine with about 2,000 rows at a time: for
    many users `audiences` takes less time.

    Args:
        connection: A connection of DuckDB.
        campaign: The campaign.
        columns: The columns of sources: names with types, or a relation that has them. Of a relation, the function reads
            what filters need.
        name: The name of the function.
        names: How columns become attributes, as for `Campaign.audiences`.
    """
    import duckdb
    import pyarrow

    if isinstance(columns, Mapping):
        kinds = {column: _type(duckdb, kind) for column, kind in columns.items()}
    else:
        kinds = dict(zip(columns.columns, columns.types))
    ways = _needed(list(kinds), list(kinds.values()), campaign, names)
    if not ways:
        raise SwexprError(f"the filters read none of these columns: {', '.join(kinds) or 'there are none'}")
    fields = {
        field: kinds[way[0]] if len(way) == 1 else dict(kinds[way[0]].children)[way[1]] for field, way in ways.items()
    }
    keys = [keys for keys, _ in _flat(campaign.audiences(None))]

    def count(rows: Any, _: Any) -> Any:
        rows = _whole(pyarrow, rows)
        if not len(rows):
            return pyarrow.array([], pyarrow.list_(pyarrow.int64()))
        table = pyarrow.Table.from_arrays(rows.flatten(), list(fields))
        users = [users for _, users in _flat(campaign.audiences(table, threads=1, **names))]
        # One row has the counts of all.
        return pyarrow.array([users] + [None] * (len(rows) - 1), pyarrow.list_(pyarrow.int64()))

    own = f"{name}_of_rows"
    connection.create_function(
        own, count, [duckdb.struct_type(fields), _type(duckdb, "DOUBLE")], _type(duckdb, "BIGINT[]"), type="arrow",
        null_handling="special", exception_handling="default", side_effects=True)
    struct = ", ".join(f"{_text(field)}: {_column(way)}" for field, way in ways.items())
    values = ", ".join(
        f"({place}, {', '.join('NULL' if key is None else _text(key) if isinstance(key, str) else str(key) for key in row)})"
        for place, row in enumerate(keys, 1))
    # The second argument changes from row to row, so that DuckDB does not call for one row of many equal ones.
    connection.execute(f"""
        CREATE OR REPLACE TEMP MACRO {_name(name)}(source) AS TABLE
        WITH counted AS (
            SELECT unnest(counts) AS users, generate_subscripts(counts, 1) AS place
            FROM (SELECT {_name(own)}({{{struct}}}, random()) AS counts FROM query_table(source))
        ), sums AS (SELECT place, CAST(sum(users) AS BIGINT) AS users FROM counted GROUP BY place)
        SELECT placement, CAST(audience AS INTEGER) AS audience, experiment, CAST(variant AS VARCHAR) AS variant,
            coalesce(users, 0) AS users
        FROM (VALUES {values}) AS names(place, placement, audience, experiment, variant) LEFT JOIN sums USING (place)
        WHERE users > 0 OR variant IS NOT NULL OR audience IS NULL ORDER BY place
    """)


_KEYS = ("placement", "audience", "experiment", "variant", "users")


def _flat(counts: Audiences) -> list[tuple[tuple[str, int | None, str | None, str | None], int]]:
    """A row for each variant, for users without one, and for users of no audience; as many for all users of a campaign."""
    found: list[tuple[tuple[str, int | None, str | None, str | None], int]] = []
    for placement in counts["placements"]:
        for rank, audience in enumerate(placement["audiences"], 1):
            own = (placement["placement"], rank, audience["experiment"])
            for variant in audience["variants"]:
                found.append(((*own, variant["id"]), variant["count"]))
            given = sum(variant["count"] for variant in audience["variants"])
            found.append(((*own, None), audience["matched"] - given))
        found.append(((placement["placement"], None, None, None), placement["unmatched"]))
    return found


def _needed(columns: list[str], kinds: list[Any], campaign: Campaign, names: Mapping[str, Any]) -> dict[str, list[str]]:
    """The columns, or fields of structs, that a campaign needs: the way to each by the name that it has then."""
    fields = {
        column: [name for name, _ in kind.children] if kind.id == "struct" else []
        for column, kind in zip(columns, kinds)
    }
    return selection(
        fields, [*campaign.attributes, *Campaign.NAMES], names.get("root", "user"), names.get("attributes"))


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _column(way: list[str]) -> str:
    """The SQL of a column, or of a field, which may have the name of a column in a table of the struct's name."""
    return _name(way[0]) if len(way) == 1 else f"struct_extract({_name(way[0])}, {_text(way[1])})"


def _type(duckdb: Any, kind: Any) -> Any:
    return duckdb.sqltype(kind) if isinstance(kind, str) else kind


def _whole(pyarrow: Any, array: Any) -> Any:
    return array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array


def _layers(pyarrow: Any, rows: Any, parts: list[str]) -> list[Any]:
    import json

    columns: list[list[str | None]] = [[] for _ in parts]
    for text in rows.to_pylist():
        variables = json.loads(text) if text else {}
        for column, part in zip(columns, parts):
            column.append(json.dumps(variables[part]) if part in variables else None)
    return [pyarrow.array(column, pyarrow.string()) for column in columns]
