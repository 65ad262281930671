"""Filters over a DataFrame of Spark, evaluated on the executors by the package, which they need as well.

    >>> import swexpr.spark
    >>> matched = swexpr.spark.match(users, {"adults": "user.age >= 18"})
    >>> swexpr.spark.counts(users, {"adults": "user.age >= 18"})
    {'adults': 71234}

What is counted over a table of Parquet files, as `spark.read.parquet` returns it, does not pass through Spark: its
executors read the files themselves, and only the columns that filters need.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from swexpr import parquet
from swexpr.arrow import selection
from swexpr.campaigns import Audiences, Campaign
from swexpr.errors import SwexprError
from swexpr.sets import FilterSet


def match(frame: Any, filters: Mapping[str, str], **names: Any) -> Any:
    """The DataFrame with a column of truth values for each filter.

    Args:
        frame: The DataFrame.
        filters: The texts by the name of the new column.
        names: How columns become attributes, as for `FilterSet.match`.
    """
    from pyspark.sql.types import BooleanType, StructField, StructType

    FilterSet(filters)  # a mistake is reported here and not by an executor
    texts = dict(filters)

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        matcher = FilterSet(texts)
        for batch in batches:
            batch = batch.rename_columns(columns)
            found = matcher.match(batch, threads=1, **names)
            yield pyarrow.RecordBatch.from_arrays(
                [*batch.columns, *(found.mask(name) for name in texts)], [*columns, *texts])

    columns = list(frame.columns)
    schema = StructType([*frame.schema.fields, *(StructField(name, BooleanType(), False) for name in texts)])
    # Spark looks up columns by their names, in which a dot means a field.
    return frame.toDF(*(f"c{place}" for place in range(len(columns)))).mapInArrow(add, schema)


def counts(
    frame: Any, filters: Mapping[str, str], *, first: bool = False, files: bool | None = None, **names: Any
) -> dict[str, int]:
    """The number of rows for which each filter is true.

    Args:
        frame: The DataFrame.
        filters: The texts by name.
        first: Whether a row counts only for the first filter that is true, as audiences of a placement are.
        files: Whether executors read the Parquet files of the frame themselves. By default they do where the frame is
            nothing but columns of local files. ``True`` also allows other file systems that pyarrow knows, with its
            own credentials, and raises an error where the frame is more. ``False`` has Spark read.
        names: How columns become attributes, as for `FilterSet.match`.

    Raises:
        SwexprError: A text is not a filter, or the frame is not a table of files and must be.
    """
    from pyspark.sql.types import LongType, StructField, StructType

    texts = dict(filters)

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        matcher = FilterSet(texts)
        total = dict.fromkeys(texts, 0)
        for batch in batches:
            own = (matcher.first_counts if first else matcher.counts)(batch, threads=1, **names)
            total = {name: total[name] + own[name] for name in texts}
        yield pyarrow.RecordBatch.from_arrays(
            [pyarrow.array([value], pyarrow.int64()) for value in total.values()], list(total))

    schema = StructType([StructField(name, LongType(), False) for name in texts])
    rows = _run(frame, FilterSet(filters).attributes, names, files, count, schema)
    return {name: sum(row[name] for row in rows) for name in texts}


def audiences(frame: Any, campaign: Campaign, *, files: bool | None = None, **names: Any) -> Audiences:
    """The number of rows in each audience of a campaign, with their variants.

    Args:
        frame: The DataFrame.
        campaign: The campaign.
        files: Whether executors read Parquet files themselves, as for `counts`.
        names: How columns become attributes, as for `Campaign.audiences`.
    """
    from pyspark.sql.types import StringType, StructField, StructType

    arguments = campaign.arguments

    def count(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        own = Campaign(*arguments[0], **arguments[1])
        parts = [own.audiences(batch, threads=1, **names) for batch in batches]
        if parts:
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array([json.dumps(Audiences.sum(parts))])], ["counts"])

    schema = StructType([StructField("counts", StringType(), False)])
    rows = _run(frame, [*campaign.attributes, *Campaign.NAMES], names, files, count, schema)
    return Audiences.sum([campaign.audiences(None), *(json.loads(row["counts"]) for row in rows)])


def _run(
    frame: Any, attributes: Sequence[str], names: Mapping[str, Any], files: bool | None,
    body: Callable[[Iterator[Any]], Iterator[Any]], schema: Any,
) -> list[Any]:
    """The rows that a function of record batches makes on the executors."""
    ways = _ways(frame, attributes, names)
    uris: list[str] = []
    if files is not False:
        uris, reason = _files(frame)
        if reason and files:
            raise SwexprError(f"executors cannot read the files of the frame themselves: {reason}")
        if not files and any(not uri.startswith("file:") for uri in uris):
            uris = []
    if not uris:
        columns = list(ways)

        def rename(batches: Iterator[Any]) -> Iterator[Any]:
            return body(batch.rename_columns(columns) if columns else batch for batch in batches)

        return list(_needed(frame, ways).mapInArrow(rename, schema).collect())
    types = _types(frame, ways)
    session = frame.sparkSession
    work = parquet.tasks(uris, session.sparkContext.defaultParallelism)

    def read(numbers: Iterator[Any]) -> Iterator[Any]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from body(parquet.read(work[number], ways, types))

    return list(session.range(0, len(work), 1, len(work)).mapInArrow(read, schema).collect())


def _files(frame: Any) -> tuple[list[str], str]:
    """The files of a frame, or why it is more than columns of Parquet files.

    The optimized plan says so. In it a view is what it stands for, and a cached frame is in memory.
    """
    if not hasattr(frame, "_jdf"):
        return [], "Spark Connect does not show the plan"
    plan = frame._jdf.queryExecution().optimizedPlan()
    if _kind(plan) == "Project":
        columns = plan.projectList()
        if any(_kind(columns.apply(place)) != "AttributeReference" for place in range(columns.size())):
            return [], "it computes columns"
        plan = plan.child()
    if _kind(plan) != "LogicalRelation" or plan.isStreaming():
        return [], f"its plan is {_kind(plan)}"
    relation = plan.relation()
    if _kind(relation) != "HadoopFsRelation" or relation.fileFormat().toString() != "Parquet":
        return [], "it is not a table of Parquet files"
    if not relation.partitionSchema().isEmpty():
        return [], "some columns are in the names of folders"
    if any("EXISTS_DEFAULT" in field.metadata for field in frame.schema.fields):
        return [], "some columns have a default where files lack them"
    # Not those of the frame, which has each file once: Spark reads a folder twice that is named twice.
    return list(relation.location().inputFiles()), ""


def _kind(object: Any) -> str:
    return str(object.getClass().getSimpleName())


def _types(frame: Any, ways: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The types of Arrow that Spark gives columns."""
    from pyspark.sql.pandas.types import to_arrow_type

    zone = frame.sparkSession.conf.get("spark.sql.session.timeZone")
    found = {}
    for name, way in ways.items():
        kind = frame.schema[way[0]].dataType
        for member in way[1:]:
            kind = kind[member].dataType
        found[name] = to_arrow_type(kind, timezone=zone)
    return found


def _ways(frame: Any, attributes: Sequence[str], names: Mapping[str, Any]) -> dict[str, list[str]]:
    """The columns of some attributes: the way to each by the name that it has then."""
    from pyspark.sql.types import StructType

    fields = {
        field.name: field.dataType.names if isinstance(field.dataType, StructType) else []
        for field in frame.schema.fields
    }
    return selection(fields, list(attributes), names.get("root", "user"), names.get("attributes"))


def _needed(frame: Any, ways: Mapping[str, Sequence[str]]) -> Any:
    """The frame with some columns only, since every value is copied on its way to Python."""
    from pyspark.sql import functions

    columns = [
        # Spark looks up columns by their names, in which a dot means a field.
        functions.col(".".join(f"`{part}`" for part in way)).alias(f"c{place}") for place, way in enumerate(ways.values())
    ]
    # The number of rows still matters.
    return frame.select(*columns or [functions.lit(1).alias("_")])
