"""The programs that the action runs in the app's Python, by their path as it does."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import compare_uv_lock
import project_files
import read_lock
import read_project
import read_variables
import uv_workspace

TOOLS = Path(__file__).parents[1] / "tools"


def run(tool: str, *args: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, TOOLS / f"{tool}.py", *args]
    return subprocess.run(  # noqa: S603 - the tests' own words
        command, cwd=folder, capture_output=True, text=True, check=False
    )


def test_facts_are_those_of_the_interpreter(tmp_path: Path) -> None:
    assert run("interpreter_facts", tmp_path / "answer").returncode == 0
    facts = json.loads((tmp_path / "answer").read_text())
    assert facts["version"].startswith(f"{sys.version_info.major}.{sys.version_info.minor}.")
    assert facts["interpreter"] == sys.executable
    assert "fastapi" in facts["packages"]
    assert facts["isFreeThreaded"] is ("free-threading" in sys.version)


def test_a_pipe_in_a_file_s_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    with pytest.raises(ValueError, match="is not a plain file"):
        project_files.read_toml(str(tmp_path / "pyproject.toml"))


APPS = """
from fastapi import APIRouter, FastAPI
app = FastAPI(swagger_ui_oauth2_redirect_url=None)
inner = FastAPI()
@inner.get("/deep")
def deep(): ...
@app.get("/top")
def top(): ...
@app.websocket("/talk")
async def talk(socket): ...
app.mount("/below", inner)
class Wrapper:
    def __init__(self, app): self.app = app
    async def __call__(self, scope, receive, send): ...
wrapped = Wrapper(app)
def make(): return app
"""


@pytest.mark.parametrize("name", ["app", "wrapped", "make", "make()"])
def test_a_document_has_mounted_apps_and_sockets(tmp_path: Path, name: str) -> None:
    # Named like a file beside the program, which must not hide it.
    (tmp_path / "project_files.py").write_text(APPS)
    done = run("import_app", f"project_files:{name}", tmp_path / "answer", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "answer").read_text())
    assert list(document["paths"]) == ["/top", "/below/deep"]
    assert document["x-websockets"] == ["/talk"]
    mounted = [each for name, each in document.items() if name.startswith("x-mounted-0-")]
    assert [list(each["paths"]) for each in mounted] == [["/deep"]]


@pytest.mark.parametrize(
    ("lines", "status", "words"),
    [
        ("app = 1", 0, ""),
        ("import nothing_such", 1, "ModuleNotFoundError: No module named 'nothing_such'"),
        ("raise ConnectionRefusedError('no database')", 0, "ConnectionRefusedError: no database"),
        ("raise SystemExit(0)", 1, "SystemExit: 0"),
        ("raise ValueError('two\\nlines')", 1, "ValueError: two lines"),
    ],
)
def test_an_import_fails_in_one_line(tmp_path: Path, lines: str, status: int, words: str) -> None:
    (tmp_path / "main.py").write_text(lines)
    done = run("import_app", "main:app", folder=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (status, words)


def test_the_dependencies_that_an_app_replaces_are_named(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        "def get_user(): ...\nclass Inner:\n    dependency_overrides = {get_user: print, 1: print}\n"
        "class app:\n    app = Inner\n    def __call__(self): ...\n"
    )
    done = run("import_app", "main:app", tmp_path / "answer", "replaced", folder=tmp_path)
    assert (done.returncode, json.loads((tmp_path / "answer").read_text())) == (0, ["get_user"]), done.stderr


def test_an_app_that_may_not_write_files_can_be_imported(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "class app:\n    dependency_overrides = {print: 1}\n"
    )
    done = run("import_app", "main:app", tmp_path / "answer", "replaced", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_route_without_a_schema_is_left_out_alone(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        "from fastapi import FastAPI\nfrom pydantic_core import core_schema\n"
        "class Odd:\n"
        "    @classmethod\n"
        "    def __get_pydantic_core_schema__(cls, source, handler):\n"
        "        return core_schema.is_instance_schema(cls)\n"
        "app = FastAPI()\n"
        "@app.get('/items')\ndef items() -> int: ...\n"
        "@app.post('/odd')\ndef odd(body: list[Odd]) -> int: ...\n"
    )
    done = run("import_app", "main:app", tmp_path / "answer", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(json.loads((tmp_path / "answer").read_text())["paths"]) == ["/items"]


def test_an_app_without_a_document_says_so(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("app = 1")
    done = run("import_app", "main:app", tmp_path / "answer", folder=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (
        3,
        "main:app has no OpenAPI document of its own",
    )


def test_sqlite_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "odd?name#.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (id, blob)")
    connection.execute("INSERT INTO t VALUES (1, x'00'), (2, NULL)")
    connection.commit()
    connection.close()
    assert run("query_sqlite", tmp_path / "answer", path, "SELECT * FROM t", "1").returncode == 0
    answer = json.loads((tmp_path / "answer").read_text())
    assert answer == {"columns": ["id", "blob"], "rows": [[1, "b'\\x00'"]]}
    assert run("query_sqlite", tmp_path / "answer", path, "SELECT 9e999, -9e999", "1").returncode == 0
    assert json.loads((tmp_path / "answer").read_text(), parse_constant=pytest.fail)["rows"] == [
        ["inf", "-inf"]
    ]
    refused = run("query_sqlite", tmp_path / "answer", path, "DELETE FROM t", "1")
    assert refused.stderr == "OperationalError: attempt to write a readonly database\n"
    assert run("query_sqlite", tmp_path / "answer", tmp_path / "none", "SELECT 1", "1").returncode == 1
    assert not (tmp_path / "none").exists()


READS: list[tuple[str, list[tuple[str, bool, str | None, str | None]]]] = [
    ("import os\nos.getenv('A')\nos.environ['B']", [("A", False, None, None), ("B", True, None, None)]),
    ("try:\n    os.environ['A']\nexcept KeyError: ...", [("A", False, None, None)]),
    ("os.environ['A'] = 'set'", []),
    ("int(os.getenv('A'))\nint(os.getenv('B', 2))", [("A", True, "int", None), ("B", False, "int", "2")]),
    ("config('A', cast=int, default=1)\nconfig('b')", [("A", False, "int", "1")]),
    ("from decouple import config\nconfig('b', bool)", [("b", True, "bool", None)]),
    ("env.int('A', 3)", [("A", False, "int", "3")]),
    (
        "class S(BaseSettings):\n model_config = SettingsConfigDict(env_prefix='X_')\n a: int\n b: str = 'c'",
        [("X_A", True, "int", None), ("X_B", False, "str", "c")],
    ),
    (
        "class Db(BaseModel):\n url: str\n"
        "class S(BaseSettings):\n db: Db\n e: str = Field(alias='OTHER')\n"
        " class Config:\n  env_nested_delimiter = '__'",
        [("DB__URL", True, "str", None), ("OTHER", True, "str", None)],
    ),
    (
        "class Base(BaseSettings):\n a: str\nclass S(Base):\n a = 'd'\n b: Optional[str]",
        [("A", False, "str", "d"), ("B", False, "Optional[str]", None)],
    ),
    ("class C:\n a: str\nC(**dict(os.environ))", [("A", True, "str", None)]),
    (
        "def env_of(name, default=None):\n  return os.getenv(name) or default\nenv_of('A', 'b')\nenv_of('C')",
        [("A", False, None, "b"), ("C", False, None, None)],
    ),
    ("def need(name):\n  return os.environ[name]\nneed('A')\nneed(x)", [("A", True, None, None)]),
    (
        "class S:\n  def get(self, key, *, default_value=''):\n    return os.environ.get(key, default_value)\n"
        "S().get('A', default_value='b')\nS().get('lower')",
        [("A", False, None, "b")],
    ),
    (
        "def must(name):\n  if not os.getenv(name):\n    raise ValueError\nmust('A')",
        [("A", True, None, None)],
    ),
    ("def other(name):\n  return name\nother('A')", []),
    (
        "if 'A' in os.environ:\n  os.environ['A'] + os.environ['B']",
        [("A", False, None, None), ("B", True, None, None)],
    ),
    (
        "x = os.environ['A'] if os.environ.get('A') else 1",
        [("A", False, None, None), ("A", False, None, None)],
    ),
    ("def f[T](x: T): ...\ntype X = int\nos.getenv('A')", [("A", False, None, None)]),
    ("this is no Python", []),
]


@pytest.mark.parametrize(("text", "expected"), READS)
def test_variables(text: str, expected: list[tuple[str, bool, str | None, str | None]]) -> None:
    found = read_variables.variables_in([{"path": "a.py", "text": text}])
    assert [(each["name"], each["isNeeded"], each["type"], each["value"]) for each in found] == expected
    assert {each["path"] for each in found} <= {"a.py"}


def test_a_project() -> None:
    project = {
        "build-system": {},
        "project": {"dependencies": ["a"], "optional-dependencies": {"pg": ["psycopg"]}},
        "dependency-groups": {"dev": ["b", {"include-group": "c"}]},
        "tool": {"poetry": {"dependencies": {"d": "*", "e": {"optional": True}}}},
    }
    assert read_project.facts_of(project) == {
        "dependencies": ["a"],
        "isPackage": True,
        "isProject": True,
        "always": ["a", "d"],
        "groups": {"dev": ["b"]},
        "extras": {"pg": ["psycopg"]},
    }


@pytest.mark.parametrize(
    ("wanted", "requirement"),
    [
        ("*", "a"),
        ("1.2.3", "a==1.2.3"),
        ("1.2.*", "a==1.2.*"),
        ("^1.2.3", "a>=1.2.3,<2"),
        ("^0.78.0", "a>=0.78.0,<0.79"),
        ("^0.0.5", "a>=0.0.5,<0.0.6"),
        ("^0", "a>=0,<1"),
        ("~1.2.3", "a>=1.2.3,<1.3"),
        ("~1", "a>=1,<2"),
        (">=1.2,<2.0, !=1.5", "a>=1.2,<2.0,!=1.5"),
        ("^1.0b2", "a"),
        ("^1 || ^2", "a"),
        ([{"version": "^2"}, {"version": "^1"}], "a>=2,<3"),
        ({"version": "^3.1", "extras": ["b", "c"]}, "a[b,c]>=3.1,<4"),
        ({"version": "~=1.4", "markers": "python_version < '3'"}, "a~=1.4 ; python_version < '3'"),
        ({"git": "https://x/a.git", "rev": "main"}, "a @ git+https://x/a.git@main"),
        ({"git": "https://x/a.git"}, "a @ git+https://x/a.git"),
        ({"version": "1", "optional": True}, None),
        ({"path": "../a"}, None),
        ([], None),
    ],
)
def test_a_dependency_of_poetry(wanted: Any, requirement: str | None) -> None:
    assert read_project.requirement_of("a", wanted) == requirement


def test_a_project_of_poetry_that_is_no_package_and_has_no_lock_file() -> None:
    poetry: dict[str, Any] = {"dependencies": {"python": "^3.9", "fastapi": "^0.78.0"}}
    facts = read_project.facts_of({"tool": {"poetry": poetry}})
    assert (facts["dependencies"], facts["isProject"]) == (["fastapi>=0.78.0,<0.79"], True)
    package = {"tool": {"poetry": poetry}, "build-system": {}}
    assert read_project.facts_of(package)["dependencies"] == []
    assert read_project.facts_of({"tool": {}})["isProject"] is False


@pytest.mark.parametrize(
    ("own", "dynamic", "locked"),
    [
        ([{"name": "My_App", "metadata": {"requires-dist": [{"name": "a"}]}}], [], [{"name": "a"}]),
        ([{"name": "my-app"}], [], []),
        ([{"name": "my-app", "dependencies": [{"name": "a"}]}], [], None),
        ([{"name": "my-app"}], ["dependencies"], None),
        ([], [], None),
    ],
)
def test_a_uv_lock(own: list[dict[str, Any]], dynamic: list[str], locked: Any) -> None:
    project = {"project": {"name": "my.app", "dependencies": ["a"], "dynamic": dynamic}}
    assert compare_uv_lock.comparison(project, {"package": own}) == {
        "asked": ["a"],
        "locked": locked,
        "sourced": [],
    }


def test_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.uv.workspace]\n")
    (tmp_path / "uv.lock").write_text(
        '[[package]]\nname = "app"\nsource = { virtual = "apps/app" }\ndependencies = [{ name = "lib" }]\n'
        '[[package]]\nname = "lib"\nsource = { editable = "libs/lib" }\ndependencies = [{ name = "built" }]\n'
        '[[package]]\nname = "built"\nsource = { path = "wheels/built.whl" }\n'
        '[[package]]\nname = "other"\nsource = { editable = "libs/other" }\n'
        '[[package]]\nname = "away"\nsource = { directory = "../../away" }\n'
    )
    assert uv_workspace.Workspace(str(tmp_path), "apps/app", 1).answer() == {
        "name": "app",
        "folders": ["apps/app", "libs/lib"],
        "packages": ["libs/lib"],
        "archives": ["wheels/built.whl"],
    }
    assert uv_workspace.Workspace(str(tmp_path), "nowhere", 1).answer() is None


def test_a_lock_with_code_of_other_places() -> None:
    project = {"project": {"dependencies": ["a", "b", "c", "gone"]}}
    git = {"type": "git", "url": "https://host/a", "resolved_reference": "1f", "subdirectory": "x"}
    packages = [
        {"name": "a", "version": "1", "source": git},
        {"name": "b", "version": "1", "source": {"type": "directory", "url": "../b"}},
        {"name": "c", "version": "1", "source": {"type": "url", "url": "https://host/c.whl"}},
    ]
    answer = read_lock.answer_for(project, {"package": packages}, "/app", set())
    assert answer["lines"] == ["a @ git+https://host/a@1f#subdirectory=x", "/b", "c @ https://host/c.whl"]
    assert (answer["missing"], answer["isWhole"]) == (["gone"], False)
