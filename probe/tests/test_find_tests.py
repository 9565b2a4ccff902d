"""Which tests of a repository the recorder runs, and with what."""

from __future__ import annotations

from pathlib import Path

import pytest

import find_tests


def test_tests_are_found_with_what_they_need(tmp_path: Path) -> None:
    for path, text in {
        "app/main.py": "",
        "app/tests/conftest.py": "import respx\nfrom httpx import ASGITransport\n",
        "app/tests/test_a.py": "import pytest, faker, unknown\n@pytest.mark.asyncio\ndef test(mocker): pass\n",
        "app/tests/api/test_b.py": "from starlette.testclient import TestClient\n",
        "app/requirements-dev.txt": "pytest>=8,<9  # comment\nFaker==1.2.3\n",
        "poetry.lock": 'name = "respx"\nversion = "0.21.1"\n',
        "pyproject.toml": '[tool.poetry.dependencies]\npytest-mock = "^3.14"\npytest-asyncio = "^0.21.1"\n',
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = find_tests.answer(str(tmp_path / "app"), str(tmp_path), {"httpx": "0.28"}, [])
    assert found == {
        "folder": "app",
        "files": ["tests/api/test_b.py", "tests/test_a.py"],
        "needs": [
            "pytest>=8,<9",
            "faker==1.2.3",
            "respx==0.21.1",
            "pytest-asyncio~=0.21.0",
            "pytest-mock~=3.14",
        ],
        "variables": {},
        "to_sqlite": [],
    }


@pytest.mark.parametrize(
    ("imports", "requirements", "missing", "expected"),
    [
        ("", "", ["psycopg2"], ["psycopg2-binary"]),
        ("", "", ["unknown_to_us"], []),
        ("unknown_to_us", "", [], []),
        ("unknown_to_us", "unknown-to-us>=1\n", [], ["unknown-to-us>=1"]),
        ("", "[project]\ndev = ['unknown.to.us>1']\n", ["unknown_to_us"], ["unknown-to-us>1"]),
        ("", "[project]\npackages = ['unknown_to_us']\n", ["unknown_to_us"], []),
        ("", "[tool.poetry.dependencies]\nunknown-to-us = '*'\n", ["unknown_to_us"], ["unknown-to-us"]),
        ("test_a", "test-a>1\n", [], []),
        ("os\nurl = 'sqlite+aiosqlite:///a.db'", "", [], ["aiosqlite"]),
        ("", "unknown-to-us-either\n", ["unknown_to_us"], []),
    ],
)
def test_a_module_that_tests_miss_is_installed_where_its_package_is_known(
    tmp_path: Path, imports: str, requirements: str, missing: list[str], expected: list[str]
) -> None:
    text = f"from fastapi.testclient import TestClient\n{imports and 'import ' + imports}\n"
    (tmp_path / "test_a.py").write_text(text)
    name = "pyproject.toml" if requirements.startswith("[") else "requirements.txt"
    (tmp_path / name).write_text(requirements)
    found = find_tests.answer(str(tmp_path), str(tmp_path), {"httpx": "0.28"}, missing)
    assert found is not None
    assert found["needs"] == ["pytest", *expected]


@pytest.mark.parametrize(
    ("requirements", "expected"),
    [("", "pytest<8"), ("pytest==7.1\n", "pytest==7.1"), ("pytest>=7\n", "pytest>=7,<8")],
)
def test_a_plugin_gets_the_last_pytest_that_it_knows(
    tmp_path: Path, requirements: str, expected: str
) -> None:
    text = "from fastapi.testclient import TestClient\na = pytest.lazy_fixture('a')\n"
    (tmp_path / "test_a.py").write_text(text)
    (tmp_path / "requirements.txt").write_text(requirements)
    found = find_tests.answer(str(tmp_path), str(tmp_path), {"httpx": "0.28"}, [])
    assert found is not None
    assert found["needs"] == [expected, "pytest-lazy-fixture"]


@pytest.mark.parametrize(
    ("text", "starlette", "expected"),
    [
        ("AsyncClient(\n    app=app)", "1.0.1", "httpx<0.28"),
        ("AsyncClient(transport=a)", "1.0.1", "httpx"),
        ("TestClient(app)", "0.36.3", "httpx<0.28"),
        ("TestClient(app)", "0.37.0", "httpx"),
    ],
)
def test_tests_get_the_last_httpx_that_takes_an_app(
    tmp_path: Path, text: str, starlette: str, expected: str
) -> None:
    (tmp_path / "test_a.py").write_text(f"client = {text}\n")
    found = find_tests.answer(str(tmp_path), str(tmp_path), {"starlette": starlette}, [])
    assert found is not None
    assert found["needs"] == ["pytest", expected]


@pytest.mark.parametrize(("installed", "expected"), [("0.28.1", ["httpx<0.28"]), ("0.27.2", [])])
def test_the_app_may_have_a_newer_httpx_than_its_tests(
    tmp_path: Path, installed: str, expected: list[str]
) -> None:
    (tmp_path / "test_a.py").write_text("client = AsyncClient(app=app)\n")
    found = find_tests.answer(str(tmp_path), str(tmp_path), {"httpx": installed}, [])
    assert found is not None
    assert found["needs"] == ["pytest", *expected]


def test_tests_with_a_loop_of_their_own_get_the_last_plugin_that_uses_it(tmp_path: Path) -> None:
    text = "from httpx import AsyncClient\n@pytest.mark.asyncio\ndef test(): ...\ndef event_loop(): ...\n"
    (tmp_path / "test_a.py").write_text(text)
    found = find_tests.answer(str(tmp_path), str(tmp_path), {}, [])
    assert found is not None
    assert found["needs"] == ["pytest", "httpx", "pytest-asyncio<0.22"]


def test_variables_that_are_a_sqlite_file_unless_somebody_gives_them(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import os\nfrom fastapi.testclient import TestClient\n"
        "os.environ.setdefault('DATABASE_URL', \"sqlite://:memory:\")\n"
        'os.environ.setdefault("REDIS_URL", "redis://localhost")\nos.environ["OTHER"] = "sqlite://"\n'
    )
    (tmp_path / "test_a.py").write_text("from fastapi.testclient import TestClient\n")
    found = find_tests.answer(str(tmp_path), str(tmp_path), {}, [])
    assert found is not None
    assert found["to_sqlite"] == ["DATABASE_URL"]


def test_variables_in_front_of_pytest_are_those_of_the_tests(tmp_path: Path) -> None:
    for path, text in {
        "test_a.py": "from fastapi.testclient import TestClient\n",
        "Makefile": "run:\n\tMODE=live uvicorn a:app\ntest:\n\texport MODE=test && HOME=/x python -m pytest\n",
        ".github/workflows/a.yml": "run: TOKEN=a/b:1 PLACE=$HERE pytest -q\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = find_tests.answer(str(tmp_path), str(tmp_path), {}, [])
    assert found is not None
    assert found["variables"] == {"MODE": "test", "TOKEN": "a/b:1"}


@pytest.mark.parametrize(
    ("name", "is_read"),
    [
        *[(name, True) for name in (".test.env", ".env.test", "docker/test.env", ".env.testing")],
        *[(name, False) for name in (".env", "latest.env", ".env.test.py")],
    ],
)
def test_variables_in_a_file_for_tests_are_those_of_the_tests(
    tmp_path: Path, name: str, is_read: bool
) -> None:
    text = "# A=0\nMODE=test # of tests\nexport B='two'\nSPACED=a b\nTOKEN=file\n"
    files = {
        "test_a.py": "from starlette.testclient import TestClient\n",
        "Makefile": "test:\n\tTOKEN=x pytest\n",
    }
    for path, content in {**files, name: text}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    found = find_tests.answer(str(tmp_path), str(tmp_path), {}, [])
    assert found is not None
    assert found["variables"] == ({"MODE": "test", "B": "two", "TOKEN": "x"} if is_read else {"TOKEN": "x"})


def test_tests_without_a_client_are_none(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test(): pass\n")
    assert find_tests.answer(str(tmp_path), str(tmp_path), {}, []) is None
    (tmp_path / "test_a.py").unlink()
    (tmp_path / "conftest.py").write_text("from fastapi.testclient import TestClient\n")
    assert find_tests.answer(str(tmp_path), str(tmp_path), {}, []) is None


@pytest.mark.parametrize(
    ("text", "installed", "expected"),
    [("", {}, ["pytest", "httpx"]), ("httpx2", {}, ["pytest", "httpx2"]), ("", {"httpx2": "2"}, ["pytest"])],
)
def test_the_client_has_the_library_that_the_repository_chose(
    tmp_path: Path, text: str, installed: dict[str, str], expected: list[str]
) -> None:
    (tmp_path / "test_a.py").write_text("from fastapi.testclient import TestClient\n")
    (tmp_path / "requirements.txt").write_text(text)
    found = find_tests.answer(str(tmp_path), str(tmp_path), installed, [])
    assert found is not None
    assert found["needs"] == expected
