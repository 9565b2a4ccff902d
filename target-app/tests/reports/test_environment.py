import subprocess
import sys

import pytest

from reports.parts.environment import ReportSettings, read_settings
from reports.parts.fake_db import FakeDbSettings
from reports.parts.orm import OrmSettings
from tests.reports.servers import APP_FOLDER

URL = "postgresql://me:secret@127.0.0.1/shop"
NO_URL = "DATABASE_URL is not set: it must be postgresql://user:password@host:port/name"
WRONG_POOL = (
    "ORM_POOL is 'huge': it must be `published` (up to 15 connections sync, 30 async),"
    " `equal` (up to 30 each) or `none` (a new connection for each request)"
)


@pytest.mark.parametrize(
    ("kind", "variables", "sentence"),
    [
        (OrmSettings, {"DATABASE_URL": ""}, NO_URL),
        (
            OrmSettings,
            {"DATABASE_URL": "mysql://me:secret@127.0.0.1/shop"},
            "DATABASE_URL is not what it has to be: it must be postgresql://user:password@host:port/name",
        ),
        (OrmSettings, {"DATABASE_URL": URL, "ORM_POOL": "huge"}, WRONG_POOL),
        (OrmSettings, {"DATABASE_URL": "", "ORM_POOL": "huge"}, f"{NO_URL}, and {WRONG_POOL}"),
        (
            OrmSettings,
            {"DATABASE_URL": URL, "ORM_ECHO": "loud"},
            "ORM_ECHO is 'loud': it must be 1 (each statement is logged, as published) or 0 (none is)",
        ),
        (
            FakeDbSettings,
            {"FAKE_DB_URL": "127.0.0.1:9000"},
            "FAKE_DB_URL is '127.0.0.1:9000': it must be http://host:port,"
            " where `python -m reports.fake_db_server` listens",
        ),
    ],
)
def test_says_in_one_sentence_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    kind: type[ReportSettings],
    variables: dict[str, str],
    sentence: str,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        read_settings(kind)
    assert capsys.readouterr().err == f"{sentence}\n"


@pytest.mark.parametrize(
    "command",
    [
        "-m uvicorn reports.orm_sync:app --port 1",
        "-m uvicorn reports.orm_async:app --port 1 --workers 2 --timeout-worker-healthcheck 1",
        "-m gunicorn -k uvicorn_worker.UvicornWorker -b 127.0.0.1:0 --no-control-socket reports.orm_sync:app",
    ],
)
def test_a_server_says_it_and_does_not_try_again(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    ended = subprocess.run(  # noqa: S603
        [sys.executable, *command.split()], cwd=APP_FOLDER, capture_output=True, text=True, timeout=60
    )
    assert NO_URL in ended.stderr.splitlines()
    assert "Traceback" not in ended.stderr
