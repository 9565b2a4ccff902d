"""Which tests of a repository send requests to its app, and which packages they need in addition to the app's.

The arguments: the file for the answer, the app's folder, the repository's, the app's packages as JSON, and the modules
that tests missed when they ran, as JSON.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

_PACKAGES = (
    "aiosqlite asgi-lifespan async-asgi-testclient asyncpg dirty-equals faker fakeredis freezegun hypothesis"
    " inline-snapshot mimesis mongomock mongomock-motor moto nest-asyncio parameterized passlib polyfactory"
    " pytest-asyncio pytest-factoryboy pytest-mock requests respx sqlalchemy-utils time-machine trio"
)

# What people install for a module that only tests import. A list of ours: a name that nobody has registered yet would
# let anybody run code.
OF_MODULES = {
    "psycopg": "psycopg[binary]",
    "psycopg2": "psycopg2-binary",
    "bs4": "beautifulsoup4",
    "factory": "factory-boy",
    "jose": "python-jose",
    "jwt": "pyjwt",
    **{name.replace("-", "_"): name for name in _PACKAGES.split()},
}

# Plugins that tests use without an import.
OF_WORDS = {
    r"\bpytest\.mark\.asyncio\b|^\s*asyncio_(?:mode|default)": "pytest-asyncio",
    r"\bsqlite\+aiosqlite:": "aiosqlite",
    r"\bpostgresql\+asyncpg:": "asyncpg",
    r"\bmocker\b": "pytest-mock",
    r"\bhttpx_mock\b": "pytest-httpx",
    r"\brespx_mock\b": "respx",
    r"\bfreezer\b": "pytest-freezer",
    r"^\s*env\s*=|\[tool\.pytest_env\]|\[tool\.pytest\.env\]": "pytest-env",
    r"\blazy_fixture\b": "pytest-lazy-fixture",
    r"\bpytest\.mark\.(?:order|run)\b": "pytest-order",
}

FOREIGN = {"node_modules", "__pycache__", "venv", "env", "site-packages", "build", "dist", "loadtest-results"}
SETTINGS = ("pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml")
MOST_FILES, LARGEST = 3_000, 1_000_000
STARTS_TESTS = re.compile(r"(?:^|[/\\])(?:Makefile|justfile|tox\.ini|[\w.-]+\.(?:sh|ya?ml|toml|mk))$", re.I)
IN_FRONT = re.compile(r"""(?:^|[\s;&"'])([A-Z][A-Z0-9_]{1,60})=([\w./:@+-]{1,200})(?=[\s;&])""")
FILE_OF_TESTS = re.compile(r"(?:^|[/\\])\.?(?:env\.)?test(?:s|ing)?\.env$|(?:^|[/\\])\.env\.test(?:s|ing)?$")
IN_FILE = re.compile(
    r"""^\s*(?:export\s+)?([A-Za-z_]\w{0,60})\s*=\s*(["']?)([^\s"'#]{1,300})\2\s*(?:#.*)?$"""
)
TO_SQLITE = re.compile(r"""\benviron\.setdefault\(\s*["'](\w{1,60})["']\s*,\s*["']sqlite""")
CLIENT = re.compile(r"\b(?:TestClient|ASGITransport|AsyncClient)\b")


def files_below(folder: str, depth: int = 8) -> Iterator[str]:
    """Paths from there."""
    for place, folders, names in os.walk(folder):
        inside = os.path.relpath(place, folder)
        is_deep = inside.count(os.sep) >= depth
        folders[:] = [] if is_deep else sorted(e for e in folders if e not in FOREIGN and e[0] != ".")
        for name in sorted(names):
            yield os.path.normpath(os.path.join(inside, name))


def text_of(path: str) -> str:
    try:
        if os.path.isfile(path) and os.path.getsize(path) <= LARGEST:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read()
    except OSError:
        pass
    return ""


def is_of_tests(path: str) -> bool:
    name = os.path.basename(path)
    return name.endswith(".py") and (
        name == "conftest.py"
        or name.startswith("test_")
        or re.search(r"_tests?\.py$", name) is not None
        or bool({"test", "tests"} & set(path.split(os.sep)[:-1]))
    )


def tests_in(folder: str) -> dict[str, str]:
    """Their texts by their paths; empty if none sends a request."""
    paths = [path for path in files_below(folder) if is_of_tests(path)][:MOST_FILES]
    texts = {path: text_of(os.path.join(folder, path)) for path in paths}
    return texts if any(CLIENT.search(text) for text in texts.values()) else {}


def imported(text: str) -> set[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def version_of(name: str, requirements: dict[str, str]) -> str:
    """As a lock file fixes it, else as requirements limit it; empty: any."""
    spelled = re.escape(name).replace(r"\-", "[-_.]")
    locked = re.compile(rf'^name = "{spelled}"\r?\nversion = "([\w.]{{1,40}})"', re.I | re.M)
    stated = re.compile(
        rf"""(?:^|["']){spelled}(?:\[[\w, -]*\])?[ \t]*((?:[=<>~!]=?[\w.*]{{1,30}},? ?){{1,4}})[ \t]*(?=["';\#]|$)""",
        re.I | re.M,
    )
    caret = re.compile(rf'^{spelled} *= *(?:\{{ *version *= *)?"\^(\d[\w.]{{0,40}})"', re.I | re.M)
    for path, text in requirements.items():
        exact = locked.search(text) if path.endswith(".lock") else None
        if exact is not None:
            return f"=={exact[1]}"
    for text in requirements.values():
        limits = stated.search(text)
        if limits is not None:
            return limits[1].replace(" ", "").rstrip(",")
    for text in requirements.values():
        since = caret.search(text)
        if since is not None:
            major, _, minor = since[1].partition(".")
            first = minor.partition(".")[0] or "0"
            return f"~=0.{first}.0" if major == "0" else f"~={major}.{first}"
    return ""


def is_stated(name: str, requirements: dict[str, str]) -> bool:
    """True if the repository requires a package of that name, so that it is no guess of ours."""
    spelled = name.replace("_", "[-_.]")
    locked = re.compile(rf'^name = "{spelled}"\r?$', re.I | re.M)
    listed = re.compile(rf"^{spelled}(?=[ \t]*(?:[\[=<>~!;@#]|\r?$))", re.I | re.M)
    # A text alone may be anything, e.g. the folder of a package.
    limited = re.compile(rf"""["']{spelled}[ \t]*[\[=<>~!;@]|^{spelled}[ \t]*=""", re.I | re.M)
    return any(
        (locked if path.endswith(".lock") else limited if path.endswith(".toml") else listed).search(text)
        for path, text in requirements.items()
    )


def own_modules(folders: list[str]) -> set[str]:
    """What can be imported from the repository is no package of others."""
    parts = {part for folder in folders for path in files_below(folder, 4) for part in path.split(os.sep)}
    return {part.removesuffix(".py") for part in parts}


def variables_of(folders: list[str]) -> dict[str, str]:
    """Those that stand in front of `pytest` where it is started (`APP_ENV=test pytest`), or in a file for tests."""
    found: dict[str, str] = {}
    kept: dict[str, str] = {}
    for folder in folders:
        hidden = os.path.join(".github", "workflows")
        for inside in ("", hidden):
            for path in files_below(os.path.join(folder, inside), 2):
                if FILE_OF_TESTS.search(path):
                    lines = map(IN_FILE.match, text_of(os.path.join(folder, inside, path)).splitlines())
                    kept = {**{line[1]: line[3] for line in lines if line}, **kept}
                if not STARTS_TESTS.search(path):
                    continue
                for line in text_of(os.path.join(folder, inside, path)).splitlines():
                    before, test, _ = line[:2_000].partition("pytest")
                    found = {**dict(IN_FRONT.findall(before)), **found} if test else found
    return {name: value for name, value in {**kept, **found}.items() if name not in ("PATH", "HOME")}


def gives_the_app_to_httpx(text: str, installed: dict[str, str]) -> bool:
    """True if tests, or the client of a Starlette before 0.37, do it in a way that httpx 0.28 no longer has."""
    old = re.match(r"0\.(\d+)", installed.get("starlette", ""))
    return re.search(r"\bAsyncClient\(\s*app=", text) is not None or (old is not None and int(old[1]) < 37)


def needs_of(
    texts: dict[str, str], folders: list[str], installed: dict[str, str], missing: list[str]
) -> list[str]:
    settings = [text_of(os.path.join(folder, name)) for folder in folders for name in SETTINGS]
    modules = set(missing).union(*map(imported, texts.values()))
    words = "\n".join([*texts.values(), *settings])
    requirements = {
        path: text_of(path)
        for folder in folders
        for path in (os.path.join(folder, each) for each in files_below(folder, 2))
        if re.search(r"requirements|\.lock$|pyproject\.toml$|[/\\]requirements[/\\][\w.-]+$", path)
    }
    # Starlette's client takes either of them.
    is_new = "httpx2" in installed or any("httpx2" in text for text in requirements.values())
    wanted = [
        "pytest",
        *([] if is_new and "httpx" not in modules else ["httpx"]),
        *(["httpx2"] if is_new else []),
        *(name for module, name in OF_MODULES.items() if module in modules),
        *(name for word, name in OF_WORDS.items() if re.search(word, words, re.M)),
        *(
            each.replace("_", "-")
            for each in sorted(
                modules - set(OF_MODULES) - {"pytest", "httpx", "httpx2"} - own_modules(folders)
            )
            if is_stated(each, requirements)
        ),
    ]
    bare = {name: name.partition("[")[0] for name in wanted}
    takes_an_app = gives_the_app_to_httpx(words, installed)
    if takes_an_app and re.match(r"0\.(?:2[89]|[3-9]\d)", installed.get("httpx", "")):
        installed = {name: version for name, version in installed.items() if name != "httpx"}
    # What was the last to fit.
    fitting = {
        **({"pytest": "<8"} if "pytest-lazy-fixture" in bare else {}),
        **({"pytest-asyncio": "<0.22"} if re.search(r"\bdef event_loop\(", words) else {}),
        **({"httpx": "<0.28"} if takes_an_app else {}),
    }
    return [
        name + within(version_of(own, requirements), fitting.get(own, ""))
        for name, own in bare.items()
        if own not in installed
    ]


def within(stated: str, limit: str) -> str:
    """Versions that somebody wants, below a limit where those are open."""
    if stated and limit and re.fullmatch(r">=?[\w.]+", stated):
        return f"{stated},{limit}"
    return stated or limit


def answer(app: str, top: str, installed: dict[str, str], missing: list[str]) -> dict[str, Any] | None:
    for folder in dict.fromkeys((app, top)):
        texts = tests_in(folder)
        if texts:
            files = [
                path
                for path in texts
                if re.match(r"test_.*\.py$|.*_test\.py$|tests\.py$", os.path.basename(path))
            ]
            if not files:
                continue
            files.sort(key=lambda path: re.search(r"api|route|endpoint|view", path, re.I) is None)
            folders = list(dict.fromkeys((folder, app, top)))
            return {
                "folder": os.path.relpath(folder, top),
                "files": files,
                "needs": needs_of(texts, folders, installed, missing),
                "variables": variables_of(folders),
                "to_sqlite": sorted({name for text in texts.values() for name in TO_SQLITE.findall(text)}),
            }
    return None


if __name__ == "__main__":
    found = answer(sys.argv[2], sys.argv[3], *map(json.loads, sys.argv[4:6]))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(found, file)
