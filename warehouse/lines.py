"""Writes the users of Parquet files as lines of JSON, for `swexpr simulate`.

    python lines.py FILES [TO]

Without TO it writes to standard output.

NULL is a missing attribute, so it is left out.
"""

import sys

import duckdb


def main():
    files = sys.argv[1].replace("'", "''")
    target = (sys.argv[2] if len(sys.argv) > 2 else "/dev/stdout").replace("'", "''")
    # A merge leaves out whatever is null in the second document. A quote that no text has keeps the
    # lines as they are.
    duckdb.execute(
        f"""COPY (
          SELECT json_merge_patch('{{}}'::JSON, to_json(users)) FROM read_parquet('{files}') AS users
        ) TO '{target}' (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x01')"""
    )


main()
