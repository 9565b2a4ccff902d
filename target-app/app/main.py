"""Builds the app. Nothing happens at import, so a test can build several apps with different settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from app import health, selects, simulations, sleeps
from app.database import open_pools
from app.settings import Settings


def create_app(settings: Settings | None = None) -> FastAPI:
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        async with open_pools(chosen) as pools:
            yield {"settings": chosen, "pools": pools}

    app = FastAPI(title="Load test target", lifespan=lifespan)
    for subject in (health, sleeps, selects, simulations):
        app.include_router(subject.router)
    return app
