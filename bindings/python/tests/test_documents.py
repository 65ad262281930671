"""Runs the Python of docs/columns.md, in the order of the page, and compares the results in its comments."""

import ast
import os
import pathlib
import re

import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")
PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "columns.md"


def test_page(tmp_path, monkeypatch):
    import pyarrow.parquet

    monkeypatch.chdir(tmp_path)
    pyarrow.parquet.write_table(
        pa.table({
            "age": [31, 17, 40, 18], "plan": ["pro", "pro", "free", "free"], "sessions": [12, 3, 30, None],
        }), "users.parquet")
    (tmp_path / "config.json").write_text((PAGE.parent / "config.json").read_text())
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    assert len(blocks) >= 4
    names = {}
    compared = 0
    for block in blocks:
        if "swexpr.spark" in block:  # tested with Spark
            continue
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            source = ast.get_source_segment(block, statement)
            comment = re.search(r"#\s(.*)$", lines[statement.end_lineno - 1][len(source.splitlines()[-1]):])
            if not isinstance(statement, ast.Expr):
                exec(source, names)
                continue
            value = eval(source, names)
            wanted = comment and comment[1]
            if wanted and re.match(r"[\[{TF]", wanted):
                assert value == ast.literal_eval(wanted), source
                compared += 1
    assert compared >= 4
    assert names["users"].filter(names["matches"].mask("pro")).num_rows == 1
    assert sorted(os.listdir(tmp_path)) == ["config.json", "users.parquet"]
