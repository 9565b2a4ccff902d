from typing import Annotated

from fastapi import APIRouter, Cookie, Depends, HTTPException, Response
from fastapi.security import OAuth2PasswordRequestForm
from passlib.context import CryptContext
from pydantic import BaseModel
from sqlalchemy import text

from clubs.database import engine

router = APIRouter()
passwords = CryptContext(schemes=["bcrypt"])


class Account(BaseModel):
    username: str
    password: str | None = None


@router.post("/register", status_code=201)
def register(account: Account) -> None:
    if account.password is None:
        raise HTTPException(400, "a password is needed")
    values = {"name": account.username, "hash": passwords.hash(account.password)}
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO members VALUES (:name, :hash)"), values)


@router.post("/login")
def login(
    form: Annotated[OAuth2PasswordRequestForm, Depends()], response: Response
) -> dict[str, str]:
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT hash FROM members WHERE name = :name"),
            {"name": form.username},
        ).scalar_one_or_none()
    if found is None or not passwords.verify(form.password, found):
        raise HTTPException(401)
    # With a space in it, so that its value is quoted.
    response.set_cookie("clubs", f"Bearer member-{form.username}", httponly=True)
    return {"message": "welcome"}


def member(clubs: Annotated[str, Cookie()] = "") -> str:
    if not clubs.startswith("Bearer member-"):
        raise HTTPException(401)
    return clubs.removeprefix("Bearer member-")
