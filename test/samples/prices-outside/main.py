from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from fastapi import FastAPI
from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    supplier_api_url: str = "https://api.supplier.example.invalid/v2"


supplier = httpx.AsyncClient(base_url=Settings().supplier_api_url, timeout=5)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    await supplier.aclose()


app = FastAPI(lifespan=lifespan)


@app.get("/offer")
async def offer() -> dict[str, object]:
    """Somebody else knows the price."""
    reply = await supplier.get("/articles/desk")
    article = reply.json()
    net, rate = article["net"], article["tax_rate"]
    return {"article": "desk", "net": net, "gross": round(net * (1 + rate), 2)}


@app.get("/tax")
async def tax(net: float = 100) -> dict[str, float]:
    return {"net": net, "gross": round(net * 1.19, 2)}
