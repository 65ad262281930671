"""The functions of swexpr.h, by ctypes, which lets other threads run while a function does."""

from __future__ import annotations

import ctypes
import pathlib
import sys
from typing import Any

from swexpr.errors import SwexprError

ABI_VERSION = 1
PLAIN = 0
EACH, FIRST = 0, 1

HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p)

_TYPES = {
    "p": ctypes.c_void_p, "s": ctypes.c_char_p, "n": ctypes.c_size_t, "u": ctypes.c_uint32, "h": HOST,
    "e": ctypes.POINTER(ctypes.c_void_p), "P": ctypes.c_void_p, "N": ctypes.c_size_t, "b": ctypes.c_bool,
}
# The result, then the parameters. "e" is the place of an error, which `call` adds.
_FUNCTIONS = {
    "abi_version": "u", "string_free": ("", "p"),
    "environment_create": "Psnhppe", "environment_free": ("", "p"),
    "reply_value": "bpsn", "reply_error": "bpsn",
    "context_create": "Pusne", "context_free": ("", "p"),
    "filter_create": "Psnpe", "filter_free": ("", "p"), "filter_matches": "bppe",
    "filter_evaluate": "Pppue", "filter_explain": "Pppe",
    "check": "Psnpsne",
    "set_create": "Pppnpe", "set_free": ("", "p"), "set_attributes": "Ppe",
    "batch_create": "Pppsne", "batch_free": ("", "p"), "batch_count": "Np",
    "matcher_create": "Ppe", "matcher_free": ("", "p"),
    "campaign_create": "Psnsne", "campaign_free": ("", "p"), "campaign_notes": "Ppe", "campaign_attributes": "Ppe",
    "campaign_counts": "Pppe", "campaign_decide": "Ppsnsne",
    "matcher_matches": "bpppne", "matcher_counts": "bppupne",
}


def _load() -> ctypes.CDLL:
    name = "libCSwexpr.dylib" if sys.platform == "darwin" else "libCSwexpr.so"
    path = pathlib.Path(__file__).with_name(name)
    if not path.exists():
        raise ImportError(f"{path.name} is not in the package; `make wheel` puts it there")
    library = ctypes.CDLL(str(path))
    for function, types in _FUNCTIONS.items():
        native = getattr(library, "swexpr_" + function)
        result, parameters = (types[0], types[1:]) if isinstance(types, str) else types
        native.restype = _TYPES[result] if result else None
        native.argtypes = [_TYPES[parameter] for parameter in parameters]
    if library.swexpr_abi_version() != ABI_VERSION:
        raise ImportError("the library of the package has another ABI")
    return library


_library = _load()


def function(name: str) -> Any:
    """A function of the library, without the prefix of its name."""
    return getattr(_library, "swexpr_" + name)


def call(name: str, *arguments: Any) -> Any:
    """Calls a function whose last parameter is the place of an error."""
    error = ctypes.c_void_p()
    result = function(name)(*arguments, ctypes.byref(error))
    if error.value is not None:
        raise SwexprError(take(error.value))
    return result


def take(string: int) -> str:
    """The text of a string that the library gave away."""
    try:
        return ctypes.string_at(string).decode()
    finally:
        function("string_free")(string)


def text(name: str, *arguments: Any) -> str:
    """Calls a function that returns a string."""
    return take(call(name, *arguments))


class Object:
    """An object of the library, which is freed with the Python object."""

    def __init__(self, kind: str, pointer: int) -> None:
        self._free = function(kind + "_free")
        self.pointer = pointer

    def __del__(self) -> None:
        pointer, self.pointer = getattr(self, "pointer", None), None
        if pointer:
            self._free(pointer)
