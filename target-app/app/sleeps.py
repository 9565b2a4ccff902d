"""Endpoints that only wait: sync and async endpoints, each with a sync wait, an async wait and both."""

import asyncio
import time
from typing import Annotated

import anyio
from fastapi import APIRouter, Query

router = APIRouter()

Milliseconds = Annotated[int, Query(ge=0, le=60_000)]

# response_model=None, as published: to check a reply against a model, FastAPI takes another thread of the
# pool in a `def` route, behind all requests that still wait for their first.

# Some waits block the event loop (ASYNC251) on purpose: load tests have to show them.


@router.get("/async_endpoint_async_processing", response_model=None)
async def wait_async_in_async(ms: Milliseconds = 1000) -> dict[str, int]:
    await asyncio.sleep(ms / 1000)
    return {"wait_ms": ms}


@router.get("/sync_endpoint_sync_processing", response_model=None)
def wait_sync_in_sync(ms: Milliseconds = 1000) -> dict[str, int]:
    time.sleep(ms / 1000)
    return {"wait_ms": ms}


@router.get("/sync_endpoint_async_processing", response_model=None)
def wait_async_in_sync(ms: Milliseconds = 1000) -> dict[str, int]:
    anyio.run(asyncio.sleep, ms / 1000)
    return {"wait_ms": ms}


@router.get("/async_endpoint_sync_processing", response_model=None)
async def wait_sync_in_async(ms: Milliseconds = 1000) -> dict[str, int]:
    time.sleep(ms / 1000)  # noqa: ASYNC251
    return {"wait_ms": ms}


@router.get("/sync_endpoint_mix_processing", response_model=None)
def wait_both_in_sync(ms: Milliseconds = 500) -> dict[str, int]:
    """Wait twice, so `2 * ms` in all; `wait_ms` is one of the two, as published."""
    anyio.run(asyncio.sleep, ms / 1000)
    time.sleep(ms / 1000)
    return {"wait_ms": ms}


@router.get("/async_endpoint_mix_processing", response_model=None)
async def wait_both_in_async(ms: Milliseconds = 500) -> dict[str, int]:
    """Wait twice, so `2 * ms` in all; `wait_ms` is one of the two, as published."""
    await asyncio.sleep(ms / 1000)
    time.sleep(ms / 1000)  # noqa: ASYNC251
    return {"wait_ms": ms}
