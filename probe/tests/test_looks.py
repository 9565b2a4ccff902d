"""Nothing of the app dies from being looked at, whatever its threads do meanwhile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import PROBE

# Threads whose frames come and go, of many sizes, in a process that collects garbage after a few objects and lets
# other threads go on in the middle of it.
BUSY = """
import gc, sys, threading, time
from pathlib import Path

def narrow(depth):
    return wide(depth - 1, 1, 2, 3, 4, 5) if depth else 0

def wide(depth, a, b, c, d, e):
    f, g, h, i, j, k, l = str(a), str(b), str(c), str(d), str(e), [a], [b]
    return middle(depth - 1, f) if depth else 0

def middle(depth, a):
    b = [a]
    return narrow(depth - 1) if depth else 0

def work():
    while True:
        for depth in range(5, 40):
            narrow(depth)
            middle(depth, "x")

folder, limit = Path(sys.argv[1]), time.monotonic() + 30

def begin():
    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    sys.setswitchinterval(0.00005)
    gc.callbacks.append(lambda *_: time.sleep(0))
    gc.set_threshold(5, 1_000, 1_000)
"""

STACKS = """
from loadtest_probe.settings import Settings
from loadtest_probe.stacks import Stacks

stacks = Stacks(Settings(str(folder), str(folder)))
stacks.begin()
begin()
(folder / "window").write_text("one")
while len(stacks._samples) < 500 and time.monotonic() < limit:
    sum(range(1_000))
"""

SAMPLER = """
from loadtest_probe import natives
from loadtest_probe.endpoints import Endpoints
from loadtest_probe.places import Places
from loadtest_probe.request import Request
from loadtest_probe.sampler import Sampler

natives.sleep = lambda seconds: None
begin()
sampler, left = Sampler(Places("/nowhere"), Endpoints()), iter(range(300))
for thread in threading.enumerate():
    sampler.running[thread.ident] = Request()
sampler.run(lambda: time.monotonic() < limit and next(left, None) is not None, lambda: None)
"""

# A coroutine that goes on between two looks at it, until a call in it has failed to be specialized often enough.
RESUMED = """
import threading
from loadtest_probe.waits import waiting_place

begins, works, ends, stands = (threading.Semaphore(0) for _ in range(4))

class Pause:
    def __await__(self):
        yield

class Work:
    def __call__(self):
        works.release()
        ends.acquire()

class Places:
    def at(self, frame):
        begins.release()
        works.acquire()

async def run(work=Work()):
    while True:
        await Pause()
        work()

def resume():
    while True:
        begins.acquire()
        coroutine.send(None)
        stands.release()

coroutine = run()
coroutine.send(None)
threading.Thread(target=resume, daemon=True).start()
for _ in range(400):
    waiting_place(coroutine, Places())
    ends.release()
    stands.acquire()
"""

FORKING = """
import gc, os, sys
from loadtest_probe import no_collection as module

module._IS_NEEDED = True
with module.no_collection:
    assert not gc.isenabled()
    child = os.fork()
    if child == 0:
        os._exit(0 if gc.isenabled() else 1)
assert gc.isenabled()
sys.exit(os.waitpid(child, 0)[1])
"""


def run(program: str, *arguments: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(PROBE)}
    words = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(  # noqa: S603 - the tests' own words
        words, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("looking", [STACKS, SAMPLER], ids=["stacks", "sampler"])
def test_threads_whose_frames_end_meanwhile(tmp_path: Path, looking: str) -> None:
    assert run(f"{BUSY}{looking}assert gc.isenabled()", str(tmp_path)) == (0, "")


def test_a_coroutine_that_goes_on_meanwhile() -> None:
    assert run(RESUMED) == (0, "")


def test_a_child_that_is_forked_meanwhile_collects_its_garbage() -> None:
    assert run(FORKING) == (0, "")
