"""Parquet files in pieces: every row is read once, with the types of the table."""

import datetime

import pytest

import swexpr

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

from swexpr import parquet  # noqa: E402

TYPES = {"user.n": pa.int64(), "user.word": pa.string()}
WAYS = {"user.n": ["user", "n"], "user.word": ["user", "word"]}


def write(path, numbers, **options):
    pq.write_table(pa.table({"user": [{"n": n, "word": f"w{n % 5}"} for n in numbers], "rest": numbers}), path, **options)
    return str(path)


def numbers(work, ways=WAYS, types=TYPES):
    found = []
    for pieces in work:
        for batch in parquet.read(pieces, ways, types):
            assert batch.schema.names == list(ways) or not batch.num_rows
            found += batch.column(0).to_pylist()
    return found


@pytest.mark.parametrize("size", [1, 100, 1_000, 5_000, 20_000, 1 << 30])
@pytest.mark.parametrize("count", [1, 3, 50])
def test_every_row_once(tmp_path, monkeypatch, size, count):
    monkeypatch.setattr(parquet, "_OPENING", 50)
    files = [
        write(tmp_path / "a b%20é.parquet", range(0, 3_000), row_group_size=100),
        (tmp_path / "b.parquet").as_uri(), write(tmp_path / "c.parquet", []),
        write(tmp_path / "d.parquet", range(4_000, 4_010)),
    ]
    write(tmp_path / "b.parquet", range(3_000, 4_000), row_group_size=7, use_dictionary=False)
    work = parquet.tasks(files, count, size)
    assert all(work) and sorted(numbers(work)) == list(range(4_010))
    pieces = [piece for task in work for piece in task]
    assert len(pieces) == len(set(pieces)) and {piece.uri for piece in pieces} == set(files)
    if size == 1_000 and count == 3:
        assert len(work) > 20
    if size == 1 << 30:
        assert len(work) <= count + 1


def test_small_files_share_tasks(tmp_path):
    files = [write(tmp_path / f"{n}.parquet", [n]) for n in range(100)]
    work = parquet.tasks(files, 4)
    assert 4 <= len(work) <= 5 and sorted(numbers(work)) == list(range(100))


def test_texts_are_dictionaries_where_they_repeat(tmp_path):
    table = pa.table({"word": ["iOS", "Android"] * 5_000, "id": [f"user {n}" for n in range(10_000)]})
    pq.write_table(table, tmp_path / "t.parquet", use_dictionary=["word"])
    ways = {"word": ["word"], "id": ["id"]}
    [batch] = parquet.read(parquet.tasks([str(tmp_path / "t.parquet")], 1)[0], ways, dict.fromkeys(ways, pa.string()))
    assert pa.types.is_dictionary(batch.column(0).type) and pa.types.is_string(batch.column(1).type)
    assert batch.column(0).to_pylist() == table["word"].to_pylist()


def test_names_and_types_of_files(tmp_path):
    """Files of one table may lack columns, spell them otherwise, and have other types of numbers and times."""
    time = datetime.datetime(2024, 2, 29, 12, 30, 5, 123456)
    ways = {"n": ["n"], "user.at": ["user", "at"]}
    types = {"n": pa.int64(), "user.at": pa.timestamp("us", "UTC")}
    first = pa.table({"N": pa.array([1], pa.int8()), "User": pa.array([{"AT": time}], pa.struct({"AT": pa.timestamp("ns")}))})
    pq.write_table(first, tmp_path / "1.parquet", use_deprecated_int96_timestamps=True)
    pq.write_table(pa.table({"n": [2]}), tmp_path / "2.parquet")
    pq.write_table(pa.table({"other": [3, 3]}), tmp_path / "3.parquet")
    work = parquet.tasks([str(tmp_path / f"{n}.parquet") for n in (1, 2, 3)], 1)
    one, two, three = [batch for task in work for batch in parquet.read(task, ways, types)]
    assert one.schema.names == ["n", "user.at"] and one.schema.types == list(types.values())
    assert one.to_pylist() == [{"n": 1, "user.at": time.replace(tzinfo=datetime.timezone.utc)}]
    assert two.to_pylist() == [{"n": 2}] and three.num_rows == 2
    pq.write_table(pa.table({"n": [1], "N": [1]}), tmp_path / "4.parquet")
    pq.write_table(pa.table({"n": [1]}), tmp_path / "5.parquet")
    pq.write_table(pa.table({"n": [b"no number"]}), tmp_path / "6.parquet")
    (tmp_path / "7.parquet").write_bytes(b"PAR1 and no more")
    for name, ways, message in [
        ("4", {"x": ["Nn"], "n": ["n"]}, None), ("4", {"n": ["Nn"]}, None), ("5", {"n": ["n", "m"]}, "no fields"),
        ("6", {"n": ["n"]}, "of type binary"), ("7", {"n": ["n"]}, "7.parquet"), ("8", {"n": ["n"]}, "8.parquet"),
    ]:
        task = [parquet.Piece(str(tmp_path / f"{name}.parquet"), 0, None)]
        if message:
            with pytest.raises(swexpr.SwexprError, match=message):
                list(parquet.read(task, ways, {**types, "x": pa.int64()}))
        else:
            assert sum(batch.num_rows for batch in parquet.read(task, ways, {**types, "x": pa.int64()})) == 1


def test_counts(tmp_path):
    file = write(tmp_path / "u.parquet", range(1_000), row_group_size=64)
    filters = swexpr.FilterSet(["user.n >= 900", 'user.word == "w3"', "true"])
    total = [0, 0, 0]
    for task in parquet.tasks([file], 2):
        for batch in parquet.read(task, WAYS, TYPES):
            total = [a + b for a, b in zip(total, filters.counts(batch).values())]
    assert total == [100, 200, 1_000]
