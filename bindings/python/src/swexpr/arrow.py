"""Tables of any library, through the Arrow PyCapsule interface."""

from __future__ import annotations

import ctypes
import json as json_module
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from swexpr import native
from swexpr.errors import SwexprError


class _Schema(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_void_p), ("name", ctypes.c_void_p), ("metadata", ctypes.c_void_p),
        ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
    ]


class _Array(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p),
        ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


class _Stream(ctypes.Structure):
    pass


_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Batch(native.Object):
    """Rows of a table, whose structures the library takes over."""

    def __init__(self, array: int, schema: int, options: bytes) -> None:
        super().__init__("batch", native.call("batch_create", array, schema, options, len(options)))
        self.count: int = native.function("batch_count")(self.pointer)


def batches(table: Any, options: bytes) -> Iterator[Batch]:
    """The record batches of a table: what has `__arrow_c_stream__` or `__arrow_c_array__`, or columns by name."""
    if isinstance(table, dict):
        import pyarrow

        table = pyarrow.table(table)
    if hasattr(table, "__arrow_c_stream__"):
        yield from _stream(table.__arrow_c_stream__(), options)
    elif hasattr(table, "__arrow_c_array__"):
        schema, array = table.__arrow_c_array__()
        yield Batch(_pointer(array, b"arrow_array"), _pointer(schema, b"arrow_schema"), options)
    elif hasattr(table, "fetch_record_batch"):  # a relation of DuckDB
        yield from batches(table.fetch_record_batch(), options)
    elif hasattr(table, "to_arrow_table"):
        yield from batches(table.to_arrow_table(), options)
    else:
        raise SwexprError(f"a {type(table).__name__} is no table: it has no Arrow data")


def _stream(capsule: Any, options: bytes) -> Iterator[Batch]:
    stream = ctypes.cast(_pointer(capsule, b"arrow_array_stream"), ctypes.POINTER(_Stream))

    def check(code: int) -> None:
        if code:
            reason = stream.contents.get_last_error(stream) or b"no reason given"
            raise SwexprError(f"the table cannot be read: {reason.decode(errors='replace')}")

    while True:
        schema, array = _Schema(), _Array()
        check(stream.contents.get_next(stream, ctypes.byref(array)))
        if not array.release:
            return
        check(stream.contents.get_schema(stream, ctypes.byref(schema)))
        yield Batch(ctypes.addressof(array), ctypes.addressof(schema), options)


ROOTS = ("user", "device", "params")


def selection(
    fields: Mapping[str, Sequence[str]], attributes: Sequence[str], root: str = "user",
    names: Mapping[str, str] | None = None,
) -> dict[str, list[str]]:
    """The columns that some attributes need: the way to each by the name that it has then.

    Args:
        fields: The columns of a table with their fields, which only structs have.
        attributes: The attributes, as `FilterSet.attributes` has them.
        root: The root of columns without one.
        names: The attributes of columns with other names.
    """
    found: dict[str, list[str]] = {}
    for column, members in fields.items():
        first, _, rest = column.partition(".")
        if names and column in names:
            path = names[column]
        elif column not in ROOTS:
            path = column if rest and first in ROOTS else f"{root}.{column}"
        elif members and column not in attributes:
            found |= {f"{column}.{member}": [column, member] for member in members if f"{column}.{member}" in attributes}
            continue
        else:  # all of a root, a map or JSON
            if any(path.split(".")[0] == column for path in attributes):
                found[column] = [column]
            continue
        if path in attributes:
            found[column] = [column]
    return found


def needed(dataset: Any, attributes: Sequence[str], root: str, names: Mapping[str, str]) -> dict[str, list[str]]:
    """The columns of a dataset of pyarrow that some attributes need, as `selection` has them."""
    import pyarrow

    fields = {
        field.name: [child.name for child in field.type] if pyarrow.types.is_struct(field.type) else []
        for field in dataset.schema
    }
    # The number of rows still matters if no column does.
    return selection(fields, attributes, root, names) or {name: [name] for name in list(fields)[:1]}


def _plain_files(dataset: Any) -> list[str]:
    """The files of a dataset that is nothing but local Parquet files; none if it is more, such as a filter."""
    import pyarrow.dataset
    from pyarrow import fs

    if not isinstance(dataset, pyarrow.dataset.FileSystemDataset) or getattr(dataset, "_scan_options", None):
        return []
    everything = pyarrow.dataset.scalar(True)
    is_plain = (
        isinstance(dataset.filesystem, fs.LocalFileSystem)
        and dataset.format.equals(pyarrow.dataset.ParquetFileFormat())
        and all(fragment.partition_expression.equals(everything) for fragment in dataset.get_fragments()))
    return list(dataset.files) if is_plain else []


def each(
    table: Any, paths: Callable[[], Sequence[str]], body: Callable[[Batch], Any], root: str = "user",
    attributes: Mapping[str, str] | None = None, json: Sequence[str] = (), threads: int | None = None,
) -> list[Any]:
    """The results of a function for all batches of a table, on several threads.

    Args:
        table: Whatever `batches` takes, or a dataset of pyarrow, of which only the needed columns are read.
        paths: Returns the attributes that are needed.
        body: The function.
        root: The root of columns without one.
        attributes: The attributes of columns with other names.
        json: The columns of text that is JSON.
        threads: The number of batches at once; all cores if it is ``None``.
    """
    options = json_module.dumps(
        {"root": root, "attributes": dict(attributes or {}), "json": list(json)}, ensure_ascii=False).encode()
    workers = threads or _cores()
    if hasattr(table, "scanner") and hasattr(table, "schema"):
        ways = needed(table, paths(), root, attributes or {})
        files = _plain_files(table)
        if files:
            return _each_piece(table, files, ways, body, options, workers)
        from pyarrow.dataset import field

        table = table.scanner(columns={name: field(*way) for name, way in ways.items()}).to_reader()
    if workers == 1:
        return [body(batch) for batch in batches(table, options)]
    # A few batches wait, so that the memory does not grow with the table.
    results: list[Any] = []
    waiting: list[Any] = []
    with ThreadPoolExecutor(workers) as pool:
        for batch in batches(table, options):
            waiting.append(pool.submit(body, batch))
            if len(waiting) > 2 * workers:
                results.append(waiting.pop(0).result())
        results += [future.result() for future in waiting]
    return results


def _each_piece(
    dataset: Any, files: list[str], ways: dict[str, list[str]], body: Callable[[Batch], Any], options: bytes,
    workers: int,
) -> list[Any]:
    """The results of a function for all batches of Parquet files, in their order.

    Repeated texts stay dictionaries, of which every entry is looked at once; a scanner of pyarrow spells them out.
    """
    import pyarrow

    from swexpr import parquet

    types = {}
    for name, way in ways.items():
        kind = dataset.schema.field(way[0]).type
        for member in way[1:]:
            kind = kind.field(member).type
        types[name] = kind

    def run(pieces: Sequence[parquet.Piece]) -> list[Any]:
        return [
            body(batch) for record in parquet.read(pieces, ways, types, exact_names=True)
            for batch in batches(record, options)
        ]

    # The columns that a worker reads are in memory one batch at a time.
    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(run, parquet.tasks(files, workers)))
    return [result for part in parts for result in part]


def _cores() -> int:
    """The number of cores that the process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
