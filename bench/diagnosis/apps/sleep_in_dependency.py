"""The route is innocent; what it depends on blocks."""

import time
from typing import Annotated

from fastapi import Depends, FastAPI

app = FastAPI()


async def current_user() -> str:
    time.sleep(0.03)  # finding: blocking call on the event loop
    return "user"


@app.get("/")
async def show(user: Annotated[str, Depends(current_user)]) -> str:
    return user
