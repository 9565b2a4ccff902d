"""On every server for ASGI apps: who holds the loop, who waits for threads, and what is fine."""

import pytest

from tests.conftest import Serve
from tests.servers import line_of

ASYNCIO = "uvicorn --log-level warning --port {port} --loop asyncio loops:app"
UVLOOP = "uvicorn --log-level warning --port {port} --loop uvloop loops:app"
TWO = "uvicorn --log-level warning --port {port} --loop asyncio --workers 2 loops:app"
TWO_UVLOOP = "uvicorn --log-level warning --port {port} --loop uvloop --workers 2 loops:app"
GUNICORN = "gunicorn --no-control-socket -b 127.0.0.1:{port} -k uvicorn_worker.UvicornWorker -w 2 loops:app"
WRAPPED = "uvicorn --log-level warning --port {port} loops:wrapped"

every_server = pytest.mark.parametrize("command", [ASYNCIO, UVLOOP, TWO, TWO_UVLOOP, GUNICORN])
one_of_each_loop = pytest.mark.parametrize("command", [ASYNCIO, UVLOOP])


@every_server
def test_line_that_blocks_the_loop(serve: Serve, command: str) -> None:
    seen = serve(command).diagnose("/blocked")
    stall = seen.most("/blocked", "stalls")
    assert stall["place"]["file"] == "loops.py"
    assert stall["place"]["line"] == line_of("loops.py", "# blocks the loop itself")
    assert stall["place"]["code"].startswith("time.sleep(0.05)")
    endpoints = seen.endpoints("/blocked")
    assert sum(each["requests"] for each in endpoints) == 40
    assert all(each["kind"] == "async" for each in endpoints)
    stalls = [stall["totalMs"] for each in endpoints for stall in each["stalls"]]
    assert sum(stalls) >= 40 * 50
    # A step during which the sampler had no turn is a stall, too, but of no line.
    at_the_line = sum(each["stalls"][0]["totalMs"] for each in endpoints)
    assert 0.7 * 40 * 50 < at_the_line < 3000 + seen.lost_ms
    assert stall["cpuMs"] < 0.3 * stall["totalMs"]


@one_of_each_loop
def test_innermost_line_of_the_users_own(serve: Serve, command: str) -> None:
    stall = serve(command).diagnose("/blocked-below").most("/blocked-below", "stalls")
    assert stall["place"]["line"] == line_of("loops.py", "blocks the loop from below")
    assert stall["place"]["function"].endswith("wait_for_a_while")


@pytest.mark.parametrize("command", [ASYNCIO, UVLOOP, WRAPPED])
def test_line_in_a_task_of_the_requests_own(serve: Serve, command: str) -> None:
    stall = serve(command).diagnose("/blocked-child").most("/blocked-child", "stalls")
    assert stall["place"]["line"] == line_of("loops.py", "blocks the loop from a task")
    assert 0.7 < stall["totalMs"] / (40 * 50) < 1.5


@pytest.mark.parametrize("command", [ASYNCIO, UVLOOP, GUNICORN, WRAPPED])
def test_work_on_the_loop_is_told_from_waiting(serve: Serve, command: str) -> None:
    seen = serve(command).diagnose("/cpu")
    stall = seen.most("/cpu", "stalls")
    spinning = {line_of("loops.py", "# spinning"), line_of("loops.py", "# spinning") - 1}
    assert stall["place"]["line"] in spinning
    assert seen.most("/cpu", "onLoop")["place"]["line"] in spinning
    on_loop = sum(line["cpuMs"] for each in seen.endpoints("/cpu") for line in each["onLoop"])
    cpu = sum(each["partsMs"]["cpu"] for each in seen.endpoints("/cpu"))
    assert 0.6 < on_loop / cpu < 1.6


@pytest.mark.parametrize("command", [ASYNCIO, UVLOOP, WRAPPED])
@pytest.mark.parametrize("path", ["/cpu-in-task", "/cpu-in-group"])
def test_work_of_tasks_belongs_to_the_request(serve: Serve, command: str, path: str) -> None:
    seen = serve(command).diagnose(path, users=8, requests=25)
    (document,) = seen.documents
    assert 0.7 < seen.endpoint(path)["partsMs"]["cpu"] / document["loopCpuMs"] < 1.1
    assert 0.5 < document["loopCpuMs"] / document["cpuMs"] <= 1.1


@pytest.mark.parametrize("command", [ASYNCIO, UVLOOP, WRAPPED])
def test_line_at_which_a_task_waits(serve: Serve, command: str) -> None:
    waited = serve(command).diagnose("/wait-in-task", requests=20).endpoint("/wait-in-task")["waited"]
    assert waited[0]["place"]["line"] == line_of("loops.py", "# in a task")


@pytest.mark.parametrize("command", [ASYNCIO, UVLOOP, WRAPPED])
def test_calls_that_block_the_loop_for_a_moment_each(serve: Serve, command: str) -> None:
    lines = serve(command).diagnose("/short-block", requests=20).endpoint("/short-block")["onLoop"]
    assert lines[0]["place"]["line"] == line_of("loops.py", "# blocks the loop for a moment")
    assert lines[0]["cpuMs"] < 0.5 * lines[0]["totalMs"]
    assert 0.6 < lines[0]["totalMs"] / (80 * 15) < 2


@one_of_each_loop
def test_collector_that_has_ever_more_to_do(serve: Serve, command: str) -> None:
    seen = serve(command).diagnose("/growing")
    (document,) = seen.documents
    collections = document["collections"]
    assert collections[0]["place"]["line"] == line_of("loops.py", "# grows")
    assert 0 < sum(each["cpuMs"] for each in collections) < document["cpuMs"]


@every_server
def test_what_is_fine_holds_nothing(serve: Serve, command: str) -> None:
    seen = serve(command).diagnose("/fine", users=4, requests=20)
    for endpoint in seen.endpoints("/fine"):
        assert endpoint["failures"] == 0
        parts = endpoint["partsMs"]
        # A machine that lends its processors to others may hold the loop for a moment.
        assert sum(each["totalMs"] for each in endpoint["stalls"]) < 0.1 * parts["total"]
        assert parts["elsewhere"] + parts["loopWait"] > 0.7 * parts["total"]
    assert all(one["unseen"] == [] for one in seen.documents)


@one_of_each_loop
def test_threads_that_are_all_taken(serve: Serve, command: str) -> None:
    seen = serve(command).diagnose("/threads", users=60, requests=4)
    threads = seen.documents[0]["threads"]
    assert threads["tokens"] == threads["mostInUse"] == 40
    assert threads["mostWaiting"] >= 10
    # FastAPI goes through the threads a second time, to check the reply of a function that is not async.
    assert threads["taken"] == threads["returned"] == 480
    parts = seen.endpoint("/threads")["partsMs"]
    assert parts["threadWait"] > 0.15 * parts["total"]
    assert seen.endpoint("/threads")["kind"] == "sync"
    slow = serve(command).diagnose("/slow-threads", users=50, requests=2).endpoint("/slow-threads")
    assert slow["spent"][0]["place"]["line"] == line_of("loops.py", "# holds its thread")
    assert 0.7 < slow["spent"][0]["totalMs"] / (100 * 250) < 1.3


@one_of_each_loop
def test_what_is_made_for_each_request(serve: Serve, command: str) -> None:
    loop = serve(command).diagnose("/loop-per-request").most("/loop-per-request", "made")
    assert loop["what"] == "event loop"
    assert loop["place"]["line"] == line_of("loops.py", "# a loop")
    assert (loop["count"], loop["requests"], loop["mostInOne"]) == (40, 40, 1)
    executor = serve(command).diagnose("/executor-per-request").most("/executor-per-request", "made")
    assert executor["what"] == "executor"
    assert executor["place"]["line"] == line_of("loops.py", "# an executor")
    assert executor["count"] == 40


@one_of_each_loop
def test_work_in_a_thread_of_the_users_own(serve: Serve, command: str) -> None:
    endpoint = serve(command).diagnose("/to-thread", users=2).endpoint("/to-thread")
    assert endpoint["partsMs"]["inThreads"] > 20 * 30
    assert endpoint["spent"][0]["place"]["file"] == "loops.py"
    lines = {line_of("loops.py", "# spinning"), line_of("loops.py", "# spinning") - 1}
    assert all(each["place"] is None or each["place"]["line"] not in lines for each in endpoint["onLoop"])


def test_routes_are_those_of_the_author(serve: Serve) -> None:
    server = serve(WRAPPED)
    server.begin_window()
    for path in ("/users/1/orders", "/users/22/orders", "/nothing/77", "/broken"):
        server.get(path)
    endpoints = {each["route"]: each for each in server.documents()[0]["endpoints"]}
    assert endpoints["/users/{user_id}/orders"]["requests"] == 2
    assert endpoints["/nothing/{id}"]["failures"] == 1
    assert endpoints["/broken"]["failures"] == 1
    assert endpoints["/broken"]["handler"]["code"].startswith("async def broken")


@pytest.mark.parametrize("command", [ASYNCIO, TWO])
def test_sockets_that_hold_packets_back(serve: Serve, command: str) -> None:
    server = serve(command)
    server.begin_window()
    server.load("/threads", users=8, requests=20)
    sockets = [one["sockets"] for one in server.documents()]
    seen = sum(each["seen"] for each in sockets)
    assert seen > 0
    # uvicorn hands a bound socket to several workers, and asyncio does not know it for TCP's.
    assert sum(each["delayed"] for each in sockets) == (seen if command == TWO else 0)
