"""Shows that a worker serves. Its pools are full by then: it does not start without its database."""

from typing import Literal

from fastapi import APIRouter

router = APIRouter()


@router.get("/health")
async def read_health() -> dict[Literal["status"], Literal["ok"]]:
    return {"status": "ok"}
