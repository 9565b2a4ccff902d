"""The recorder of a repository's tests, as `init` runs it."""

from __future__ import annotations

import socket
import sqlite3
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock
from uuid import UUID

import pytest

from loadtest_recorder.literals import NoLiteral, literal
from loadtest_recorder.replacements import NoSource, source_of
from tests.recordings import recorded, wiped_by


class Color(Enum):
    RED = 1


class Kind(str, Enum):
    BIG = "big"


@dataclass
class Owner:
    name: str
    kind: Kind | None = None


APP = """
from fastapi import Depends, FastAPI, Header, HTTPException, Request
from sqlalchemy import JSON, create_engine, event
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

class Base(DeclarativeBase): pass
class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    facts: Mapped[dict] = mapped_column(JSON, default=dict)
engine = create_engine("sqlite:///own.db")
@event.listens_for(engine, "connect")
def manual(connection, record): connection.isolation_level = None
@event.listens_for(engine, "begin")
def begin(connection): connection.exec_driver_sql("BEGIN")
Base.metadata.create_all(engine)
app = FastAPI()
def session():
    with Session(engine) as opened:
        yield opened
@app.get("/users/{user_id}")
def user(user_id: int, opened: Session = Depends(session), x_key: str = Header("")):
    found = opened.get(User, user_id)
    if found is None: raise HTTPException(404)
    return {"name": found.name}
@app.post("/users", status_code=201)
def add(body: dict): return body
@app.post("/files")
async def file(request: Request): return len(await request.body())
@app.get("/broken")
def broken(): raise RuntimeError("broken")
inner = FastAPI()
@inner.get("/{a}")
def inside(a: str): return a
app.mount("/inner", inner)
"""

SUITE = """
import time
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import delete, insert, text, update
from sqlalchemy.orm import Session
from main import User, app, engine, session

client = TestClient(app)

@pytest.fixture
def opened():
    with engine.connect() as connection:
        whole = connection.begin()
        with Session(connection, join_transaction_mode="create_savepoint") as opened:
            app.dependency_overrides[session] = lambda: opened
            yield opened
        whole.rollback()
    app.dependency_overrides.clear()

def test_rolled_back(opened):
    opened.add(User(name="ada"))
    opened.commit()
    opened.add(User(name="bob"))
    opened.flush()
    opened.rollback()
    headers = {"X-Key": "k", "Accept-Language": "en", "Authorization": "Bearer t"}
    assert client.get("/users/1?a=b", headers=headers).json() == {"name": "ada"}

def test_changed_and_deleted(opened):
    ada, bob = User(name="ada"), User(name="bob")
    opened.add_all([ada, bob])
    opened.flush()
    ada.name = "eve"
    opened.delete(bob)
    opened.flush()
    client.get("/users/1")

def test_without_objects(opened):
    opened.execute(insert(User).values(name="it's", facts={"a": 1}))
    client.get("/users/1")
    opened.execute(delete(User))
    assert client.get("/users/1").status_code == 404

def test_without_objects_or_keys(opened):
    many = insert(User).values([{"name": "ada", "facts": {}}, {"name": "bob", "facts": {}}])
    opened.execute(many.returning(User.name)).all()
    opened.execute(insert(User).values(name="eve", facts={}).returning(User.name)).all()
    client.get("/users/2")

def test_changed_by_statements(opened):
    opened.execute(text("INSERT INTO users (id, name, facts) VALUES (7, 'raw', '{}')"))
    opened.add_all([User(name="ada"), User(name="bob")])
    opened.commit()
    opened.execute(update(User).where(User.name == "ada").values(facts={"a": 1}))
    opened.execute(update(User.__table__).where(User.id >= 7).values(facts={"b": 2}))
    opened.execute(text("UPDATE users SET name = 'eve' WHERE name = :name"), {"name": "bob"})
    client.get("/users/8")
    opened.rollback()
    client.get("/users/8")

def test_raw(opened):
    opened.execute(text("INSERT INTO users (id, name, facts) VALUES (5, 'raw', '{}')"))
    client.post("/users", json={"name": "x"})

def test_bodies():
    client.post("/files", content=b"\\xff\\xfe")
    client.post("/users", content=b'{"a": "' + b"a" * 30_000 + b'"}')
    client.get("/inner/x")
    with pytest.raises(RuntimeError):
        client.get("/broken")

def test_slow():
    time.sleep(600)

def test_wrong():
    assert 1 == 2
"""


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return recorded(tmp_path_factory.mktemp("recorded"), {"main.py": APP, "test_main.py": SUITE})


def requests_of(notes: list[dict[str, Any]], test: str) -> list[dict[str, Any]]:
    return [each for each in notes if each["kind"] == "request" and each["test"].endswith(f"::{test}")]


def rows_of(notes: list[dict[str, Any]], request: dict[str, Any]) -> list[str]:
    rows = {each["number"]: each["sql"] for each in notes if each["kind"] == "row"}
    return [rows[number] for number in request["rows"]]


def insert(identity: int, name: str, facts: str = "{}") -> str:
    values = f"({identity}, '{name}', '{facts}')"
    return f"INSERT INTO users (id, name, facts) VALUES {values} ON CONFLICT DO NOTHING;"  # noqa: S608


def test_a_request_is_noted_with_what_counts(notes: list[dict[str, Any]]) -> None:
    (request,) = requests_of(notes, "test_rolled_back")
    expected = {
        **{"method": "GET", "path": "/users/1", "query": "a=b", "route": "/users/{user_id}", "status": 200},
        **{"body": "", "reply": '{"name":"ada"}', "cookies": [], "overrides": ["main:session"]},
        "headers": {"x-key": "k", "authorization": "Bearer t"},
    }
    assert {name: request[name] for name in expected} == expected


def test_rows_are_those_that_exist_when_it_is_sent(notes: list[dict[str, Any]]) -> None:
    assert [rows_of(notes, each) for each in requests_of(notes, "test_rolled_back")] == [[insert(1, "ada")]]
    assert [rows_of(notes, each) for each in requests_of(notes, "test_changed_and_deleted")] == [
        [insert(1, "eve")]
    ]
    there, gone = requests_of(notes, "test_without_objects")
    assert rows_of(notes, there) == [insert(1, "it''s", '{"a": 1}')]
    assert rows_of(notes, gone) == []
    assert [rows_of(notes, each) for each in requests_of(notes, "test_raw")] == [[]]
    [several] = requests_of(notes, "test_without_objects_or_keys")
    assert rows_of(notes, several) == [insert(1, "ada"), insert(2, "bob"), insert(3, "eve")]


def test_statements_change_the_rows_that_are_known(notes: list[dict[str, Any]]) -> None:
    changed, undone = requests_of(notes, "test_changed_by_statements")
    assert rows_of(notes, changed) == [insert(8, "ada", '{"b": 2}'), insert(9, "eve", '{"b": 2}')]
    assert rows_of(notes, undone) == [insert(8, "ada"), insert(9, "bob")]


def test_files_and_long_bodies_are_left_out(notes: list[dict[str, Any]]) -> None:
    inner, broken = requests_of(notes, "test_bodies")
    assert (inner["path"], inner["route"]) == ("/inner/x", "/inner/{a}")
    assert (broken["path"], broken["status"]) == ("/broken", 500)


BETWEEN = """
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Column, ForeignKey, Table, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

class Base(DeclarativeBase): pass
pairs = Table("pairs", Base.metadata, *(
    Column(f"{each}_id", ForeignKey(f"{each}.id"), primary_key=True) for each in ("left", "right")
))
class Mapped_(Base):
    __tablename__ = "mapped"
    id: Mapped[int] = mapped_column(primary_key=True)
    left_id: Mapped[int] = mapped_column(ForeignKey("left.id"))
    right_id: Mapped[int] = mapped_column(ForeignKey("right.id"))
class Right(Base):
    __tablename__ = "right"
    id: Mapped[int] = mapped_column(primary_key=True)
class Left(Base):
    __tablename__ = "left"
    id: Mapped[int] = mapped_column(primary_key=True)
    rights = relationship(Right, secondary=pairs)
    others = relationship(Right, secondary="mapped")
app = FastAPI()
engine = create_engine("sqlite://")
Base.metadata.create_all(engine)

def test_between():
    with Session(engine) as opened:
        right, other = Right(), Right()
        opened.add(Left(rights=[right, other], others=[other]))
        opened.flush()
        opened.add(Mapped_(left_id=1, right_id=1))
        opened.flush()
        TestClient(app).get("/")
"""


def test_rows_between_two_objects_are_noted(tmp_path: Path) -> None:
    notes = recorded(tmp_path, {"test_a.py": BETWEEN})
    [request] = [each for each in notes if each["kind"] == "request"]
    written = [each.split(" VALUES ")[0].removeprefix("INSERT INTO ") for each in rows_of(notes, request)]
    expected = ['"left" (id)', '"right" (id)', '"right" (id)']
    expected += 2 * ["mapped (id, left_id, right_id)"] + 2 * ["pairs (left_id, right_id)"]
    assert sorted(written) == expected


def test_each_test_has_an_end_and_the_first_failure_is_told(notes: list[dict[str, Any]]) -> None:
    *_, outcome = (each for each in notes if each["kind"] == "outcome")
    assert (outcome["passed"], outcome["failed"]) == (7, 2)
    assert outcome["first"].endswith("took longer than 5 s")


def test_the_suite_has_an_end(tmp_path: Path) -> None:
    suite = "import time\n" + "".join(f"def test_{n}(): time.sleep(0.3)\n" for n in range(20))
    notes = recorded(tmp_path, {"test_a.py": suite}, seconds=1)
    *_, outcome = (each for each in notes if each["kind"] == "outcome")
    assert outcome["passed"] < 10


SEVERAL = """
import time
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

app = FastAPI()
@app.get("/a")
def a(): return 1
@app.get("/b")
def b(): return 2
client = TestClient(app)
def asked(path): time.sleep(0.3); assert client.get(path).status_code == 200
"""


@pytest.mark.parametrize(
    ("routes", "passed"), [((), range(6, 16)), (("GET /a",), range(3, 6)), (("GET /c",), range(20, 21))]
)
def test_a_suite_that_reaches_no_other_route_ends(
    tmp_path: Path, routes: tuple[str, ...], passed: range
) -> None:
    tests = "".join(f"def test_{n:02}(): asked('/a' if {n} < 3 else '/b')\n" for n in range(20))
    notes = recorded(tmp_path, {"test_a.py": SEVERAL + tests}, quiet=1, routes=routes)
    *_, outcome = (each for each in notes if each["kind"] == "outcome")
    assert outcome["passed"] in passed


def test_a_suite_finds_its_own_packages_and_then_those_that_only_it_needs(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "helping.py").write_text("SIDE = 'of the tests'\n")
    files = {
        "tests/helpers.py": "NAME = 'theirs'\n",  # without __init__.py, as many have it
        "tests/test_a.py": "import helping\nfrom tests.helpers import NAME\n"
        "def test_names(): assert (NAME, helping.SIDE) == ('theirs', 'of the tests')\n",
    }
    outcome = [each for each in recorded(tmp_path, files, sites=(site,)) if each["kind"] == "outcome"][-1]
    assert (outcome["passed"], outcome["failed"]) == (1, 0), outcome


def test_what_works_is_tried_first_in_each_file(tmp_path: Path) -> None:
    names = ["invalid_name", "a", "answers_404", "b", "c", "d4040"]
    tests = SEVERAL + "".join(f"def test_{name}(): asked('/a')\n" for name in names)
    notes = recorded(tmp_path, {"test_a.py": tests, "test_b.py": tests})
    seen = [each["test"].replace(".py::test", "") for each in notes if each["kind"] == "request"]
    first = [f"test_{file}_{name}" for file in "ab" for name in ("a", "b", "c")]
    assert seen[:8] == [*first, "test_a_d4040", "test_b_d4040"]
    assert seen[8:] == [f"test_{file}_{name}" for file in "ab" for name in ("invalid_name", "answers_404")]


def test_an_order_that_the_suite_wants_stays(tmp_path: Path) -> None:
    names = ["invalid_name", "a"]
    tests = "".join(f"@pytest.mark.dependency\ndef test_{name}(): asked('/a')\n" for name in names)
    notes = recorded(tmp_path, {"test_a.py": SEVERAL + tests})
    seen = [each["test"] for each in notes if each["kind"] == "request"]
    assert seen == [f"test_a.py::test_{name}" for name in names]


@pytest.mark.parametrize("text", ["import nothing_of_that_name\n", "raise SystemExit(3)\n"])
def test_a_suite_that_cannot_be_read_says_why(tmp_path: Path, text: str) -> None:
    notes = recorded(tmp_path, {"test_a.py": text})
    assert [each["passed"] for each in notes if each["kind"] == "outcome"][-1:] in ([0], [])


@pytest.mark.parametrize(
    ("files", "first"),
    [
        ({"conftest.py": "import nothing_of_that_name\n"}, "ModuleNotFoundError: No module named 'nothing"),
        (
            {"test_a.py": "def test(): raise RuntimeError(\"No module named 'nothing_of_that_name'\")"},
            "Runtime",
        ),
    ],
)
def test_modules_that_are_missing_are_named(tmp_path: Path, files: dict[str, str], first: str) -> None:
    notes = recorded(tmp_path, {"test_a.py": "def test(): pass\n", **files})
    *_, outcome = (each for each in notes if each["kind"] == "outcome")
    assert outcome["first"].startswith(first)
    assert outcome["missing"] == ["nothing_of_that_name"]


def test_a_folder_that_cannot_be_read_keeps_no_other_from_running(tmp_path: Path) -> None:
    wrong = "import nothing_of_that_name\n"
    files = {
        "e2e/conftest.py": wrong,
        "e2e/test_a.py": "def test(): pass\n",
        "test_b.py": wrong,
        "test_c.py": "def test(): pass\n",
    }
    notes = recorded(tmp_path, files, arguments=("e2e/test_a.py", "test_b.py", "test_c.py"))
    *_, outcome = (each for each in notes if each["kind"] == "outcome")
    assert outcome["passed"] == 1
    assert outcome["first"].startswith("ModuleNotFoundError")


WIPING = """
import os, pathlib, pytest, shutil, socket, sqlite3

def wiped(places):
    for place in places:
        try:
            place()
        except OSError:
            continue
        except sqlite3.Error:
            continue

def test_wipe():
    def drop(address):
        kind = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        with socket.socket(kind) as found:
            found.settimeout(2)
            found.connect(address)
            found.sendall(b"DROP DATABASE; FLUSHALL")
    def empty(path):
        with sqlite3.connect(path) as opened:
            opened.execute("DROP TABLE things")
    user = pathlib.Path(USER)
    wiped([
        *(lambda port=port: drop(("127.0.0.1", port)) for port in (PORT, 5432, 6379)),
        lambda: drop(str(user / "socket")),
        lambda: empty(str(user / "data.db")),
        lambda: (user / "data.db").write_bytes(b""),
        lambda: (user / "data.db").unlink(),
        lambda: shutil.rmtree(user),
        lambda: os.rename(user, str(user) + "-gone"),
    ])
    pathlib.Path("was-here").write_text(os.environ["HOME"])

def test_logs():
    logs = pathlib.Path("/var/log")
    assert list(logs.iterdir()) == []
    (logs / "loadtest-wiping.log").write_text("kept by nobody")

def test_ours():
    with socket.create_connection(("127.0.0.1", OURS), 2) as found:
        assert found.recv(5) == b"hello"
    with socket.create_connection(("localhost", OURS), 2) as found:
        found.sendall(b"thanks")
"""


def test_a_suite_that_wipes_what_it_finds_reaches_nothing_of_the_user(tmp_path: Path) -> None:
    user = tmp_path / "user"
    user.mkdir()
    with sqlite3.connect(user / "data.db") as opened:
        opened.execute("CREATE TABLE things (a)")
    opened.close()
    before = (user / "data.db").read_bytes()
    reached: list[bytes] = []

    def serve(listener: socket.socket, greeting: bytes) -> None:
        while True:
            try:
                found, _ = listener.accept()
            except OSError:
                return
            with found:
                found.sendall(greeting)
                if not greeting:
                    reached.append(b"reached")

    theirs, ours = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
    local = socket.socket(socket.AF_UNIX)
    local.bind(str(user / "socket"))
    local.listen()
    for listener, greeting in ((theirs, b""), (local, b""), (ours, b"hello")):
        threading.Thread(target=serve, args=(listener, greeting), daemon=True).start()
    port = ours.getsockname()[1]
    names = f"USER, PORT, OURS = {str(user)!r}, {theirs.getsockname()[1]}, {port}\n"
    settings_port = {"STORE_URL": f"redis://127.0.0.1:{port}/0"}
    notes = wiped_by(tmp_path, names + WIPING, settings_port)
    for listener in (theirs, local, ours):
        listener.close()
    assert reached == []
    assert (user / "data.db").read_bytes() == before
    assert sorted(each.name for each in user.iterdir()) == ["data.db", "socket"]
    if any(each["kind"] == "refused" for each in notes):
        assert not (tmp_path / "project" / "was-here").exists()  # a machine without namespaces runs nothing
        return
    outcomes = [each for each in notes if each["kind"] == "outcome"]
    assert (outcomes[-1]["passed"], outcomes[-1]["failed"]) == (3, 0), outcomes[-1]
    assert (tmp_path / "project" / "was-here").exists()
    assert not Path("/var/log/loadtest-wiping.log").exists()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((None, "NULL"), (True, "TRUE"), (False, "FALSE"), (3, "3"), (1.5, "1.5"), (float("inf"), "'inf'")),
        *(("it's", "'it''s'"), (b"\x01\xff", "'\\x01ff'"), ({"a": "'"}, "'{\"a\": \"''\"}'")),
        *(([1, "a"], "ARRAY[1, 'a']"), ([], "'{}'"), (Color.RED, "'RED'"), (Kind.BIG, "'big'")),
    ],
)
def test_values_become_literals(value: object, expected: str) -> None:
    assert literal(value) == expected


@pytest.mark.parametrize("value", [object(), "a\0b"])
def test_some_values_have_no_literal(value: object) -> None:
    with pytest.raises(NoLiteral):
        literal(value)


NIL = UUID(int=0)


@pytest.mark.parametrize(
    ("value", "source", "imports"),
    [
        (None, "None", set()),
        ({"sub": "ü", 1: [True, 1.5]}, "{'sub': '\\xfc', 1: list([True, 1.5])}", set()),
        ((NIL, Decimal("1.0")), f"tuple([UUID('{NIL}'), Decimal('1.0')])", {"uuid:UUID", "decimal:Decimal"}),
        (
            datetime(2026, 1, 2, tzinfo=timezone.utc),
            "datetime.datetime(2026, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)",
            {"datetime:"},
        ),
        (SimpleNamespace(a=1), "SimpleNamespace(a=1)", {"types:SimpleNamespace"}),
    ],
)
def test_values_become_python(value: object, source: str, imports: set[str]) -> None:
    needed: set[str] = set()
    assert source_of(value, needed) == source
    assert needed == imports


@pytest.mark.parametrize(
    "value",
    [
        *(Mock(), object(), Owner("ada"), Color.RED, float("nan"), {(1,): 2}, [[[[[[1]]]]]]),
        *({"token": ".".join(["aB-0_" * 3] * 3)}, datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=1)))),
    ],
)
def test_mocks_and_what_is_of_the_tests_have_no_source(value: object) -> None:
    with pytest.raises(NoSource):
        source_of(value, set())


GUARDED = """
from dataclasses import dataclass
from fastapi import Depends, FastAPI
from pydantic import BaseModel, Field
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

class Base(DeclarativeBase): pass
class Row(Base):
    __tablename__ = "rows"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    nothing: Mapped[str]
class Model(BaseModel):
    name: str
    other: int = Field(1, alias="Other")
@dataclass
class Pair:
    left: Row
    right: Model
class Guards:
    def user(self): raise RuntimeError
guards = Guards()
def made():
    def user(): raise RuntimeError
    return user
current = made()
def token(): raise RuntimeError
def mocked(): raise RuntimeError
app = FastAPI()
@app.get("/", dependencies=[Depends(guards.user), Depends(current), Depends(token), Depends(mocked)])
def root(): return 1
"""

GUARDED_SUITE = """
from unittest.mock import Mock
from fastapi import Header
from fastapi.testclient import TestClient
from main import Model, Pair, Row, app, current, guards, mocked, token

def test_all():
    async def user(): return Row(id=1, name="ada")
    def other(x_name: str = Header("eve")): return Model(name=x_name)
    app.dependency_overrides = {
        guards.user: user, current: other, mocked: lambda: Mock(),
        token: lambda: Pair(Row(id=2, name="bob"), Model(name="x", Other=2)),
    }
    assert TestClient(app).get("/").status_code == 200
"""


def test_what_replaced_dependencies_return_is_noted(tmp_path: Path) -> None:
    notes = recorded(tmp_path, {"main.py": GUARDED, "test_main.py": GUARDED_SUITE})
    found = {
        each["name"]: (each["source"], each["imports"]) for each in notes if each["kind"] == "replacement"
    }
    row, model, pair = "main:Row", "main:Model", "main:Pair"
    assert found == {
        "main:guards.user": ("Row(id=1, name='ada')", [row]),
        "main:current": ("Model(name='eve', Other=1)", [model]),
        "main:token": (
            "Pair(left=Row(id=2, name='bob'), right=Model(name='x', Other=2))",
            sorted([model, pair, row]),
        ),
    }
    [request] = [each for each in notes if each["kind"] == "request"]
    assert request["values"] == [0, 1, 2]
    assert sorted(request["overrides"]) == ["main:current", "main:guards.user", "main:mocked", "main:token"]
