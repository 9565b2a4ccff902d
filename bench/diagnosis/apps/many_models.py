"""Returns 20,000 models, which are checked and written on the loop."""

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Product(BaseModel):
    id: int
    name: str
    price: float


PRODUCTS = [Product(id=number, name=f"product {number}", price=number / 3) for number in range(20_000)]


@app.get("/")
def list_products() -> list[Product]:  # finding: CPU work on the event loop
    return PRODUCTS
