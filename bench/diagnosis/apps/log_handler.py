"""Sends each line of its log to a service, and waits for it: for 15 ms, which no loop may stand still."""

import logging
import time

from fastapi import FastAPI

app = FastAPI()


class Remote(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        time.sleep(0.015)  # finding: blocking call on the event loop


log = logging.getLogger("shop")
log.propagate = False
log.addHandler(Remote())


@app.get("/")
async def show() -> str:
    log.warning("asked")
    return "hello"
