"""Keeps what each request saw, for ever."""

from fastapi import FastAPI

app = FastAPI()

SEEN: list[list[dict[str, int]]] = []


@app.get("/")
async def show() -> int:
    SEEN.append([{"number": number} for number in range(2_000)])  # finding: garbage collection
    return len(SEEN)
