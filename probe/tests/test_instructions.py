"""Instructions of a process, counted by the system.

The tests count CPU time in their place, which needs no counter in the processor. A system that lets nobody count (a
container's rules, `perf_event_paranoid`) passes, too: then nothing may be said.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from loadtest_probe import instructions
from loadtest_probe.instructions import INSTRUCTIONS, TASK_CLOCK, Instructions
from tests.servers import PROBE

LIMIT_SECONDS = 120
# Nanoseconds: more than waiting for a thread takes.
MUCH = 50_000_000


def counter(event: tuple[int, int] = TASK_CLOCK) -> Instructions:
    made = Instructions(event)
    made.begin()
    return made


def work_until_more(count: Instructions, than: int) -> bool:
    until = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < until:
        now = count.read()
        if now is None or now > than:
            return now is not None
    return False


@pytest.mark.parametrize("event", [TASK_CLOCK, INSTRUCTIONS])
def test_work_is_counted(event: tuple[int, int]) -> None:
    count = counter(event)
    before = count.read()
    if before is None:
        work_until_more(count, 0)
        assert count.read() is None
        return
    if event == TASK_CLOCK:  # a processor's counter may be given to others meanwhile
        assert work_until_more(count, before)
    count.close()
    assert count.read() is None


def test_threads_that_begin_later_are_counted() -> None:
    count = counter()
    before = count.read()
    if before is None:
        return
    seen: list[bool] = []
    thread = threading.Thread(target=lambda: seen.append(work_until_more(count, before + MUCH)))
    thread.start()
    thread.join()
    assert seen == [True]
    after = count.read()
    assert after is not None
    assert after >= before + MUCH  # now that it has ended
    count.close()


SAMPLED = """
import os, sys, time
from pathlib import Path
from loadtest_probe.instructions import TASK_CLOCK, Instructions
from loadtest_probe.settings import Settings
from loadtest_probe.stacks import Stacks

folder, limit = Path(sys.argv[1]), time.monotonic() + float(sys.argv[2])
counted = Instructions(TASK_CLOCK) if sys.argv[3] == "counted" else Instructions((-1, 0))
stacks = Stacks(Settings(str(folder), str(folder)), counted)
stacks.begin()
(folder / "window").write_text("one")
while len(stacks._samples) < 50 and time.monotonic() < limit:
    sum(range(1_000))
(folder / "window").write_text("one after")
while not list(folder.glob("worker-*.json")) and time.monotonic() < limit:
    time.sleep(0.01)
print(counted.read() is not None, flush=True)
os._exit(0)  # at once: a timer that still runs ends a Python that puts itself away
"""


@pytest.mark.parametrize("wanted", ["counted", "refused"])
def test_samples_carry_what_was_counted(tmp_path: Path, wanted: str) -> None:
    done = subprocess.run(  # noqa: S603 - the tests' own words
        [sys.executable, "-c", SAMPLED, str(tmp_path), str(LIMIT_SECONDS), wanted],
        env={**os.environ, "PYTHONPATH": str(PROBE)},
        capture_output=True,
        check=True,
        text=True,
    )
    (file,) = tmp_path.glob("worker-*.json")
    samples = [each for each in json.loads(file.read_text())["samples"] if each[3] > 0]
    assert samples
    if done.stdout.strip() == "True":
        assert wanted == "counted"
        assert {len(each) for each in samples} == {5}
        assert sum(each[4] for each in samples) > 0
    else:
        assert {len(each) for each in samples} == {4}


def test_a_machine_whose_calls_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instructions, "_OPEN_CALLS", {})
    assert counter().read() is None


def test_a_system_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise PermissionError

    monkeypatch.setattr(os, "uname", refuse)
    assert counter().read() is None


@pytest.mark.parametrize(
    ("read", "count"),
    [((7, 5, 5), 7), ((7, 5, 4), None)],
    ids=["alone", "shared with others"],
)
def test_a_counter_that_others_had_at_times(
    monkeypatch: pytest.MonkeyPatch, read: tuple[int, int, int], count: int | None
) -> None:
    one = Instructions()
    one._file = 1_000_000
    monkeypatch.setattr(os, "read", lambda *_: instructions._READ.pack(*read))
    assert one.read() == count


def test_another_file_by_its_number_is_left_alone() -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, b"the app's")
        one = Instructions()
        one._file = reader
        one.check()
        assert one.read() is None
        one._file = reader
        one.close()
        assert os.read(reader, 100) == b"the app's"
    finally:
        os.close(reader)
        os.close(writer)


def test_a_file_that_is_gone() -> None:
    one = Instructions()
    one._file = 1_000_000
    assert one.read() is None
    one._file = 1_000_000
    one.check()
    assert one.read() is None
