"""An app whose members have tokens that each seed makes anew."""

import sqlite3
from typing import Annotated

from fastapi import Depends, FastAPI, Header, HTTPException

app = FastAPI()
seen: set[str] = set()


def member(authorization: Annotated[str, Header()] = "") -> str:
    token = authorization.removeprefix("Bearer ")
    with sqlite3.connect("members.db") as database:
        found = database.execute("SELECT name FROM members WHERE token = ?", [token]).fetchone()
    if found is None:
        raise HTTPException(401, f"nobody has {token}")
    if found[0] not in seen:
        seen.add(found[0])
        print(f"served {found[0]} with {token}", flush=True)
    return str(found[0])


@app.get("/me")
def me(name: Annotated[str, Depends(member)]) -> str:
    return name
