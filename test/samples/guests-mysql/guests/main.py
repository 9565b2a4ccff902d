from fastapi import FastAPI, HTTPException
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from guests.tables import Guest, Stay, engine

app = FastAPI()


@app.get("/guests")
def guests() -> list[dict[str, object]]:
    with Session(engine) as session:
        found = session.execute(select(Guest.id, Guest.name).limit(20))
        return [{"id": key, "name": name} for key, name in found]


@app.get("/guests/{guest_id}")
def guest(guest_id: int) -> dict[str, object]:
    with Session(engine) as session:
        name = session.scalar(select(Guest.name).where(Guest.id == guest_id))
        if name is None:
            raise HTTPException(404, "no such guest")
        nights = session.scalar(
            select(func.sum(Stay.nights)).where(Stay.guest_id == guest_id)
        )
        return {"id": guest_id, "name": name, "nights": int(nights or 0)}
