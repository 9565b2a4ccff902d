from fastapi import FastAPI
from pydantic_settings import BaseSettings
from redis.asyncio import Redis


class Settings(BaseSettings):
    redis_host: str
    redis_port: int = 6379


settings = Settings()
redis = Redis(host=settings.redis_host, port=settings.redis_port, decode_responses=True)
app = FastAPI()


@app.get("/rates")
async def rates() -> dict[str, str]:
    known = await redis.hgetall("rates")
    if not known:
        known = {currency: str(len(currency) * 7 / 5) for currency in ("euro", "pound", "dinar")}
        await redis.hset("rates", mapping=known)
    return known


@app.get("/visits")
async def visits() -> dict[str, int]:
    return {"visits": await redis.incr("visits")}
