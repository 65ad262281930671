"""Many filters, for all rows of a table."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from json import loads
from typing import Any

from swexpr import native
from swexpr.arrow import Batch, each
from swexpr.filters import Environment, Filter


class FilterSet:
    """Filters that are evaluated together.

    Args:
        filters: Texts, or texts by name.
        environment: The dialect, host functions and limits.

    Raises:
        SwexprError: A text is no filter; the message says which.
    """

    def __init__(
        self,
        filters: Mapping[str, str] | Iterable[str | Filter],
        environment: Environment | None = None,
    ) -> None:
        named = filters.items() if isinstance(filters, Mapping) else enumerate(filters)
        pairs = [(name, getattr(text, "text", text)) for name, text in named]
        self.names: list[Any] = [name for name, _ in pairs]
        self.texts: list[str] = [text for _, text in pairs]
        self.environment = environment
        encoded = [text.encode() for text in self.texts]
        count = len(encoded)
        self._set = native.Object("set", native.call(
            "set_create", (ctypes.c_char_p * count)(*encoded), (ctypes.c_size_t * count)(*map(len, encoded)), count,
            environment and environment.pointer))
        self._matcher: native.Object | None = None
        self._attributes: list[str] | None = None

    @property
    def attributes(self) -> list[str]:
        """The attributes that the filters read, such as ``user.age``; ``user`` for all of a root."""
        if self._attributes is None:
            self._attributes = loads(native.text("set_attributes", self._set.pointer))
        return self._attributes

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"FilterSet({len(self)} filters)"

    def match(
        self,
        table: Any,
        *,
        root: str = "user",
        attributes: Mapping[str, str] | None = None,
        json: Sequence[str] = (),
        threads: int | None = None,
    ) -> Matches:
        """Which filters are true for which rows.

        A column named ``user``, ``device`` or ``params`` has attributes: a struct, a map, or JSON objects. A column
        ``user.age`` is that attribute, and a column without a dot is one of `root`. A missing value is a missing
        attribute.

        Args:
            table: A table of pyarrow, pandas, polars or DuckDB, whatever has Arrow data, or lists by name. Of a
                `pyarrow.dataset.Dataset` only the columns are read that the filters need.
            root: The root of columns without one.
            attributes: The attributes of columns with other names: ``{"app_version": "device.appVersion"}``.
            json: The columns of text that is JSON.
            threads: The number of batches that are matched at once; all cores if it is ``None``.

        Raises:
            SwexprError: A column is damaged, of a type that no attribute has, or not an attribute.
        """
        parts = self._each(table, self._bits, root, attributes, json, threads)
        return Matches(self.names, parts)

    def counts(self, table: Any, **names: Any) -> dict[Any, int]:
        """The number of rows for which each filter is true. The parameters are those of `match`."""
        return self._sum(table, native.EACH, names)

    def first_counts(self, table: Any, **names: Any) -> dict[Any, int]:
        """The number of rows for which each filter is the first that is true, as audiences of a placement are."""
        return self._sum(table, native.FIRST, names)

    def _sum(self, table: Any, order: int, names: Mapping[str, Any]) -> dict[Any, int]:
        def count(batch: Batch) -> Any:
            counts = (ctypes.c_ssize_t * len(self))()
            native.call("matcher_counts", self._prepared(), batch.pointer, order, counts, len(self))
            return counts

        total = [0] * len(self)
        for counts in self._each(table, count, **names):
            total = [a + b for a, b in zip(total, counts)]
        return dict(zip(self.names, total))

    def _bits(self, batch: Batch) -> tuple[int, bytearray]:
        words = (batch.count + 63) // 64 * len(self)
        bits = bytearray(8 * words)
        if words:
            memory = (ctypes.c_uint64 * words).from_buffer(bits)
            native.call("matcher_matches", self._prepared(), batch.pointer, memory, words)
        return batch.count, bits

    def _prepared(self) -> int:
        if self._matcher is None:
            self._matcher = native.Object("matcher", native.call("matcher_create", self._set.pointer))
        return self._matcher.pointer

    def _each(
        self, table: Any, body: Any, root: str = "user", attributes: Mapping[str, str] | None = None,
        json: Sequence[str] = (), threads: int | None = None,
    ) -> list[Any]:
        self._prepared()
        return each(table, lambda: self.attributes, body, root, attributes, json, threads)


class Matches:
    """Which filters of a set are true for which rows: a bit for each."""

    def __init__(self, names: Sequence[Any], parts: list[tuple[int, bytearray]]) -> None:
        self.names = list(names)
        self._parts = parts
        self.row_count = sum(count for count, _ in parts)

    def _bytes(self, name: Any) -> list[tuple[int, memoryview]]:
        number = name if isinstance(name, int) and name not in self.names else self.names.index(name)
        found = []
        for count, bits in self._parts:
            size = (count + 63) // 64 * 8
            found.append((count, memoryview(bits)[number * size:(number + 1) * size]))
        return found

    @property
    def counts(self) -> dict[Any, int]:
        """The number of rows for which each filter is true."""
        return {
            name: sum(int.from_bytes(part, "little").bit_count() for _, part in self._bytes(name))
            for name in self.names
        }

    def mask(self, name: Any) -> Any:
        """A `pyarrow.BooleanArray` that says for which rows a filter is true.

        Args:
            name: The name of the filter, or its number if filters have no names.
        """
        import pyarrow

        parts = [
            pyarrow.Array.from_buffers(pyarrow.bool_(), count, [None, pyarrow.py_buffer(part)])
            for count, part in self._bytes(name)
        ]
        return pyarrow.concat_arrays(parts) if parts else pyarrow.array([], pyarrow.bool_())

    def indices(self, name: Any) -> list[int]:
        """The rows for which a filter is true, in ascending order."""
        rows, first = [], 0
        for count, part in self._bytes(name):
            for place, byte in enumerate(part):
                while byte:
                    low = byte & -byte
                    rows.append(first + 8 * place + low.bit_length() - 1)
                    byte ^= low
            first += count
        return rows

    def to_table(self) -> Any:
        """A `pyarrow.Table` with a column of truth values for each filter."""
        import pyarrow

        return pyarrow.table({str(name): self.mask(name) for name in self.names})

    def __repr__(self) -> str:
        return f"Matches({len(self.names)} filters, {self.row_count} rows)"

    def _repr_html_(self) -> str:
        import html

        rows = "".join(
            f"<tr><td>{html.escape(str(name))}</td><td>{count:,}</td><td>{count / max(self.row_count, 1):.1%}</td></tr>"
            for name, count in self.counts.items())
        return f"<table><tr><th>filter</th><th>rows</th><th>share</th></tr>{rows}</table>"
