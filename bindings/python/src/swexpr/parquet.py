"""Parquet files in pieces, so that many processes read one table: each piece is read by one of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from swexpr.errors import SwexprError

# The bytes of a task, and what opening one more file costs as much as, as in Spark.
_TASK = 128 << 20
_OPENING = 4 << 20
_ROWS = 1 << 17


class Piece(NamedTuple):
    """The row groups of a file that start within some of its bytes."""

    uri: str
    start: int
    end: int | None


def tasks(uris: Iterable[str], count: int, size: int = _TASK) -> list[list[Piece]]:
    """Divides files among tasks: every row group belongs to one piece, and every piece to one task.

    Args:
        uris: The files.
        count: The number of tasks at once; there are at least as many if the files are large enough.
        size: The most bytes of a task.
    """
    files = list(uris)
    sizes = _sizes(files)
    most = max(_OPENING, min(size, (sum(sizes) + _OPENING * len(sizes)) // max(count, 1) + 1))
    found: list[list[Piece]] = []
    room = 0
    for uri, length in zip(files, sizes):
        starts = range(0, max(length, 1), most)
        for start in starts:
            cost = min(most, length - start) + _OPENING
            if not found or room < cost:
                found.append([])
                room = most + _OPENING
            room -= cost
            # The last piece has no end: a row group may start anywhere in it.
            found[-1].append(Piece(uri, start, None if start == starts[-1] else start + most))
    return found


def _sizes(uris: Sequence[str]) -> list[int]:
    """The bytes of files, read with one request for each file system where it can."""
    systems: dict[str, tuple[Any, list[tuple[int, str]]]] = {}
    for place, uri in enumerate(uris):
        system, path = _open(uri)
        systems.setdefault(uri.partition("://")[0] if "://" in uri else "", (system, []))[1].append((place, path))
    sizes = [0] * len(uris)
    for system, paths in systems.values():
        for (place, _), info in zip(paths, system.get_file_info([path for _, path in paths])):
            sizes[place] = info.size or 0
    return sizes


def read(
    pieces: Sequence[Piece], ways: Mapping[str, Sequence[str]], types: Mapping[str, Any], exact_names: bool = False
) -> Iterator[Any]:
    """The record batches of some pieces.

    Args:
        pieces: What is read.
        ways: The way to each column that is read, by the name that it has then.
        types: The types of these columns. A file with another type is converted.
        exact_names: Whether case matters in the names of columns. It does not in Spark.
    """
    for piece in pieces:
        try:
            yield from _read(piece, ways, types, exact_names)
        except (OSError, ValueError) as error:
            if isinstance(error, SwexprError):
                raise
            raise SwexprError(f"{piece.uri} cannot be read: {error}") from error


def _read(
    piece: Piece, ways: Mapping[str, Sequence[str]], types: Mapping[str, Any], exact_names: bool
) -> Iterator[Any]:
    import pyarrow
    import pyarrow.parquet

    system, path = _open(piece.uri)
    with system.open_input_file(path) as file:
        metadata = pyarrow.parquet.read_metadata(file)
        groups = [
            number for number in range(metadata.num_row_groups)
            if piece.start <= _first_byte(metadata.row_group(number)) and
            (piece.end is None or _first_byte(metadata.row_group(number)) < piece.end)
        ]
        if not groups:
            return
        own = {name: _own(metadata.schema.to_arrow_schema(), way, exact_names) for name, way in ways.items()}
        present = {name: way for name, way in own.items() if way}
        if not present:
            for number in groups:
                # The number of rows still matters.
                rows = metadata.row_group(number).num_rows
                yield pyarrow.RecordBatch.from_arrays([pyarrow.nulls(rows)], ["_"])
            return
        paths = [".".join(way) for way in present.values()]
        for number in groups:
            coded = _coded(metadata.row_group(number), set(paths))
            reader = pyarrow.parquet.ParquetFile(file, metadata=metadata, read_dictionary=coded)
            # One row group at a time: pyarrow cannot join the dictionaries of two of them within a struct.
            for batch in reader.iter_batches(_ROWS, [number], paths, use_threads=False):
                yield pyarrow.RecordBatch.from_arrays(
                    [_converted(_column(batch, way), types[name], name) for name, way in present.items()],
                    list(present))


def _first_byte(group: Any) -> int:
    """Where a row group starts in its file."""
    column = group.column(0)
    offset = column.data_page_offset
    return min(offset, column.dictionary_page_offset) if column.has_dictionary_page else offset


def _own(schema: Any, way: Sequence[str], exact_names: bool) -> list[str]:
    """The way to a column as the file spells it: unless case matters, regardless of it. Empty if the file has none."""
    found: list[str] = []
    fields = schema
    for name in way:
        if str(fields) == "null":  # a column that is missing in every row of the file
            return []
        if not isinstance(fields, Iterable):
            raise SwexprError(f"`{found[-1]}` has no fields: it is of type {fields}")
        names = [field.name for field in fields]
        alike = [name] if name in names else [] if exact_names else [other for other in names if other.lower() == name.lower()]
        if len(alike) > 1:
            raise SwexprError(f"the columns {' and '.join(f'`{other}`' for other in alike)} differ in case only")
        if not alike:
            return []
        found.append(alike[0])
        fields = fields.field(alike[0]).type
    return found


def _coded(group: Any, paths: set[str]) -> list[str]:
    """The columns of text whose values are almost all in a dictionary: every value is looked at once then."""
    columns = (group.column(place) for place in range(group.num_columns))
    return [
        column.path_in_schema for column in columns
        if column.path_in_schema in paths and column.physical_type == "BYTE_ARRAY"
        and any("DICTIONARY" in encoding for encoding in column.encodings)
        # Plain texts take four bytes and their own.
        and column.total_uncompressed_size < 4 * column.num_values
    ]


def _column(batch: Any, way: Sequence[str]) -> Any:
    import pyarrow.compute as compute

    column = batch.column(way[0])
    return compute.struct_field(column, list(way[1:])) if len(way) > 1 else column


def _converted(column: Any, kind: Any, name: str) -> Any:
    """A column with the type that the table has, dictionaries aside."""
    import pyarrow

    own = column.type
    if (own.value_type if pyarrow.types.is_dictionary(own) else own) == kind:
        return column
    try:
        # What is less than a microsecond is lost, as in Spark.
        return column.cast(kind, safe=not pyarrow.types.is_timestamp(kind))
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError) as error:
        raise SwexprError(f"the column `{name}` is of type {own} and not {kind}: {error}") from None


def _open(uri: str) -> tuple[Any, str]:
    """The file system of a file, and its path there. Hadoop's s3a is s3."""
    from pyarrow import fs

    if "://" not in uri and not uri.startswith("file:"):
        return fs.LocalFileSystem(), os.path.abspath(uri)
    if uri.startswith("file:"):
        from urllib.parse import unquote, urlsplit

        return fs.LocalFileSystem(), unquote(urlsplit(uri).path)
    system, path = fs.FileSystem.from_uri("s3://" + uri[len("s3a://"):] if uri.startswith("s3a://") else uri)
    return system, path
