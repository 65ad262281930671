"""A campaign config: audiences in order, with their variants."""

from __future__ import annotations

import html
import json as json_module
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from swexpr import native
from swexpr.arrow import Batch, each
from swexpr.errors import Finding
from swexpr.filters import Findings, dump


class Campaign:
    """A campaign config, for new users: without a history, and with the attributes that the SDK gives everyone.

    Args:
        config: The config, as JSON text or as a dictionary.
        platform: ``ios`` or ``android``, where the SDKs differ.
        dialect: ``superscript`` (default) or ``cel``.
        variants: ``deterministic``, by the hash of the first text of ``user.appUserId``, ``user.id`` and
            ``user.aliasId``; or ``random``.
        seed: What chance follows; the same seed gives the same variants and seeds.
        now: The time, such as ``2026-03-01T10:00:00+01:00``, whose offset is that of local times; ``None`` for now.

    Raises:
        SwexprError: The text is no config; the message has the place.
    """

    #: The attributes that name a user, of which the first text chooses the variant.
    NAMES = ("user.appUserId", "user.id", "user.aliasId")

    def __init__(
        self,
        config: str | bytes | Mapping[str, Any],
        *,
        platform: str = "ios",
        dialect: str = "superscript",
        variants: str = "deterministic",
        seed: int | None = None,
        now: str | None = None,
    ) -> None:
        if isinstance(config, str):
            text = config.encode()
        else:
            text = config if isinstance(config, bytes) else dump(config)
        settings = {"platform": platform, "dialect": dialect, "variants": variants, "seed": seed, "now": now}
        settings = {name: value for name, value in settings.items() if value is not None}
        options = dump(settings)
        #: The arguments that make the same campaign elsewhere.
        self.arguments = ((text,), settings)
        self._object = native.Object("campaign", native.call(
            "campaign_create", text, len(text), options, len(options)))

    @property
    def notes(self) -> Findings:
        """What is wrong with the config, filters that do not compile included."""
        found = json_module.loads(native.text("campaign_notes", self._object.pointer))
        return Findings(Finding("warning", f["kind"], f"{f['message']} (at {f['path']})", f) for f in found)

    @property
    def attributes(self) -> list[str]:
        """The attributes that the filters read, such as ``user.age``; ``user`` for all of a root."""
        found: list[str] = json_module.loads(native.text("campaign_attributes", self._object.pointer))
        return found

    def decide(self, placement: str, attributes: Mapping[str, Any]) -> Decision:
        """What a placement leads to for a user, and why each audience matches or not.

        Args:
            placement: The name of the placement.
            attributes: ``{"user": {...}, "device": {...}, "params": {...}}``, each of which may be absent.
        """
        name, context = placement.encode(), dump(attributes)
        return Decision(json_module.loads(native.text(
            "campaign_decide", self._object.pointer, name, len(name), context, len(context))))

    def audiences(
        self,
        table: Any,
        *,
        root: str = "user",
        attributes: Mapping[str, str] | None = None,
        json: Sequence[str] = (),
        threads: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Audiences:
        """The number of rows in each audience of each placement, with their variants.

        The table and its columns are as for `FilterSet.match`.

        Args:
            table: A table, ``None`` for no rows, or a `pyarrow.dataset.Dataset`, of which only the columns are read that filters need.
            root: The root of columns without one.
            attributes: The attributes of columns with other names.
            json: The columns of text that is JSON.
            threads: The number of batches that are counted at once; all cores if it is ``None``.
            progress: Called with the number of rows of each batch that has been counted.
        """
        def count(batch: Batch) -> Any:
            counts = json_module.loads(native.text("campaign_counts", self._object.pointer, batch.pointer))
            if progress:
                progress(batch.count)
            return counts

        nobody = json_module.loads(native.text("campaign_counts", self._object.pointer, None))
        if table is None:
            return Audiences(nobody)
        parts = each(table, lambda: [*self.attributes, *self.NAMES], count, root, attributes, json, threads)
        return Audiences.sum([nobody, *parts])


class Decision(dict[str, Any]):
    """What a placement leads to: its result, the experiment with the variant, and a report of each audience."""

    @property
    def result(self) -> str:
        """``paywall``, ``holdout``, ``noAudienceMatch``, ``placementNotFound`` or ``error``."""
        return str(self["result"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(str(a.get('experiment')))}</td><td>{html.escape(str(a.get('outcome')))}</td>"
            f"<td><code>{html.escape(str(a.get('failing', '')))}</code></td></tr>" for a in self["audiences"])
        return (
            f"<p><b>{html.escape(str(self['placement']))}</b>: {html.escape(self.result)}</p>"
            f"<table><tr><th>experiment</th><th>outcome</th><th>not true</th></tr>{rows}</table>")


class Audiences(dict[str, Any]):
    """The number of rows in each audience: ``users``, and for each of the ``placements`` its audiences."""

    @classmethod
    def sum(cls, parts: Sequence[Mapping[str, Any]]) -> Audiences:
        """The sum of the counts of several tables."""
        return cls(_sum(list(parts)))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each variant of each audience: placement, experiment, matched, variant, count."""
        return [
            {"placement": p["placement"], "experiment": a["experiment"], "matched": a["matched"],
             "variant": v["id"], "count": v["count"]}
            for p in self["placements"] for a in p["audiences"] for v in a["variants"]
        ]

    def to_table(self) -> Any:
        """A `pyarrow.Table` of the `rows`."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.rows)

    def _repr_html_(self) -> str:
        total = max(self["users"], 1)
        rows = "".join(
            f"<tr><td>{html.escape(p['placement'])}</td><td>{html.escape(a['experiment'])}</td>"
            f"<td>{a['matched']:,}</td><td>{a['matched'] / total:.1%}</td></tr>"
            for p in self["placements"] for a in p["audiences"])
        return f"<table><tr><th>placement</th><th>experiment</th><th>users</th><th>share</th></tr>{rows}</table>"


def _sum(parts: list[Any]) -> Any:
    """Documents of one form as one, with the sums of their numbers."""
    first = parts[0]
    if isinstance(first, dict):
        return {key: _sum([part[key] for part in parts]) for key in first}
    if isinstance(first, list):
        return [_sum([part[place] for part in parts]) for place in range(len(first))]
    return sum(parts) if isinstance(first, int) else first
