"""Waits for a program on the loop."""

import subprocess

from fastapi import FastAPI

app = FastAPI()


@app.get("/")
async def convert() -> int:
    return subprocess.run(["sleep", "0.05"]).returncode  # finding: blocking call on the event loop
