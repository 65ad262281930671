"""Tables of the real libraries, matched as each row is by itself."""

import datetime
import decimal
import json
import os
import random

import pytest

import swexpr

pa = pytest.importorskip("pyarrow")

FILTERS = {"adults": "user.age >= 18", "pro": 'user.plan == "pro"', "both": 'user.age >= 18 && user.plan == "pro"'}
COLUMNS = {"age": [31, 17, None, 40], "plan": ["pro", "pro", "free", None]}
COUNTS = {"adults": 2, "pro": 2, "both": 1}


def test_lists():
    matches = swexpr.FilterSet(FILTERS).match(COLUMNS)
    assert matches.counts == COUNTS
    assert matches.mask("pro").to_pylist() == [True, True, False, False]
    assert matches.indices("adults") == [0, 3]
    assert matches.to_table().column_names == list(FILTERS)
    assert "adults" in matches._repr_html_()
    assert swexpr.FilterSet(FILTERS).first_counts(COLUMNS) == {"adults": 2, "pro": 1, "both": 0}


def test_pandas():
    pd = pytest.importorskip("pandas")
    assert swexpr.FilterSet(FILTERS).counts(pd.DataFrame(COLUMNS)) == COUNTS


def test_polars():
    pl = pytest.importorskip("polars")
    assert swexpr.FilterSet(FILTERS).counts(pl.DataFrame(COLUMNS)) == COUNTS


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    users = pa.table(COLUMNS)
    assert swexpr.FilterSet(FILTERS).counts(duckdb.sql("SELECT * FROM users")) == COUNTS
    assert users.num_rows == 4


def test_function_of_duckdb():
    duckdb = pytest.importorskip("duckdb")
    import swexpr.duckdb

    con = duckdb.connect()
    swexpr.duckdb.register(con, {"age": "BIGINT", "plan": "VARCHAR"})
    users = pa.table(COLUMNS)
    rows = con.execute("SELECT swexpr('user.age >= 18', {'age': age, 'plan': plan}) FROM users").fetchall()
    assert rows == [(True,), (False,), (False,), (True,)]
    assert users.num_rows == 4
    swexpr.duckdb.register(con, name="swexpr_json")
    query = """SELECT swexpr_json('user.age >= 18', '{"user": {"age": 31}}')"""
    assert con.execute(query).fetchall() == [(True,)]


def test_names_of_columns():
    table = pa.table({
        "user.age": pa.array([31, 17, None]),
        "device": pa.array(['{"platform": "iOS"}', "{}", None]),
        "params.source": pa.array(["ad", None, "ad"]),
        "app_name": pa.array(["002.010.000", "001.000.000", "002.000.000"]),
        "properties": pa.array(['{"a": [1]}', "3", "[]"]),
    })
    counts = swexpr.FilterSet([
        "user.age >= 18", 'device.platform == "iOS"', 'params.source == "ad"', 'user.appName >= "002.000.000"',
        "user.properties.a == [1]", "user.properties == 3",
    ]).counts(table, attributes={"app_name": "user.appName"}, json=["properties"])
    assert list(counts.values()) == [1, 1, 2, 2, 1, 1]


def test_datasets_read_what_is_needed(tmp_path):
    import pyarrow.dataset
    import pyarrow.parquet

    users = pa.array([{"age": 31, "name": "a"}, {"age": 17, "name": "b"}, None])
    pyarrow.parquet.write_table(
        pa.table({"user": users, "platform": ["iOS", "iOS", None], "unused": [1, 2, 3]}), tmp_path / "users.parquet")
    dataset = pyarrow.dataset.dataset(tmp_path)
    filters = swexpr.FilterSet(["user.age >= 18", 'device.platform == "iOS"', "true", "has(user.name)"])
    assert filters.attributes == ["device.platform", "user.age", "user.name"]
    counts = filters.counts(dataset, attributes={"platform": "device.platform"})
    assert list(counts.values()) == [1, 2, 3, 2]
    assert swexpr.FilterSet(["true"]).counts(dataset) == {0: 3}


def test_datasets_of_files_equal_their_tables(tmp_path):
    """Parquet files in pieces, with dictionaries, give what a scanner of pyarrow gives."""
    import pyarrow.dataset
    import pyarrow.parquet

    chance = random.Random(5)
    filters = swexpr.FilterSet(FILTERS | {"tag": 'user.tags.contains("x")', "name": 'user.name.startsWith("a")'})
    for number in range(3):
        rows = [
            {"age": chance.choice([None, 17, 18]), "plan": chance.choice([None, "pro", "free"]),
             "tags": chance.choice([None, [], ["x"], ["y", None]]), "name": f"{chance.choice('ab')}{row}"}
            for row in range(500)
        ]
        columns = {"user": pa.array([None, *rows])} if number < 2 else {"user": pa.array(rows), "more": [1] * 500}
        pyarrow.parquet.write_table(pa.table(columns), tmp_path / f"{number}.parquet", row_group_size=100)
    dataset = pyarrow.dataset.dataset(tmp_path)
    whole = filters.match(dataset.to_table())
    assert filters.counts(dataset) == whole.counts and whole.counts["tag"] > 0
    for name in filters.match(dataset).counts:
        assert filters.match(dataset).indices(name) == whole.indices(name)
    # What is more than files goes through pyarrow.
    kept = dataset.filter(pyarrow.dataset.field("user", "age") > 17)
    assert filters.counts(kept) == filters.counts(kept.to_table()) != whole.counts
    pyarrow.dataset.write_dataset(
        pa.table({"age": [20, 20, 3], "plan": ["pro", "free", "pro"]}), tmp_path / "parts", format="parquet",
        partitioning=["plan"], partitioning_flavor="hive")
    parts = pyarrow.dataset.dataset(tmp_path / "parts", partitioning="hive")
    assert swexpr.FilterSet(FILTERS).counts(parts) == {"adults": 2, "pro": 2, "both": 1}
    # Names that differ in case are others.
    pyarrow.parquet.write_table(pa.table({"Age": [20]}), tmp_path / "parts" / "case.parquet")
    other = pyarrow.dataset.dataset(tmp_path / "parts" / "case.parquet", schema=pa.schema([("age", pa.int64())]))
    assert swexpr.FilterSet(FILTERS).counts(other)["adults"] == 0



def test_mistakes():
    filters = swexpr.FilterSet(FILTERS)
    with pytest.raises(swexpr.SwexprError, match="no table"):
        filters.match(3)
    with pytest.raises(swexpr.SwexprError, match="a.b.c|not an attribute"):
        filters.match({"age": [1]}, attributes={"age": "user.a.b"})
    with pytest.raises(swexpr.SwexprError, match="two columns"):
        filters.match(pa.table({"age": [1], "user.age": [1]}))
    union = pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])
    with pytest.raises(swexpr.SwexprError, match="type"):
        filters.match(pa.table({"age": union}))


def test_chunks_and_slices():
    table = pa.concat_tables([pa.table({"age": list(range(n, n + 130))}) for n in range(0, 60, 7)])
    for start, count in [(0, 1_170), (3, 200), (129, 2), (64, 64)]:
        part = table.slice(start, count)
        mask = swexpr.Filter("user.age >= 40").match(part).to_pylist()
        assert mask == [value >= 40 for value in part["age"].to_pylist()]


def random_column(generator, count):
    """A column of any type of Arrow, and what each user has then."""
    texts = ["x", "y", "", "10", "true", "false", "xyz", "a longer text than words", "é"]
    numbers = [0, 1, 2, 3, 10, 17, 18]
    day = datetime.datetime(2024, 2, 29, 12, 30, 5)
    kinds = {
        **{str(kind): (kind, numbers) for kind in (
            pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())},
        "float": (pa.float32(), [0.0, 1.5, 2.5, -1.0]), "double": (pa.float64(), [0.0, 1.5, 2.5, 0.1]),
        "half": (pa.float16(), [0.0, 1.5, 2.5, -1.0]),
        "bool": (pa.bool_(), [True, False]), "null": (pa.null(), [None]),
        "text": (pa.string(), texts), "large text": (pa.large_string(), texts), "view": (pa.string_view(), texts),
        "dictionary": (pa.dictionary(pa.int8(), pa.string()), texts),
        "long dictionary": (pa.dictionary(pa.uint32(), pa.large_string()), texts),
        "list": (pa.list_(pa.string()), [[], ["x"], ["y", "x"], ["true"]]),
        "large list": (pa.large_list(pa.int64()), [[], [1], [2, 1]]),
        "view list": (pa.list_view(pa.string()), [[], ["x"], ["y", "x"]]),
        "pair": (pa.list_(pa.int32(), 2), [[1, 2], [0, 0]]),
        "struct": (pa.struct({"k": pa.int64()}), [{"k": 1}, {"k": 2}]),
        "map": (pa.map_(pa.string(), pa.int64()), [[("k", 1)], []]),
        "decimal": (pa.decimal128(10, 2), [decimal.Decimal("1.50"), decimal.Decimal("-3.99"), decimal.Decimal("2")]),
    }
    kind, values = kinds[generator.choice(sorted(kinds))]
    missing = generator.choice([0, 0, 0.3])
    column = [None if generator.random() < missing else generator.choice(values) for _ in range(count)]

    def plain(value):
        if isinstance(value, decimal.Decimal):
            return float(value)
        return dict(value) if value and pa.types.is_map(kind) else {} if value == [] and pa.types.is_map(kind) else value

    users = [plain(value) for value in column]
    if "float16" in str(kind) or "halffloat" in str(kind):
        import numpy

        column = [None if value is None else numpy.float16(value) for value in column]
    array = pa.array(column, kind)
    if generator.random() < 0.2 and count > 3:  # a column that starts inside of its memory
        array = pa.concat_arrays([array.slice(0, 3), array]).slice(3)
    if generator.random() < 0.1 and pa.types.is_integer(kind):
        import pyarrow.compute as compute

        array = compute.run_end_encode(array)
    return array, users


def random_filter(generator):
    def condition():
        attribute = generator.choice(["user.a", "user.b", "user.c", "device.d"])
        constant = generator.choice(["0", "1", "2", "18", "1.5", '"x"', '"10"', "true", '"true"', '""'])
        return generator.choice([
            f"{attribute} == {constant}", f"{attribute} != {constant}", f"{attribute} >= {constant}",
            f"{attribute} < {constant}", f'{attribute}.startsWith("x")', f'"x" in {attribute}',
            f'{attribute}.contains("x")', f"has({attribute})", attribute, f"{attribute} + 1 > 2", f"{attribute}.k == 1",
            f"{attribute} in [1, 2, \"x\"]", f"{attribute} * 2 - user.a >= 3", f'{attribute}.endsWith("z")',
            f"{attribute} == user.b", f"size({attribute}) > 1",
        ])

    parts = [generator.choice(["", "", "!"]) + f"({condition()})" for _ in range(generator.randint(1, 3))]
    return generator.choice([" && ", " || "]).join(parts)


@pytest.mark.parametrize("dialect", ["superscript", "cel"])
@pytest.mark.parametrize("seed", range(int(os.environ.get("SWEXPR_SEEDS", "10"))))
def test_random_filters(seed, dialect):
    generator = random.Random(seed)
    environment = swexpr.Environment(dialect)
    count = generator.choice([1, 5, 64, 70])
    columns = {name: random_column(generator, count) for name in ["user.a", "user.b", "user.c", "device.d"]}
    table = pa.table({name: array for name, (array, _) in columns.items()})
    filters = []
    while len(filters) < 50:
        try:
            filters.append(swexpr.Filter(random_filter(generator), environment))
        except swexpr.SwexprError:
            pass
    matches = swexpr.FilterSet(filters, environment).match(table)
    for row in range(count):
        user = {"user": {}, "device": {}, "params": {}}
        for name, (_, values) in columns.items():
            root, attribute = name.split(".")
            if values[row] is not None:
                user[root][attribute] = values[row]
        for number, filter in enumerate(filters):
            found = matches.mask(number)[row].as_py()
            assert found == filter.matches(user), f"{filter.text} for {json.dumps(user)} of {table.schema}"


def test_corpus():
    """A table of one row gives what the row does, for the filters of the corpus that have attributes only."""
    root = os.path.join(os.path.dirname(__file__), "../../..", "corpus", "campaigns", "sample")
    with open(os.path.join(root, "config.json")) as file:
        config = json.load(file)

    def texts(value):
        if isinstance(value, dict):
            for key, member in value.items():
                if key == "expression_cel" and member:
                    yield member
                yield from texts(member)
        elif isinstance(value, list):
            for member in value:
                yield from texts(member)

    found = list(dict.fromkeys(texts(config)))
    assert found
    filters = swexpr.FilterSet(found)
    users = [{"user": {"age": 31, "plan": "pro"}, "device": {"platform": "iOS"}, "params": {}}] * 3
    table = pa.table({part: pa.array([json.dumps(user[part]) for user in users]) for part in users[0]})
    matches = filters.match(table)
    for number, text in enumerate(found):
        assert matches.mask(number).to_pylist() == [swexpr.Filter(text).matches(user) for user in users]
