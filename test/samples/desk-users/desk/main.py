import hashlib
import hmac
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm

from desk.tables import connect, hashed

app = FastAPI()
scheme = OAuth2PasswordBearer(tokenUrl="token")


def signed(name: str) -> str:
    return f"{name}.{hmac.digest(b'desk', name.encode(), hashlib.sha256).hex()}"


def known(token: Annotated[str, Depends(scheme)]) -> str:
    name = token.partition(".")[0]
    if not hmac.compare_digest(token, signed(name)):
        raise HTTPException(401, "not a token of ours")
    return name


User = Annotated[str, Depends(known)]


@app.post("/token")
def token(form: Annotated[OAuth2PasswordRequestForm, Depends()]) -> dict[str, str]:
    name = form.username
    with connect() as connection:
        found = connection.execute(
            "SELECT 1 FROM users WHERE name = ? AND password = ?",
            (name, hashed(name, form.password)),
        ).fetchone()
    if found is None:
        raise HTTPException(400, "no such user")
    return {"access_token": signed(name), "token_type": "bearer"}


@app.get("/me")
def me(user: User) -> dict[str, str]:
    return {"name": user}


@app.get("/tickets")
def tickets(user: User) -> list[dict[str, object]]:
    with connect() as connection:
        rows = connection.execute(
            "SELECT id, title FROM tickets WHERE owner = ? ORDER BY id LIMIT 20",
            (user,),
        )
        return [{"id": key, "title": title} for key, title in rows]
