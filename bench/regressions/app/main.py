"""A shop."""

from typing import Annotated

from fastapi import Depends, FastAPI

import settings
from catalog import find_items
from models import Page
from pricing import total
from rows import rows_of
from stamp import Stamp

app = FastAPI()
app.add_middleware(Stamp)


async def current_user():
    return "guest"


@app.get("/health")
async def health():
    return "fine"


@app.get("/quotes")
async def quotes(user: Annotated[str, Depends(current_user)]) -> Page:
    items = find_items(settings.PAGE)
    return Page(label=settings.LABEL, total=total(items), rows=rows_of(items))
