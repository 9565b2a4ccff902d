"""An app whose endpoints want something: parameters that exist, bodies, a token."""

import json
import os
from typing import Annotated

import psycopg
from fastapi import Depends, FastAPI, Header, HTTPException, Request
from pydantic import BaseModel, Field

app = FastAPI()
password = os.environ.get("APP_PASSWORD", "")
token = "token-" + password.replace(" ", "-")


class Order(BaseModel):
    item: int = Field(examples=[3])
    quantity: int = 1


def connection() -> psycopg.Connection[tuple[int]]:
    return psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)


def signed_in(authorization: Annotated[str, Header()] = "") -> None:
    if authorization != f"Bearer {token}":
        raise HTTPException(401, f"not {authorization}")


@app.get("/items/{item_id}")
def item(item_id: int) -> dict[str, int]:
    with connection() as database:
        found = database.execute("SELECT id FROM items WHERE id = %s", [item_id]).fetchone()
    if found is None:
        raise HTTPException(404, f"no item {item_id}")
    return {"id": found[0]}


@app.post("/orders", status_code=201)
def order(wanted: Order) -> dict[str, int]:
    with connection() as database:
        made = database.execute(
            "INSERT INTO orders (item, quantity) VALUES (%s, %s) RETURNING id",
            [wanted.item, wanted.quantity],
        ).fetchone()
    return {"order_id": made[0] if made else 0}


@app.post("/login")
async def login(request: Request) -> dict[str, str]:
    given = json.loads(await request.body())
    if given.get("password") != password:
        raise HTTPException(403, "wrong password")
    print(f"signed in with {given['password']}", flush=True)
    return {"access_token": token}


@app.get("/me", dependencies=[Depends(signed_in)])
def me() -> str:
    return "you"


@app.get("/")
def root() -> str:
    return "ready"
