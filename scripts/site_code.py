"""Colours for the code blocks of the site: filters by the tables of the language, the rest by Pygments."""

import html
import re
from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import RegexLexer, bygroups, words
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

ROOT = Path(__file__).resolve().parent.parent
# The kinds of blocks that have colours, with the names of their lexers.
LANGUAGES = {"swift": "swift", "json": "json", "sh": "bash", "c": "c"}
FORMATTER = HtmlFormatter(nowrap=True)


def table(text, heading):
    """The rows of the first table of a document whose heading begins so, as lists of cells."""
    lines = text.split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith(heading))
    rows = []
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        rows.append([cell.strip().replace("\\|", "|") for cell in cells])
    return rows


def filter_lexer():
    """A lexer made of the generated tables: words and operators of language.md, names of functions.md."""
    language = (ROOT / "docs/language.md").read_text()
    keywords = set()
    for row in table(language, "| dialect | keywords"):
        keywords.update(re.findall(r"`(\w+)`", row[1]))
    operators = set()
    for row in table(language, "| level | operator"):
        operators.update(part for part in row[1].strip("`").split() if not part.isalnum())
    functions = set()
    for name in re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs/functions.md").read_text(), flags=re.M):
        functions.update(name.split("."))
    if not {"true", "in"} <= keywords or not {"&&", "=="} <= operators or "startsWith" not in functions:
        raise ValueError("docs/language.md or docs/functions.md has other tables than the site reads")
    symbols = sorted(operators - {".", "[", "]"}, key=len, reverse=True)

    class FilterLexer(RegexLexer):
        name = "filter"
        tokens = {
            "root": [
                (r"//.*$", Comment.Single),
                (r'[bBrR]{0,2}"""(?:\\.|[^\\])*?"""', String),
                (r'[bBrR]{0,2}"(?:\\.|[^"\\])*"', String),
                (r"[bBrR]{0,2}'(?:\\.|[^'\\])*'", String),
                (r"0x[0-9a-fA-F]+u?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?", Number),
                (words(sorted(keywords), prefix=r"\b", suffix=r"\b"), Keyword.Constant),
                (r"(\.\??)(\s*)([A-Za-z_]\w*)(?=\s*\()", bygroups(Punctuation, Text, Name.Function)),
                (words(sorted(functions), prefix=r"\b", suffix=r"(?=\s*\()"), Name.Function),
                (r"[A-Za-z_]\w*", Name),
                (words(symbols), Operator),
                (r"[\[\](){},.]", Punctuation),
                (r"\s+", Text),
            ],
        }

    return FilterLexer()


FILTER = filter_lexer()
LEXERS = {name: get_lexer_by_name(lexer, stripnl=False, ensurenl=False) for name, lexer in LANGUAGES.items()}


def colour(text, lexer):
    return highlight(text, lexer, FORMATTER).rstrip("\n")


def block(language, lines):
    """A fenced block as HTML."""
    kind = language.split(" ")[0]
    if kind == "filter":
        rendered = "\n".join(colour(line, FILTER) for line in lines)
    elif kind == "console":
        rendered = console(lines)
    elif kind in LEXERS:
        rendered = colour("\n".join(lines), LEXERS[kind])
    else:
        rendered = html.escape("\n".join(lines), quote=False)
    return f'<pre class="{kind or "text"}"><code>{rendered}</code></pre>'


def console(lines):
    """A session: the prompt cannot be selected, and commands differ from what they print."""
    rendered = []
    continues = False
    for line in lines:
        text = html.escape(line, quote=False)
        if line.startswith("$ ") or continues:
            prompt = "" if continues else '<span class="prompt">$ </span>'
            command = text if continues else text[2:]
            text = f'{prompt}<span class="command">{command}</span>'
            continues = line.endswith("\\")
        elif re.match(r"(error|warning)\[", line):
            kind = line.split("[")[0]
            text = re.sub(r"^(\w+\[\w+\]:)", rf'<span class="{kind}">\1</span>', text)
        rendered.append(text)
    return "\n".join(rendered)
