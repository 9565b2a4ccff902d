"""Which functions take the CPU time, by samples of whole stacks."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loadtest_probe.settings import Settings
from loadtest_probe.stack_document import package_of
from loadtest_probe.stacks import Stacks
from tests.conftest import Serve
from tests.servers import GRANIAN, HYPERCORN, PROBE, Server, line_of

COMMANDS = [
    "uvicorn --log-level warning --port {port} stacks:app",
    "uvicorn --log-level warning --loop asyncio --http h11 --port {port} stacks:app",
    "gunicorn --no-control-socket -b 127.0.0.1:{port} -k uvicorn_worker.UvicornWorker stacks:app",
    "gunicorn --no-control-socket -b 127.0.0.1:{port} -k asgi stacks:app",
    f"{HYPERCORN} -k asyncio stacks:app",
    f"{HYPERCORN} -k uvloop stacks:app",
    f"{GRANIAN} --loop asyncio stacks:app",
    f"{GRANIAN} --loop uvloop stacks:app",
]


def sample(server: Server, path: str, requests: int) -> dict[str, Any]:
    """The document of the process that answered."""
    server.begin_window("one")
    server.load(path, users=4, requests=requests)
    server.begin_window("one after")
    time.sleep(0.3)
    documents = [json.loads(file.read_text()) for file in server.folder.glob("worker-*.json")]
    found: dict[str, Any] = max(documents, key=lambda each: len(each["samples"]))
    assert found["window"] == "one"
    assert found["unseen"] == []
    return found


def stacks_of(document: dict[str, Any]) -> Iterator[tuple[list[tuple[dict[str, Any], int]], int]]:
    """Frames and lines, the innermost first, with the CPU time of each sample."""
    for _, number, weight, *_ in document["samples"]:
        if number >= 0:
            stack = document["stacks"][number]
            frames = [(document["frames"][one], line) for one, line in zip(stack[::2], stack[1::2])]
            yield frames, weight


def own_functions(document: dict[str, Any]) -> Counter[str]:
    """CPU time by the innermost function of the user's."""
    found: Counter[str] = Counter()
    for frames, weight in stacks_of(document):
        own = next((frame["function"] for frame, _ in frames if frame["file"]), "")
        found[own] += weight
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_shares_of_functions_and_their_lines(serve: Serve, command: str) -> None:
    document = sample(serve(command, only_stacks=True), "/two", 250)
    cpu = own_functions(document)
    assert 2.0 < cpu["heavy"] / cpu["light"] < 4.5
    used = sum(each[3] for each in document["samples"])
    assert (cpu["heavy"] + cpu["light"]) / used > 0.4
    lines = {
        line for frames, _ in stacks_of(document) for frame, line in frames if frame["function"] == "heavy"
    }
    first = line_of("stacks.py", "def heavy")
    assert lines <= set(range(first, first + 5))
    (heavy,) = [frame for frame in document["frames"] if frame["function"] == "heavy"]
    assert (heavy["file"], heavy["first"], heavy["last"]) == ("stacks.py", first, first + 4)
    assert "range" in heavy["names"]
    stacks = [tuple(stack) for stack in document["stacks"]]
    assert len(set(stacks)) == len(stacks) > 0


def test_functions_in_threads(serve: Serve) -> None:
    cpu = own_functions(sample(serve(COMMANDS[0], only_stacks=True), "/thread", 250))
    assert cpu["heavy"] > cpu["light"] > 0


def test_work_of_libraries_has_their_names(serve: Serve) -> None:
    document = sample(serve(COMMANDS[0], only_stacks=True), "/rows", 100)
    packages: Counter[str] = Counter()
    for frames, weight in stacks_of(document):
        packages[frames[0][0]["package"]] += weight
    assert packages["fastapi"] + packages["pydantic"] > 0
    (around,) = [
        frame for frame in document["frames"] if frame["function"].endswith("__call__") and frame["file"]
    ]
    assert around["isApp"]


def test_the_garbage_collector_is_told_as_such(serve: Serve) -> None:
    document = sample(serve(COMMANDS[0], only_stacks=True), "/collects", 50)
    collected = sum(
        weight for frames, weight in stacks_of(document) if "collector" in frames[0][0]["function"]
    )
    assert collected > 0.3 * sum(each[3] for each in document["samples"])


def test_an_app_that_takes_the_signal(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGALRM)
    stacks = Stacks(Settings(str(tmp_path), str(tmp_path)))
    try:
        signal.signal(signal.SIGALRM, stacks._on_alarm)
        assert json.loads(stacks._document())["unseen"] == []
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        (said,) = json.loads(stacks._document())["unseen"]
        assert "SIGALRM" in said
    finally:
        signal.signal(signal.SIGALRM, before)


ENDING = """
import sys, time
from pathlib import Path
from loadtest_probe.settings import Settings
from loadtest_probe.stacks import Stacks

folder, limit = Path(sys.argv[1]), time.monotonic() + 120
stacks = Stacks(Settings(str(folder), str(folder)))
stacks.begin()
(folder / "window").write_text("one")
while len(stacks._samples) < 20 and time.monotonic() < limit:
    sum(range(1_000))
kept = [[number] for number in range(300_000)]  # to put it away takes some alarms
"""


def test_a_process_that_ends_meanwhile_ends_as_it_would(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(PROBE)}
    words = [sys.executable, "-c", ENDING, str(tmp_path)]
    done = subprocess.run(words, env=environment, check=False)  # noqa: S603 - the tests' own words
    assert done.returncode == 0


STARTING = """
import sys, time
from pathlib import Path
from loadtest_probe.settings import Settings
from loadtest_probe.stacks import Stacks

folder = Path(sys.argv[1])
Stacks(Settings(str(folder), str(folder))).begin()
sys.path.insert(0, str(folder))
import slow
(folder / "window.part").write_text("start after")
(folder / "window.part").rename(folder / "window")
limit = time.monotonic() + 20
while not list(folder.glob("worker-*.json")) and time.monotonic() < limit:
    time.sleep(0.05)
"""


def test_a_window_that_is_open_already_is_of_the_start(tmp_path: Path) -> None:
    slow = "table = {}\nfor one in range(3):\n    table[one] = sum(range(4_000_000))\n"
    (tmp_path / "slow.py").write_text(slow)
    (tmp_path / "window").write_text("start")
    environment = {**os.environ, "PYTHONPATH": str(PROBE)}
    words = [sys.executable, "-c", STARTING, str(tmp_path)]
    subprocess.run(words, env=environment, check=True)  # noqa: S603 - the tests' own words
    (file,) = tmp_path.glob("worker-*.json")
    document = json.loads(file.read_text())
    assert (document["window"], document["unseen"]) == ("start", [])
    owners = Counter[tuple[str, int]]()
    for frames, weight in stacks_of(document):
        owners[next(((frame["file"], line) for frame, line in frames if frame["file"]), ("", 0))] += weight
    (place, weight), *_ = owners.most_common()
    assert place == ("slow.py", 3)
    assert weight > 0.7 * sum(owners.values())


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("/venv/lib/python3.11/site-packages/pydantic/main.py", "pydantic"),
        ("/venv/lib/python3.11/site-packages/six.py", "six"),
        (json.__file__, "python"),
        ("<frozen importlib._bootstrap>", "python"),
        ("/elsewhere/thing.py", "other"),
        ("<string>", "other"),
    ],
)
def test_packages(path: str, package: str) -> None:
    assert package_of(path) == package
