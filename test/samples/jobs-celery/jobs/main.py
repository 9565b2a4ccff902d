from fastapi import FastAPI

from jobs.tasks import redis, tally

app = FastAPI()


@app.get("/say")
def say() -> dict[str, str]:
    tally.delay("hello")
    return {"said": "hello"}


@app.get("/tallies")
def tallies() -> dict[str, str]:
    return redis.hgetall("tallies")
