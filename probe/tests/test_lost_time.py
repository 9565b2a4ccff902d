"""What the machine takes from a loop is told apart from what blocks it."""

import os
import subprocess
import sys
import threading
import time

import pytest

from loadtest_probe.lost_time import LostTime


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system pins nothing to a CPU")
def test_wait_for_a_busy_cpu() -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        time.sleep(0.3)
        lost = LostTime()
        lost.begin([threading.get_native_id()])
        until = time.monotonic() + 2
        while time.monotonic() < until:
            pass
        # Three share one CPU, so two thirds of the time belong to the others.
        assert lost.seconds([threading.get_native_id()]) > 0.4
    finally:
        for each in others:
            each.kill()
            each.wait()
        os.sched_setaffinity(0, before)


def test_thread_that_has_ended_has_lost_nothing() -> None:
    ended = threading.Thread(target=lambda: None)
    ended.start()
    ended.join()
    assert ended.native_id is not None
    lost = LostTime()
    lost.begin([ended.native_id])
    assert 0 <= lost.seconds([ended.native_id]) < 1
