"""The extension in the SQLite of Python: the cases of the corpus, mistakes, sizes, and threads.

The oracles are the answers that the corpus records, and the package for Python. Where the SQLite of Python loads no
extensions, that of the package pysqlite3-binary does.
"""

from __future__ import annotations

import json
import math
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

import swexpr

if not hasattr(sqlite3.Connection, "enable_load_extension"):
    import pysqlite3 as sqlite3

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXTENSION = pathlib.Path(os.environ.get("SWEXPR_SQLITE", ROOT / ".build" / "sqlite" / "swexpr.so"))


def connect(path: str = ":memory:", **options) -> sqlite3.Connection:
    connection = sqlite3.connect(path, **options)
    connection.enable_load_extension(True)
    connection.load_extension(str(EXTENSION.with_suffix("")))
    connection.enable_load_extension(False)
    return connection


@pytest.fixture
def con() -> Iterator[sqlite3.Connection]:
    connection = connect()
    yield connection
    connection.close()


def one(connection: sqlite3.Connection, query: str, *values: object) -> object:
    return connection.execute(query, values).fetchone()[0]


# The corpus.

NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.S)


def plain(text: str) -> dict | None:
    """Variables as JSON, or nothing if they have values that JSON lacks."""
    try:
        return json.loads(NUMBER.sub(lambda m: "" if m[0] == "," else m[0], text), parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        return None


def cases(file: pathlib.Path) -> Iterator[tuple[str, str, str, str]]:
    """The cases of a file that need no host: name, filter, attributes as JSON, and answer."""
    contexts: dict[str, dict | None] = {}
    used: dict | None = {}
    blocks = re.split(r"^(?=== |@)", file.read_text(), flags=re.M)
    for block in blocks[1:]:
        block = re.sub(r"^#.*\n", "", block, flags=re.M)
        head, _, body = block.partition("\n")
        if head.startswith("@context"):
            variables = re.match(r"\s*vars (.*)", body, re.S)
            contexts[head.split()[1]] = plain(variables[1]) if variables else None
        elif head.startswith("@use"):
            used = contexts[head.split()[1]]
        elif head.startswith("== "):
            question = re.match(r"((?:  .*\n)+)(--|!!) ?(.*)", body)
            if not question:
                continue
            lines = question[1].splitlines()
            options = [line for line in lines if re.match(
                r"  (with|device|computed|host|container|declare|flags|needs|quoted|definition|quoted-definition)\b", line)]
            variables = used
            if options:
                given = re.fullmatch(r"  with (.*)", options[0])
                lines = lines[:lines.index(options[0])]
                if len(options) > 1 or not given:
                    continue
                variables = contexts.get(given[1], plain(given[1]))
            if variables is None:
                continue
            text = "\n".join(line[2:] for line in lines)
            yield f"{file.stem}#{head[3:]}", text, json.dumps(variables, ensure_ascii=False), question[2] + question[3]


@pytest.mark.parametrize("dialect", ["superscript", "cel"])
def test_corpus(con, dialect):
    environment = swexpr.Environment(dialect)
    recorded = compared = matched = failed = 0
    for file in sorted((ROOT / "corpus" / dialect).glob("*.corpus")):
        for name, text, attributes, answer in cases(file):
            try:
                filter = swexpr.Filter(text, environment)
            except swexpr.SwexprError as error:
                with pytest.raises(sqlite3.OperationalError) as raised:
                    one(con, "SELECT swexpr(?, ?, ?)", text, attributes, dialect)
                assert str(raised.value) == str(error), name
                continue
            variables = json.loads(attributes)
            match = one(con, "SELECT swexpr(?, ?, ?)", text, attributes, dialect)
            assert match == filter.matches(variables), name
            if answer != "--any":
                assert match == (answer == "--true : bool"), f"{name}: {answer}"
                recorded += 1
            try:
                value = filter.evaluate(variables)
            except swexpr.SwexprError as error:
                with pytest.raises(sqlite3.OperationalError) as raised:
                    one(con, "SELECT swexpr_value(?, ?, ?)", text, attributes, dialect)
                assert str(raised.value) == str(error), name
                failed += 1
                continue
            found = one(con, "SELECT swexpr_value(?, ?, ?)", text, attributes, dialect)
            assert same(found, value), f"{name}: {found!r} is not {value!r}"
            compared += 1
            matched += match
    assert recorded > 1_500 and compared > 1_000 and matched > 300 and failed > 100


def same(found: object, value: object) -> bool:
    """Whether SQLite's value is the engine's."""
    if isinstance(value, (list, dict)):
        return json.loads(found) == value
    if isinstance(value, int) and not -2**63 <= value < 2**63:
        return found == float(value)
    if isinstance(value, float):
        return isinstance(found, float) and found == value and math.copysign(1, found) == math.copysign(1, value)
    return found == value and isinstance(found, type(value) if not isinstance(value, bool) else int)


# Values and arguments.


def test_values(con):
    def value(text: str, attributes: str = "{}", dialect: str = "cel") -> object:
        return one(con, "SELECT swexpr_value(?, ?, ?)", text, attributes, dialect)

    assert value("1 + 1") == 2 and value("1.0 + 1.0") == 2.0 and isinstance(value("2.0"), float)
    assert value("true") == 1 and value("1 > 2") == 0 and value("null") is None
    assert value("9223372036854775807") == 2**63 - 1 and value("18446744073709551615u") == 1.8446744073709552e19
    text = 'é"\\/\b\f\n\r\t\x00\x1f😀\u2028'
    assert value("user.text", json.dumps({"user": {"text": text}})) == text
    assert value("user.text", json.dumps({"user": {"text": text}}, ensure_ascii=False)) == text
    assert value("[1, 'a']") == '[1,"a"]'.replace(",", ", ") or json.loads(value("[1, 'a']")) == [1, "a"]
    assert one(con, "SELECT json_array(swexpr_value('[1]', '{}'))") == "[[1]]"
    assert one(con, "SELECT json_extract(swexpr_explain('user.age >= 18', '{}'), '$') IS NOT NULL") == 1
    assert one(con, "SELECT swexpr_version()") == swexpr.__version__


def test_null(con):
    for call in ["swexpr(NULL, '{}')", "swexpr('true', NULL)", "swexpr('true', '{}', NULL)", "swexpr('true', ' null\n')",
                 "swexpr_value(NULL, '{}')", "swexpr_value('1', NULL)", "swexpr_explain('1', NULL)",
                 "swexpr_check(NULL)", "swexpr_check('1', NULL)", "swexpr('(', NULL)"]:
        assert one(con, f"SELECT {call}") is None, call
    assert one(con, "SELECT swexpr('true', '{}')") == 1
    assert one(con, "SELECT swexpr('user.gone > 1', '{}')") == 0


@pytest.mark.parametrize("call, message", [
    ("swexpr('user.age >', '{}')", r"(?s)^error\[E\d+\].* --> .*1:"),
    ("swexpr('user.age => 18', '{}')", "write `>=`"),
    ("swexpr('', '{}')", "error"),
    ("swexpr('true', '{\"a\": }')", r"^swexpr: the JSON of the attributes: "),
    ("swexpr('true', '')", "the JSON of the attributes"),
    ("swexpr('true', '[1]')", "the JSON of the attributes"),
    ("swexpr('true', '1')", "the JSON of the attributes"),
    ("swexpr('true', 'nul')", "the JSON of the attributes"),
    ("swexpr('true', 5)", "the JSON of the attributes is not a text"),
    ("swexpr('true', x'7b7d')", r"is not a text: json\(…\) makes one of JSONB"),
    ("swexpr(x'74727565', '{}')", "the filter is not a text"),
    ("swexpr(1, '{}')", "the filter is not a text"),
    ("swexpr(1.5, '{}')", "the filter is not a text"),
    ("swexpr('true', '{}', 'sql')", "neither 'superscript' nor 'cel'"),
    ("swexpr('true', '{}', 1)", "the dialect is not a text"),
    ("swexpr('true')", "wrong number of arguments"),
    ("swexpr('true', '{}', 'cel', 1)", "wrong number of arguments"),
    ("swexpr_value('1 / 0', '{}', 'cel')", "(?i)zero"),
    ("swexpr_value('user.gone', '{\"user\": {}}', 'cel')", "gone"),
    ("swexpr_explain('(', '{}')", "error"),
    ("swexpr('true', CAST(x'7b22ff223a317d' AS TEXT))", "UTF-8|JSON"),
    ("swexpr(CAST(x'ff' AS TEXT), '{}')", "UTF-8"),
])
def test_mistakes(con, call, message):
    with pytest.raises(sqlite3.OperationalError, match=message):
        one(con, f"SELECT {call}")
    assert one(con, "SELECT swexpr('1 == 1', '{}')") == 1  # the connection works as before


def test_dialects(con):
    # A missing attribute counts as 0 in superscript and fails in cel, of one statement and from rows.
    query = "SELECT swexpr('user.age < 18', '{\"user\": {}}', name) FROM (VALUES ('cel'), ('superscript'), ('CEL')) v(name)"
    query = query.replace("(VALUES ('cel'), ('superscript'), ('CEL')) v(name)",
                          "(SELECT 'cel' AS name UNION ALL SELECT 'superscript' UNION ALL SELECT 'CEL')")
    assert [row[0] for row in con.execute(query)] == [0, 1, 0]
    findings = json.loads(one(con, "SELECT swexpr_check('user.agee >')"))
    assert findings[0]["severity"] == "error"
    assert json.loads(one(con, "SELECT swexpr_check('true')")) == []
    assert json.loads(one(con, "SELECT swexpr_check('1 + \"a\" > 2', 'cel')"))


def rows(count: int) -> list[dict]:
    chance = random.Random(7)
    return [
        {"user": {"age": chance.choice([None, *range(10, 40)]), "plan": chance.choice(["pro", "free", None]),
                  "name": chance.choice(["é", "x" * 50, "a\"b"])}, "device": {"n": n % 7}}
        for n in range(count)
    ]


FILTERS = ["user.age >= 18", 'user.plan == "pro" && user.age < 30', "device.n in [1, 2]", 'user.name.contains("é")']


def test_tables(con):
    """Filters over rows, constant ones and ones from a table, are those of the package."""
    users = [json.dumps(row) for row in rows(500)]
    con.execute("CREATE TABLE users (attributes TEXT)")
    con.executemany("INSERT INTO users VALUES (?)", [(user,) for user in users])
    con.execute("CREATE TABLE filters (number INTEGER, text TEXT)")
    con.executemany("INSERT INTO filters VALUES (?, ?)", enumerate(FILTERS))
    expected = [sum(swexpr.Filter(text).matches(json.loads(user)) for user in users) for text in FILTERS]
    assert all(0 < count < 500 for count in expected)
    joined = "SELECT sum(swexpr(text, attributes)) FROM users, filters GROUP BY number ORDER BY number"
    assert [row[0] for row in con.execute(joined)] == expected
    for text, count in zip(FILTERS, expected):
        assert one(con, "SELECT count(*) FROM users WHERE swexpr(?, attributes)", text) == count
    sums = ", ".join(f"sum(swexpr('{text}', attributes))" for text in FILTERS)
    assert list(con.execute(f"SELECT {sums} FROM users").fetchone()) == expected


def test_what_deterministic_functions_may_do(con):
    con.execute("CREATE TABLE users (attributes TEXT, CHECK (swexpr('user.age >= 0', attributes)))")
    con.execute("CREATE INDEX adults ON users (swexpr('user.age >= 18', attributes))")
    con.execute("PRAGMA trusted_schema = OFF")  # only innocuous functions remain
    con.execute("CREATE VIEW grown AS SELECT * FROM users WHERE swexpr('user.age >= 18', attributes)")
    con.executemany("INSERT INTO users VALUES (?)", [('{"user": {"age": 31}}',), ('{"user": {"age": 17}}',)])
    assert one(con, "SELECT count(*) FROM grown") == 1
    assert "adults" in str(con.execute(
        "EXPLAIN QUERY PLAN SELECT * FROM users WHERE swexpr('user.age >= 18', attributes) = 1").fetchall())
    with pytest.raises(sqlite3.IntegrityError):
        con.execute("INSERT INTO users VALUES ('{\"user\": {\"age\": -1}}')")


def test_constant_filters_are_compiled_once(con):
    # Compiling takes 100 times as long as a row; a limit on time would depend on the machine.
    text = " || ".join(f"user.a{n} == {n}" for n in range(2_000))
    con.execute("CREATE TABLE users AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) "
                "SELECT json_object('user', json_object('a1', i)) AS attributes FROM n")
    def seconds(limit: int) -> float:
        start = time.process_time()
        con.execute(f"SELECT sum(swexpr('{text} || {limit} == 0', attributes)) FROM (SELECT * FROM users LIMIT {limit})")\
            .fetchone()
        return time.process_time() - start

    single = min(seconds(1) for _ in range(3))
    assert seconds(3_000) < 1_000 * single


def test_more_filters_than_a_connection_keeps(con):
    found = con.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) "
        "SELECT sum(swexpr('user.age == ' || i, json_object('user', json_object('age', i)))), "
        "sum(swexpr('user.age == ' || (i + 1), json_object('user', json_object('age', i)))) FROM n").fetchone()
    assert found == (5_000, 0)


def test_huge_inputs(con):
    big = json.dumps({"user": {"name": "x" * 20_000_000, "tags": list(range(300_000))}})
    query = "SELECT swexpr('size(user.tags) == 300000', ?), swexpr_value('user.name', ?)"
    match, name = con.execute(query, (big, big)).fetchone()
    assert match == 1 and len(name) == 20_000_000
    with pytest.raises(sqlite3.OperationalError):
        one(con, "SELECT swexpr(?, '{}')", "(" * 1_000_000)
    with pytest.raises(sqlite3.OperationalError):
        one(con, "SELECT swexpr(?, '{}')", "true && " * 1_000_000 + "true")
    with pytest.raises(sqlite3.OperationalError, match="the JSON of the attributes"):
        one(con, "SELECT swexpr('true', ?)", '{"user": ' * 1_000_000)
    assert one(con, "SELECT swexpr('true', '{}')") == 1


def test_encodings():
    connection = connect()
    connection.execute("PRAGMA encoding = 'UTF-16le'")
    connection.execute("CREATE TABLE users (attributes TEXT)")
    connection.execute("INSERT INTO users VALUES (?)", ('{"user": {"name": "é😀"}}',))
    found = connection.execute(
        "SELECT swexpr('user.name == \"é😀\"', attributes), swexpr_value('user.name', attributes) FROM users").fetchone()
    assert found == (1, "é😀")
    connection.close()


def test_threads():
    """Connections of their own in many threads, and one in many threads one after another."""
    users = [json.dumps(row) for row in rows(200)]
    expected = [sum(swexpr.Filter(text).matches(json.loads(user)) for user in users) for text in FILTERS]
    wrong: list[object] = []

    def work(number: int) -> None:
        try:
            for _ in range(20):
                connection = connect()
                connection.execute("CREATE TABLE users (attributes TEXT)")
                connection.executemany("INSERT INTO users VALUES (?)", [(user,) for user in users])
                for text, count in zip(FILTERS, expected):
                    found = one(connection, "SELECT sum(swexpr(?, attributes)) FROM users", text)
                    if found != count:
                        wrong.append((number, text, found, count))
                connection.close()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    shared = connect(check_same_thread=False)
    lock = threading.Lock()
    sums: list[object] = []

    def share() -> None:
        for text in FILTERS * 10:
            with lock:
                sums.append(one(shared, "SELECT swexpr(?, ?)", text, users[0]) ==
                            swexpr.Filter(text).matches(json.loads(users[0])))

    threads = [threading.Thread(target=share) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shared.close()
    assert len(sums) == 160 and all(sums)


STATEMENTS = """
CREATE TABLE users AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
    SELECT json_object('user', json_object('age', i, 'name', 'é"x')) AS a FROM n;
SELECT sum(swexpr('user.age >= 18', a)), sum(swexpr('user.age >= 18', a, 'cel')), max(swexpr_value('user.name', a)) FROM users;
SELECT sum(swexpr('user.age == ' || (rowid * 7), a)) FROM users, (SELECT 1 UNION SELECT 2 UNION SELECT 3);
SELECT sum(swexpr('user.age == ' || i, '{}')) FROM
    (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT i FROM n);
SELECT sum(length(swexpr_explain('user.age > 1', a))), max(swexpr_value('[1]', a)), max(swexpr_value('{"a": 1.5}', a, 'cel')) FROM users;
SELECT swexpr('user.age >', a) FROM users;
SELECT swexpr('user.age > 1', a || '}') FROM users;
SELECT swexpr_value('1 / 0', a, 'cel') FROM users;
SELECT length(swexpr_check('user.age >'));
SELECT swexpr('true', json_object('user', json_object('x', hex(zeroblob(2000000)))));
SELECT swexpr('true', 'null'), swexpr('true', x'00'), 1;
"""


def test_memory():
    """Nothing remains of connections, filters, attributes and results, and no memory is used that is free."""
    valgrind, shell = shutil.which("valgrind"), shutil.which("sqlite3")
    if not valgrind or not shell:
        pytest.skip("there is no valgrind, or no sqlite3, here")
    command = [valgrind, "--leak-check=full", "--show-leak-kinds=definite", shell, ":memory:"]
    done = subprocess.run(
        command, input=".load ./swexpr\n" + STATEMENTS, capture_output=True, text=True, cwd=EXTENSION.parent)
    assert "183|183|é\"x" in done.stdout and "division by zero" in done.stderr
    lost = {name: int(count.replace(",", "")) for name, count in re.findall(
        r"(definitely|indirectly) lost: ([\d,]+) bytes", done.stderr)}
    # The engine makes one object of 16 bytes for the life of the process.
    assert sum(lost.values()) <= 16, done.stderr
    assert not re.search(r"Invalid (?:read|write|free)|uninitialised", done.stderr), done.stderr


def test_shell(tmp_path):
    """The commands of docs/warehouse.md, in the shell of SQLite, with the results in their comments."""
    shell = shutil.which("sqlite3")
    if not shell:
        pytest.skip("there is no sqlite3 here")
    page = (ROOT / "docs" / "warehouse.md").read_text()
    block = re.search(r"^```text\n(\.load .*?)^```", page, re.S | re.M)[1]
    done = subprocess.run(
        [shell, ":memory:"], input=block, capture_output=True, text=True, cwd=EXTENSION.parent, check=True)
    assert done.stderr == ""
    comments = re.findall(r"-- (.*)$", block, re.M)
    assert done.stdout.splitlines() == comments and len(comments) >= 3
