"""Charts of the figures in benchmarks/README.md, as SVG that follows the colours of the page."""

import html
import math
import re


def table(text, columns):
    """The rows of the first table whose header begins with the columns, as lists of cells."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.startswith(f"| {' | '.join(columns)} |"):
            rows = []
            for row in [line, *lines[index + 2:]]:
                if not row.startswith("|"):
                    break
                rows.append([cell.strip() for cell in row.strip("|").split("|")])
            return rows
    raise ValueError(f"benchmarks/README.md has no table `{columns[0]}`")


def number(cell):
    match = re.match(r"[\d.]+", cell)
    return float(match[0]) if match else None


def figure(svg, caption):
    return f"<figure>{svg}<figcaption>{html.escape(caption)}</figcaption></figure>"


def bars(rows, series, title, *, logarithmic=False):
    """Horizontal bars.

    `rows` are pairs of a label and its bars, each a class and a value; `series` are pairs of a class
    and its name in the legend.
    """
    left, right, bar, gap = 150, 70, 13, 12
    width = 760
    step = len(rows[0][1]) * bar + gap
    height = len(rows) * step + 46
    values = [value for _, row in rows for _, value in row]
    top, low = max(values), min(values) / 2

    def length(value):
        part = math.log(value / low) / math.log(top / low) if logarithmic else value / top
        return (width - left - right) * part

    out = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(title)}">']
    for index, (name, label) in enumerate(series):
        x = left + index * 220
        out.append(f'<rect class="{name}" x="{x}" y="6" width="12" height="12" rx="2"/>')
        out.append(f'<text class="muted" x="{x + 18}" y="16">{html.escape(label)}</text>')
    for index, (label, row) in enumerate(rows):
        y = 34 + index * step
        middle = y + len(row) * bar / 2 + 4
        out.append(f'<text x="{left - 10}" y="{middle}" text-anchor="end">{html.escape(label)}</text>')
        for place, (name, value) in enumerate(row):
            end, line = length(value), y + place * bar
            out.append(f'<rect class="{name}" x="{left}" y="{line}" width="{end:.1f}" '
                       f'height="{bar - 2}" rx="2"/>')
            out.append(f'<text class="muted" x="{left + end + 6:.1f}" y="{line + bar - 3}">'
                       f'{value:g}</text>')
    out.append("</svg>")
    return "".join(out)


def floor_chart(text):
    header, *rows = table(text, ["evaluate", "c-empty"])
    floor, engine = header.index("c-hashed"), header.index("engine-matches")
    data = [(row[0], [("floor", number(row[floor])), ("engine", number(row[engine]))])
            for row in rows if number(row[floor])]
    return figure(
        bars(data, [("floor", "hand-written C, hash maps"), ("engine", "swexpr, matches")],
             "Nanoseconds per evaluation"),
        "Nanoseconds per evaluation of thirteen filters over one context; shorter is better.")


def peer_chart(text):
    header, *rows = table(text, ["engine", "simple_eq"])
    column = header.index("two_and")
    data = []
    for row in rows:
        name = re.sub(r"[*`]| \(.*", "", row[0]).strip()
        value = number(row[column])
        # These two include the call, unlike the others.
        if value is None or name in ("engine, matches", "C hash map floor"):
            continue
        is_engine = name.startswith("engine")
        data.append(("swexpr" if is_engine else name, [("engine" if is_engine else "floor", value)]))
    data.sort(key=lambda row: row[1][0][1])
    return figure(
        bars(data, [("engine", "swexpr, evaluate"), ("floor", "others")],
             "Nanoseconds per evaluation of one filter", logarithmic=True),
        "Nanoseconds per evaluation of the filter two_and without the cost of an empty call, on a "
        "logarithmic scale; shorter is better.")


def insert(page, text):
    """The page of the benchmarks with its charts, before the first section."""
    charts = '<h2 id="at-a-glance">At a glance</h2>' + floor_chart(text) + peer_chart(text)
    position = page.index("<h2")
    return page[:position] + charts + page[position:]
