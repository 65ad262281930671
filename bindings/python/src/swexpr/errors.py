"""What is wrong with a filter, or with what it is evaluated over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class SwexprError(ValueError):
    """A text that is no filter, an evaluation that has no value, or a table that cannot be read.

    The message is for people: the place in the text, what is wrong there, and what may help.
    """


@dataclass(frozen=True)
class Finding:
    """One finding about a filter."""

    severity: str
    """``error``, ``warning`` or another severity."""
    id: str
    """The id in the catalogue of the documentation, such as ``unknown-attribute``."""
    message: str
    details: dict[str, Any] = field(repr=False)
    """Everything that is known of the finding: its place, notes, help and fixes."""

    def __str__(self) -> str:
        return f"{self.severity}: {self.message} [{self.id}]"
