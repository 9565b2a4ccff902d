"""Touches a relation of each row, and SQLAlchemy asks for it there."""

import os

from fastapi import FastAPI
from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

url = os.environ["DATABASE_URL"].replace("postgresql:", "postgresql+psycopg:")
engine = create_engine(url, pool_size=10)
app = FastAPI()


class Base(DeclarativeBase):
    pass


class Order(Base):
    __tablename__ = "shop_orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    items: Mapped[list["Item"]] = relationship()


class Item(Base):
    __tablename__ = "shop_items"
    id: Mapped[int] = mapped_column(primary_key=True)
    order_id: Mapped[int] = mapped_column(ForeignKey("shop_orders.id"))
    title: Mapped[str]


@app.get("/")
def list_orders() -> list[list[str]]:
    with Session(engine) as session:
        orders = session.scalars(select(Order).where(Order.id <= 20)).all()
        return [[item.title for item in order.items] for order in orders]  # finding: repeated query
