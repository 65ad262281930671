"""Filters as a function of DuckDB.

    >>> import duckdb, swexpr.duckdb
    >>> con = duckdb.connect()
    >>> swexpr.duckdb.register(con, {"age": "BIGINT", "plan": "VARCHAR"})
    >>> con.execute("SELECT swexpr('user.age >= 18', {'age': 31, 'plan': 'pro'})").fetchall()
    [(True,)]
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from swexpr.filters import Environment
from swexpr.sets import FilterSet


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
