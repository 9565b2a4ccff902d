"""Waits a little in threads, of which there are enough."""

import time

from fastapi import FastAPI

app = FastAPI()


@app.get("/")
def wait() -> str:
    time.sleep(0.003)
    return "done"
