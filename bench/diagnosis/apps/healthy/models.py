"""Checks its reply against a model, for a page of rows."""

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Product(BaseModel):
    id: int
    name: str
    price: float


@app.get("/")
async def list_products(count: int = 20) -> list[Product]:
    return [Product(id=number, name=f"product {number}", price=number / 3) for number in range(count)]
