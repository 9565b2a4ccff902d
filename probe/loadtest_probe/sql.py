"""One text for all statements that differ only in their values."""

import re

from loadtest_probe.settings import LONGEST_TEXT

_LITERAL = re.compile(
    r"""
      (?P<comment>--[^\n]*|/\*.*?\*/)
    | (?P<string>[eE]?'(?:[^']|'')*')
    | (?P<name>"[^"]*"|[A-Za-z_][A-Za-z_0-9$.]*)
    | (?P<parameter>%\([^)]*\)s|%s|\$\d+|:\w+(?!:))
    | (?P<cast>::)
    | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    | (?P<space>\s+)
    """,
    re.VERBOSE | re.DOTALL,
)
_LIST = re.compile(r"\(\s*\?(?:\s*,\s*\?)+\s*\)")
_ROWS = re.compile(r"\(\?\.\.\.\)(?:\s*,\s*\(\?\.\.\.\))+")
_SPACES = re.compile(" {2,}")
_LONGEST_READ = 20_000
_MOST_KEPT = 2_000

_known: dict[str, str] = {}


def normalise(statement: object) -> str:
    """`select 1, 'x'` becomes `select ?, ?`; lists of values become one."""
    text = statement if isinstance(statement, str) else _text_of(statement)
    known = _known.get(text)
    if known is None:
        known = _normalise(text)
        if len(_known) >= _MOST_KEPT:
            _known.clear()
        _known[text] = known
    return known


def _normalise(text: str) -> str:
    # A cut inside of a string would leave an open quote, and its value in what is shown.
    plain = _LITERAL.sub(_replace, text[:_LONGEST_READ])
    if len(text) > _LONGEST_READ:
        plain = plain.partition("'")[0]
    plain = _ROWS.sub("(?...)", _LIST.sub("(?...)", plain))
    plain = _SPACES.sub(" ", plain)  # where a comment was
    return plain.strip()[:LONGEST_TEXT]


def _replace(match: "re.Match[str]") -> str:
    kind = match.lastgroup
    if kind in ("string", "parameter", "number"):
        return "?"
    return " " if kind in ("comment", "space") else match.group()


def _text_of(statement: object) -> str:
    if isinstance(statement, bytes):
        return statement.decode("utf-8", "replace")
    # Only the connection knows the text of psycopg's `sql.Composed`; its own form distinguishes statements.
    return str(getattr(statement, "_obj", statement))
