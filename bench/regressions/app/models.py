"""What is told to customers."""

from pydantic import BaseModel


class Row(BaseModel):
    name: str
    slug: str
    price: float
    weight: float
    tags: list[str]


class Page(BaseModel):
    label: str
    total: float
    rows: list[Row]
