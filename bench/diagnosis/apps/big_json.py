"""Writes a document of some megabytes, on the loop."""

import json

from fastapi import FastAPI, Response

app = FastAPI()

ROWS = [{"id": number, "name": f"product {number}", "prices": list(range(10))} for number in range(12_000)]


@app.get("/")
async def export() -> Response:
    text = json.dumps(ROWS)  # finding: CPU work on the event loop
    return Response(text[:100], media_type="application/json")
