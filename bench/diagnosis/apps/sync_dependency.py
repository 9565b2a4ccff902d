"""An async route whose dependency is a plain function that waits: 40 at a time."""

import time
from typing import Annotated

from fastapi import Depends, FastAPI

app = FastAPI()


def current_user() -> str:
    time.sleep(0.1)  # finding: thread pool exhausted
    return "user"


@app.get("/")
async def show(user: Annotated[str, Depends(current_user)]) -> str:
    return user
