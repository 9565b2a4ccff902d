import os
from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, FastAPI, Form, Header, HTTPException
from pydantic import BaseModel
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from lending.models import Base, Member, Tool
from lending.security import card_of, hashed, token_for

engine = create_engine(os.environ["DATABASE_URL"].replace("postgresql:", "postgresql+psycopg:"))
Base.metadata.create_all(engine)
app = FastAPI()


def get_session() -> Iterator[Session]:
    with Session(engine) as session:
        yield session


Database = Annotated[Session, Depends(get_session)]


def member(session: Database, x_member: Annotated[str, Header()]) -> Member:
    card = card_of(x_member.removeprefix("Card "))
    found = session.scalar(select(Member).where(Member.card == card))
    if found is None:
        raise HTTPException(401, "who are you?")
    return found


Known = Annotated[Member, Depends(member)]


class NewTool(BaseModel):
    name: str


@app.post("/desk")
def show_card(session: Database, card: Annotated[str, Form()], secret: Annotated[str, Form()]) -> dict[str, str]:
    found = session.scalar(select(Member).where(Member.card == card))
    if found is None or found.secret != hashed(secret):
        raise HTTPException(401, "unknown card")
    return {"pass": token_for(card)}


@app.get("/tools")
def tools(session: Database, who: Known, of: str) -> list[str]:
    return list(session.scalars(select(Tool.name).where(Tool.name.contains(of))))


@app.get("/tools/{tool_id}")
def tool(tool_id: int, session: Database, who: Known) -> dict[str, str]:
    found = session.get(Tool, tool_id)
    if found is None or found.owner_id != who.id:
        raise HTTPException(404, "no such tool of yours")
    return {"name": found.name}


@app.put("/tools/{tool_id}")
def rename(tool_id: int, new: NewTool, session: Database, who: Known) -> dict[str, str]:
    found = session.get(Tool, tool_id)
    if found is None:
        raise HTTPException(404, "no such tool")
    found.name = new.name
    session.commit()
    return {"name": new.name}


@app.post("/tools", status_code=201)
def lend(new: NewTool, session: Database, who: Known) -> dict[str, int]:
    made = Tool(name=new.name, owner_id=who.id)
    session.add(made)
    session.commit()
    return {"id": made.id}


@app.delete("/tools/{tool_id}", status_code=204)
def take_back(tool_id: int, session: Database, who: Known) -> None:
    session.delete(session.get(Tool, tool_id))
    session.commit()
