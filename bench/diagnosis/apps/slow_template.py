"""Renders a long table in Python, in pieces that are short each."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

app = FastAPI()

NAMES = [f"name {number}" for number in range(300)]


def distance(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other))  # finding: CPU work on the event loop


@app.get("/", response_class=HTMLResponse)
async def show_nearest(name: str = "name 7") -> str:
    rows = [f"<tr><td>{each}<td>{distance(name, each)}" for _ in range(100) for each in NAMES]
    return f"<table>{''.join(rows[:100])}</table>"
