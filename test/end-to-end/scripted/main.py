"""An app with two routes; one of them computes as often as `work.ROUNDS` says."""

from fastapi import FastAPI

from work import ROUNDS

app = FastAPI()


@app.get("/price")
def price() -> dict[str, int]:
    return {"price": sum(index * index for index in range(ROUNDS)) % 1_000}


@app.get("/health")
async def health() -> dict[str, bool]:
    return {"ok": True}
