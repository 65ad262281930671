"""Filters over a DataFrame of Spark, evaluated on the executors by the package, which they need as well.

    >>> import swexpr.spark
    >>> matched = swexpr.spark.match(users, {"adults": "user.age >= 18"})
    >>> swexpr.spark.counts(users, {"adults": "user.age >= 18"})
    {'adults': 71234}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from swexpr.arrow import selection
from swexpr.campaigns import Audiences, Campaign
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
            found = matcher.match(batch, threads=1, **names)
            yield pyarrow.RecordBatch.from_arrays(
                [*batch.columns, *(found.mask(name) for name in texts)], [*batch.schema.names, *texts])

    schema = StructType([*frame.schema.fields, *(StructField(name, BooleanType(), False) for name in texts)])
    return frame.mapInArrow(add, schema)


def counts(frame: Any, filters: Mapping[str, str], *, first: bool = False, **names: Any) -> dict[str, int]:
    """The number of rows for which each filter is true.

    Args:
        frame: The DataFrame.
        filters: The texts by name.
        first: Whether a row counts only for the first filter that is true, as audiences of a placement are.
        names: How columns become attributes, as for `FilterSet.match`.
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
    frame = _needed(frame, FilterSet(filters).attributes, names)
    rows = frame.mapInArrow(count, schema).collect()
    return {name: sum(row[name] for row in rows) for name in texts}


def audiences(frame: Any, campaign: Campaign, **names: Any) -> Audiences:
    """The number of rows in each audience of a campaign, with their variants.

    Args:
        frame: The DataFrame.
        campaign: The campaign.
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

    frame = _needed(frame, [*campaign.attributes, *Campaign.NAMES], names)
    rows = frame.mapInArrow(count, StructType([StructField("counts", StringType(), False)])).collect()
    return Audiences.sum([campaign.audiences(None), *(json.loads(row["counts"]) for row in rows)])


def _needed(frame: Any, attributes: list[str], names: Mapping[str, Any]) -> Any:
    """The frame with the columns of some attributes only, since every value is copied on its way to Python."""
    from pyspark.sql import functions
    from pyspark.sql.types import StructType

    fields = {
        field.name: field.dataType.names if isinstance(field.dataType, StructType) else []
        for field in frame.schema.fields
    }
    ways = selection(fields, attributes, names.get("root", "user"), names.get("attributes"))
    columns = [
        functions.col(".".join(f"`{part}`" for part in way)).alias(name) for name, way in ways.items()
    ]
    # The number of rows still matters.
    return frame.select(*columns or [functions.lit(1).alias("_")])
