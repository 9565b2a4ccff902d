import os
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from sqlmodel import Field, Session, SQLModel, create_engine, select

engine = create_engine(os.environ["DATABASE_URL"])


class Note(SQLModel, table=True):
    id: int | None = Field(default=None, primary_key=True)
    text: str


def open_session():
    with Session(engine) as session:
        yield session


SessionDep = Annotated[Session, Depends(open_session)]
app = FastAPI(title="Notes")


@app.get("/notes")
def list_notes(session: SessionDep) -> list[Note]:
    return list(session.exec(select(Note).limit(10)))


@app.get("/notes/{note_id}")
def read_note(note_id: int, session: SessionDep) -> Note:
    note = session.get(Note, note_id)
    if note is None:
        raise HTTPException(404)
    return note


@app.post("/notes", status_code=201)
def write_note(note: Note, session: SessionDep) -> Note:
    session.add(note)
    session.commit()
    session.refresh(note)
    return note
