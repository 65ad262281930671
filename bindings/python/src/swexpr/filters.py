"""One filter, for one user."""

from __future__ import annotations

import datetime
import decimal
import html
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from swexpr import native
from swexpr.errors import Finding, SwexprError


def _encode(value: Any) -> Any:
    """What `json` does not write by itself. Nothing is lost without an error."""
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < 2**63 else float(value)
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    if hasattr(value, "item"):  # numbers of NumPy
        return value.item()
    raise SwexprError(f"an attribute cannot be a {type(value).__name__}: {value!r}")


def dump(value: Any) -> bytes:
    try:
        return json.dumps(value, default=_encode, allow_nan=False, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise SwexprError(f"a text is no Unicode: {error}") from None
    except ValueError as error:
        raise error if isinstance(error, SwexprError) else SwexprError(f"an attribute cannot be written: {error}")


class Environment:
    """The dialect, host functions and limits that filters are compiled against.

    Args:
        dialect: ``superscript`` (default) or ``cel``.
        device: Functions called as ``device.NAME(...)``, by name.
        computed: Functions called as ``computed.NAME(...)``, by name.
        options: Further options of ``swexpr_environment_create``, such as ``steps``.
    """

    def __init__(
        self,
        dialect: str = "superscript",
        *,
        device: Mapping[str, Callable[..., Any]] | None = None,
        computed: Mapping[str, Callable[..., Any]] | None = None,
        **options: Any,
    ) -> None:
        self._functions = {
            **{f"device.{name}": function for name, function in (device or {}).items()},
            **{f"computed.{name}": function for name, function in (computed or {}).items()},
        }
        settings = dump({
            "dialect": dialect, "device": dict.fromkeys(device or {}, []), "computed": dict.fromkeys(computed or {}, []),
            **options,
        })
        # The library calls it as long as a filter of this environment lives.
        self._host = native.HOST(self._answer) if self._functions else native.HOST()
        self._object = native.Object("environment", native.call(
            "environment_create", settings, len(settings), self._host, None, None))

    @property
    def pointer(self) -> int:
        return self._object.pointer

    def _answer(self, _: Any, name: bytes, arguments: bytes, reply: int) -> None:
        try:
            value = dump(self._functions[name.decode()](*json.loads(arguments)))
            native.function("reply_value")(reply, value, len(value))
        except BaseException as error:  # an exception must not leave a callback of C
            message = f"{type(error).__name__}: {error}".encode(errors="replace")
            native.function("reply_error")(reply, message, len(message))


class _Context(native.Object):
    def __init__(self, attributes: Mapping[str, Any]) -> None:
        text = dump(attributes)
        super().__init__("context", native.call("context_create", native.PLAIN, text, len(text)))


class Explanation(dict):
    """Why a filter matches a user or not: every condition with its value and what it read."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(json.dumps(self, indent=2, ensure_ascii=False))}</pre>"


class Findings(list):
    """Everything that a check found."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(f.severity)}</td><td>{html.escape(f.message)}</td>"
            f"<td><code>{html.escape(f.id)}</code></td></tr>" for f in self)
        return f"<table>{rows}</table>" if self else "<p>no findings</p>"


class Filter:
    """A compiled filter.

    Raises:
        SwexprError: The text is no filter; the message has the place and what may help.
    """

    def __init__(self, text: str, environment: Environment | None = None) -> None:
        self.text = text
        self.environment = environment
        encoded = text.encode()
        self._object = native.Object("filter", native.call(
            "filter_create", encoded, len(encoded), environment and environment.pointer))

    def matches(self, attributes: Mapping[str, Any]) -> bool:
        """Whether the filter is true. Any other value is no match, and so is a failed evaluation.

        Args:
            attributes: The variables by name: ``{"user": {"age": 31}}``.
        """
        context = _Context(attributes)
        return native.call("filter_matches", self._object.pointer, context.pointer)

    def evaluate(self, attributes: Mapping[str, Any]) -> Any:
        """The value of the filter.

        Raises:
            SwexprError: The filter has no value for these attributes.
        """
        context = _Context(attributes)
        return json.loads(native.text(
            "filter_evaluate", self._object.pointer, context.pointer, native.PLAIN))

    def explain(self, attributes: Mapping[str, Any]) -> Explanation:
        """Why the filter matches or not."""
        context = _Context(attributes)
        return Explanation(json.loads(native.text("filter_explain", self._object.pointer, context.pointer)))

    def check(self, schema: Mapping[str, Any] | None = None) -> Findings:
        """What is wrong with the filter, or probably is.

        Args:
            schema: A JSON schema of the attributes; ``None`` for those of the SDKs.
        """
        return check(self.text, schema, self.environment)

    def match(self, table: Any, **names: Any) -> Any:
        """Whether the filter is true for each row of a table, as a `pyarrow.BooleanArray`.

        See `FilterSet.match` for the tables and how their columns become attributes.
        """
        from swexpr.sets import FilterSet

        return FilterSet([self.text], self.environment).match(table, **names).mask(0)

    def __repr__(self) -> str:
        return f"Filter({self.text!r})"


def check(
    text: str, schema: Mapping[str, Any] | None = None, environment: Environment | None = None
) -> Findings:
    """What is wrong with a text, or probably is, whether it is a filter or not."""
    encoded = text.encode()
    types = None if schema is None else dump(schema)
    found: Sequence[dict[str, Any]] = json.loads(native.text(
        "check", encoded, len(encoded), environment and environment.pointer, types, len(types or b"")))
    return Findings(
        Finding(f.get("severity", ""), f.get("id", ""), f.get("message", ""), f) for f in found)
