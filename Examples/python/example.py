#!/usr/bin/env python3
"""Audiences in Python, through ctypes: no package is needed but the shared library.

    example.py PATH-OF-THE-SHARED-LIBRARY
"""

import ctypes
import json
import sys
import threading

HOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p)
PLAIN = 0
ABI_VERSION = 1


class FilterError(Exception):
    """What the library says is wrong."""


class Library:
    """The functions of swexpr.h, with their types."""

    # Every pointer to an object, and every string that must be freed, is a `c_void_p`.
    FUNCTIONS = {
        "abi_version": (ctypes.c_uint32, []),
        "version": (ctypes.c_char_p, []),
        "string_free": (None, "p"),
        "environment_create": (ctypes.c_void_p, ["s", "n", HOST, "p", "p", "e"]),
        "environment_free": (None, "p"),
        "reply_value": (ctypes.c_bool, "psn"),
        "reply_error": (ctypes.c_bool, "psn"),
        "context_create": (ctypes.c_void_p, "usne"),
        "context_free": (None, "p"),
        "filter_create": (ctypes.c_void_p, "snpe"),
        "filter_free": (None, "p"),
        "filter_matches": (ctypes.c_bool, "ppe"),
        "filter_evaluate": (ctypes.c_void_p, "ppue"),
        "filter_explain": (ctypes.c_void_p, "ppe"),
        "check": (ctypes.c_void_p, "snpsne"),
        "set_create": (ctypes.c_void_p, "ppnpe"),
        "set_free": (None, "p"),
        "set_first_match": (ctypes.c_ssize_t, "ppe"),
    }
    TYPES = {
        "p": ctypes.c_void_p, "s": ctypes.c_char_p, "n": ctypes.c_size_t, "u": ctypes.c_uint32,
        "e": ctypes.POINTER(ctypes.c_void_p),
    }

    def __init__(self, path):
        library = ctypes.CDLL(path)
        for name, (result, arguments) in self.FUNCTIONS.items():
            function = getattr(library, "swexpr_" + name)
            function.restype = result
            function.argtypes = [self.TYPES.get(type, type) for type in arguments]
            setattr(self, name, function)
        if self.abi_version() != ABI_VERSION:
            raise FilterError("the library has another ABI")

    def take(self, string):
        """The text of an owned string, which is freed."""
        try:
            return ctypes.string_at(string).decode()
        finally:
            self.string_free(string)

    def call(self, function, *arguments):
        """Calls a function whose last parameter is the place of the error."""
        error = ctypes.c_void_p()
        result = function(*arguments, ctypes.byref(error))
        if error.value is not None:
            raise FilterError(self.take(error))
        return result

    def text(self, function, *arguments):
        """Calls a function that returns an owned string."""
        return self.take(self.call(function, *arguments))


class Object:
    """An object of the library, freed with the Python object."""

    # For an object whose creation failed.
    pointer = None

    def __init__(self, library, pointer, free):
        self.library, self.pointer, self._free = library, pointer, free

    def __del__(self):
        if self.pointer is not None:
            self._free(self.pointer)


class Context(Object):
    def __init__(self, library, variables):
        text = json.dumps(variables).encode()
        pointer = library.call(library.context_create, PLAIN, text, len(text))
        super().__init__(library, pointer, library.context_free)


class Environment(Object):
    """Host functions under `device`: Python functions by name."""

    def __init__(self, library, functions):
        def answer(_, name, arguments, reply):
            # No exception may leave a callback.
            try:
                function = functions[name.decode().removeprefix("device.")]
                text = json.dumps(function(*json.loads(arguments))).encode()
                library.reply_value(reply, text, len(text))
            except Exception as error:
                text = str(error).encode()
                library.reply_error(reply, text, len(text))

        # The library keeps a pointer to it, so Python must not collect it.
        self.callback = HOST(answer)
        options = json.dumps({"device": {name: [] for name in functions}}).encode()
        pointer = library.call(
            library.environment_create, options, len(options), self.callback, None, None)
        super().__init__(library, pointer, library.environment_free)


class Filter(Object):
    def __init__(self, library, text, environment=None):
        self.environment = environment
        text = text.encode()
        pointer = library.call(
            library.filter_create, text, len(text), environment and environment.pointer)
        super().__init__(library, pointer, library.filter_free)

    def matches(self, context):
        return self.library.call(self.library.filter_matches, self.pointer, context.pointer)

    def evaluate(self, context):
        library = self.library
        return json.loads(library.text(library.filter_evaluate, self.pointer, context.pointer, PLAIN))

    def explain(self, context):
        library = self.library
        return json.loads(library.text(library.filter_explain, self.pointer, context.pointer))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    library = Library(sys.argv[1])
    print("swexpr", library.version().decode())
    context = Context(library, {"user": {"age": 25, "name": "Zoë"}, "device": {"platform": "iOS"}})

    adult = Filter(library, 'user.age >= 18 && device.platform == "iOS"')
    print("adult:", adult.matches(context))
    print("explanation:", ", ".join(sorted(adult.explain(context))))
    print("name:", Filter(library, "user.name").evaluate(context))

    try:
        Filter(library, "user.age >=")
    except FilterError as error:
        print(error)
    text = b'device.platfrom == "iOS"'
    found = json.loads(library.text(library.check, text, len(text), None, None, 0))
    print("check:", ", ".join(diagnostic["id"] for diagnostic in found))

    def days_since(event):
        return {"app_open": 9}[event]

    environment = Environment(library, {"daysSince": days_since})
    days = Filter(library, 'device.daysSince("app_open") + 1', environment)
    print("days:", days.evaluate(context))
    try:
        Filter(library, 'device.daysSince("nothing") + 1', environment).evaluate(context)
    except FilterError as error:
        print("failed:", "nothing" in str(error))

    # One filter and one context on eight threads.
    results = []
    threads = [
        threading.Thread(target=lambda: results.extend(days.evaluate(context) for _ in range(100)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("threads:", len(results), set(results))

    texts = [b'user.age > 30', b'user.age > 20']
    pointers = (ctypes.c_char_p * len(texts))(*texts)
    audiences = library.call(
        library.set_create, ctypes.cast(pointers, ctypes.c_void_p), None, len(texts), None)
    print("first audience:", library.call(library.set_first_match, audiences, context.pointer))
    library.set_free(audiences)


main()
