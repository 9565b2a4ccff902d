from fastapi import FastAPI, HTTPException
from pydantic import BaseModel
from sqlalchemy import select

from shop.database import Item, Session
from shop.settings import settings

app = FastAPI(title="Shop")


class ItemOut(BaseModel):
    item_id: int
    name: str
    price_cents: int


@app.get("/health")
async def health() -> dict[str, str]:
    return {"status": "ok"}


@app.get("/items")
async def list_items(session: Session) -> list[ItemOut]:
    rows = await session.scalars(select(Item).order_by(Item.item_id).limit(settings.page_size))
    return [ItemOut.model_validate(row, from_attributes=True) for row in rows]


@app.get("/items/{item_id}")
async def read_item(item_id: int, session: Session) -> ItemOut:
    row = await session.get(Item, item_id)
    if row is None:
        raise HTTPException(404)
    return ItemOut.model_validate(row, from_attributes=True)
