from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI, HTTPException
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm
from sqlalchemy import select
from sqlalchemy.orm import Session

from diary.settings import ADMIN_PASSWORD, ADMIN_USER, TITLE
from diary.tables import Entry, engine

bearer = OAuth2PasswordBearer(tokenUrl="token")
router = APIRouter(prefix="/entries")


@router.get("/")
def entries() -> list[dict[str, int | str]]:
    with Session(engine) as session:
        return [{"id": each.id, "text": each.text} for each in session.scalars(select(Entry))]


@router.get("/{entry_id}")
def entry(entry_id: int) -> str:
    with Session(engine) as session:
        found = session.get(Entry, entry_id)
    if found is None:
        raise HTTPException(404)
    return found.text


feed = FastAPI()


@feed.get("/latest")
def latest() -> str:
    return TITLE


# Without documentation for strangers.
app = FastAPI(openapi_url=None)
app.include_router(router, prefix="/api")
app.mount("/feed", feed)


@app.post("/token")
def token(form: Annotated[OAuth2PasswordRequestForm, Depends()]) -> dict[str, str]:
    if (form.username, form.password) != (ADMIN_USER, ADMIN_PASSWORD):
        raise HTTPException(400)
    return {"access_token": "for-the-admin", "token_type": "bearer"}


@app.get("/me")
def me(given: Annotated[str, Depends(bearer)]) -> str:
    if given != "for-the-admin":
        raise HTTPException(401)
    return ADMIN_USER
