import os
from typing import Annotated

from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel
from sqlalchemy import create_engine, text

engine = create_engine(os.environ["BOARD_DATABASE_URL"])
app = FastAPI(title="Board")


class Member(BaseModel):
    username: str
    password: str


class Account(BaseModel):
    member: Member


class NewPost(BaseModel):
    title: str


def read(statement: str, **values: object) -> list[dict[str, object]]:
    with engine.connect() as connection:
        return [
            dict(row) for row in connection.execute(text(statement), values).mappings()
        ]


def write(statement: str, **values: object) -> None:
    with engine.begin() as connection:
        connection.execute(text(statement), values)


@app.post("/register", status_code=201)
def register(account: Account) -> None:
    write(
        "INSERT INTO members VALUES (:username, :password)",
        **account.member.model_dump(),
    )


@app.post("/login")
def login(account: Account) -> dict[str, dict[str, str]]:
    found = read(
        "SELECT name FROM members WHERE (name, password) = (:username, :password)",
        **account.member.model_dump(),
    )
    if not found:
        raise HTTPException(401)
    return {"member": {"token": f"token-of-{account.member.username}"}}


def member(authorization: Annotated[str, Header()] = "") -> str:
    if not authorization.startswith("Token token-of-"):
        raise HTTPException(401)
    return authorization.removeprefix("Token token-of-")


@app.get("/me")
def me(name: Annotated[str, Depends(member)]) -> str:
    return name


@app.post("/posts", status_code=201, dependencies=[Depends(member)])
def write_post(post: NewPost) -> None:
    write("INSERT INTO posts (title) VALUES (:title)", title=post.title)


@app.get("/posts")
def posts() -> list[dict[str, object]]:
    return read("SELECT * FROM posts ORDER BY id LIMIT 10")


@app.get("/posts/{post_id}")
def read_post(post_id: int) -> dict[str, object]:
    found = read("SELECT * FROM posts WHERE id = :id", id=post_id)
    if not found:
        raise HTTPException(404)
    return found[0]


@app.get("/double/{number}")
def double(number: int) -> dict[str, int]:
    return {"double": 2 * number}


@app.get("/drafts/{draft_id}")
def draft(draft_id: int) -> dict[str, object] | None:
    return None
