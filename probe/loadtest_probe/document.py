"""What is known, as the document that `src/diagnosis/` reads. Times are in milliseconds there."""

from __future__ import annotations

import os
import platform
from typing import Any, TypeVar

from loadtest_probe.endpoints import Endpoint
from loadtest_probe.places import Place, Places
from loadtest_probe.records import Records
from loadtest_probe.request import Amount
from loadtest_probe.settings import LONGEST_TEXT

_MOST_SHOWN = 20
_LONGEST_CODE = 200

_K = TypeVar("_K")


def make_document(records: Records, window: str) -> dict[str, Any]:
    seen = records.endpoints.snapshot()
    sampler = records.sampler
    lag_mean = _lag_mean(records)
    return {
        "schemaVersion": 1,
        "process": os.getpid(),
        "window": window,
        "seconds": round(seen.seconds, 3),
        "busySeconds": round(seen.busy_seconds, 3),
        "python": platform.python_version(),
        "server": records.server,
        "connections": seen.connections,
        "cpuMs": _ms(seen.cpu_seconds),
        "memory": {
            "startBytes": records.memory.began,
            "nowBytes": records.memory.now,
            "peakBytes": records.memory.peak,
        },
        "loops": [
            {
                "kind": watch.name,
                "beats": watch.lag_count,
                "lagMeanMs": _ms(watch.lag_total / watch.lag_count if watch.lag_count else 0.0),
                "lagLongestMs": _ms(watch.lag_longest),
                "lagCounts": list(watch.lag_counts),
            }
            for watch in sampler.loops
        ],
        "loopCpuMs": _ms(sampler.loop_cpu()) if sampler.has_clocks else None,
        "loopLostMs": _ms(sampler.lost.seconds([watch.system_thread for watch in sampler.loops])),
        "endpoints": [
            _endpoint(records.places, method, route, endpoint, lag_mean)
            for (method, route), endpoint in seen.endpoints.items()
        ],
        "outside": {
            "stalls": _stalls(records.places, seen.outside_stalls),
            "onLoop": _on_loop(records.places, seen.outside_on_loop),
        },
        "collections": _stalls(records.places, records.collector.snapshot()),
        "threads": {
            "kind": records.thread_kind,
            "tokens": records.thread_tokens,
            **_queue(records.threads),
        },
        "pools": [
            {
                "kind": pool.kind[:100],
                "size": sizes[0],
                "most": sizes[1],
                "open": sizes[2],
                **({} if pool.made is None else {"made": _place(records.places, pool.made)}),
                **_queue(pool),
            }
            for pool in records.pools.all()[:_MOST_SHOWN]
            if (sizes := pool.sizes()) is not None
        ],
        "connects": {
            "count": records.connects.count,
            "inRequests": records.connects.in_requests,
            "totalMs": _ms(records.connects.total),
            "failed": records.connects.failed,
            "refused": records.connects.refused,
        },
        "sockets": {"seen": records.sockets[0], "delayed": records.sockets[1]},
        "unseen": [{"what": what, "reason": reason} for what, reason in _unseen(records).items()],
    }


def _unseen(records: Records) -> dict[str, str]:
    unseen = dict(records.unseen)
    if not records.sampler.has_clocks:
        unseen.setdefault(
            "work on the event loop", "this system does not say how much CPU time another thread has used"
        )
    return unseen


def _lag_mean(records: Records) -> float:
    count = sum(watch.lag_count for watch in records.sampler.loops)
    return sum(watch.lag_total for watch in records.sampler.loops) / count if count else 0.0


def _endpoint(places: Places, method: str, route: str, endpoint: Endpoint, lag_mean: float) -> dict[str, Any]:
    cpu = endpoint.cpu()
    blocked = max(0.0, endpoint.held - cpu)
    known = cpu + blocked + endpoint.thread_wait + endpoint.thread_cpu
    known += endpoint.pool_wait + endpoint.connect_time + endpoint.database_time
    rest = max(0.0, endpoint.total - known)
    # After each pause a request waits for its turn; on average as long as our own timer did.
    loop_wait = min(rest, max(0, endpoint.steps - endpoint.requests) * lag_mean)
    parts = {
        "total": endpoint.total,
        "cpu": cpu + endpoint.thread_cpu,
        "blocked": blocked,
        "loopWait": loop_wait,
        "threadWait": endpoint.thread_wait,
        "poolWait": endpoint.pool_wait,
        "connect": endpoint.connect_time,
        "database": endpoint.database_time,
        "elsewhere": rest - loop_wait,
        "inThreads": endpoint.thread_time,
    }
    return {
        "method": method[:20],
        "route": route,
        "kind": endpoint.kind,
        "handler": _place(places, endpoint.handler),
        "requests": endpoint.requests,
        "failures": endpoint.failures,
        "longestMs": _ms(endpoint.longest),
        "partsMs": {name: _ms(seconds) for name, seconds in parts.items()},
        "stalls": _stalls(places, endpoint.stalls),
        "onLoop": _on_loop(places, endpoint.on_loop),
        "spent": _times(places, endpoint.spent),
        "waited": _times(places, endpoint.waited),
        "statements": [
            {"text": text[:LONGEST_TEXT], "place": _place(places, place), **_amount(amount)}
            for (text, place), amount in _longest_first(endpoint.statements)
        ],
        "made": [
            {"what": what, "place": _place(places, place), **_amount(amount)}
            for (what, place), amount in _longest_first(endpoint.made)
        ],
    }


def _longest_first(amounts: dict[_K, Amount]) -> list[tuple[_K, Amount]]:
    return sorted(amounts.items(), key=lambda item: item[1].total, reverse=True)[:_MOST_SHOWN]


def _amount(amount: Amount) -> dict[str, Any]:
    return {
        "count": amount.count,
        "requests": amount.requests,
        "mostInOne": amount.most,
        "totalMs": _ms(amount.total),
        "longestMs": _ms(amount.longest),
    }


def _stalls(places: Places, stalls: dict[Place | None, Amount]) -> list[dict[str, Any]]:
    return [
        {"place": _place(places, place), "cpuMs": _ms(amount.cpu), **_amount(amount)}
        for place, amount in _longest_first(stalls)
    ]


def _on_loop(places: Places, lines: dict[Place | None, Amount]) -> list[dict[str, Any]]:
    return [
        {"place": _place(places, place), "totalMs": _ms(amount.total), "cpuMs": _ms(amount.cpu)}
        for place, amount in _longest_first(lines)
    ]


def _times(places: Places, times: dict[Place, float]) -> list[dict[str, Any]]:
    longest = sorted(times.items(), key=lambda item: item[1], reverse=True)[:_MOST_SHOWN]
    return [{"place": _place(places, place), "totalMs": _ms(seconds)} for place, seconds in longest]


def _place(places: Places, place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    code = places.text_of(place)[:_LONGEST_CODE]
    return {"file": place.file[:500], "line": place.line, "function": place.function[:200], "code": code}


def _queue(queue: Any) -> dict[str, Any]:
    return {
        "inUse": max(0, queue.in_use),
        "mostInUse": max(0, queue.most_in_use),
        "waiting": max(0, queue.waiting),
        "mostWaiting": max(0, queue.most_waiting),
        "taken": queue.taken,
        "errors": queue.errors,
        "waitMs": _ms(queue.wait_total),
        "longestWaitMs": _ms(queue.wait_longest),
        "returned": queue.returned,
        "useMs": _ms(queue.use_total),
    }


def _ms(seconds: float) -> float:
    return round(max(0.0, seconds) * 1_000, 3)
