from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from shop.settings import settings

engine = create_async_engine(settings.database_url)
make_session = async_sessionmaker(engine)


class Base(DeclarativeBase):
    pass


class Item(Base):
    __tablename__ = "item"

    item_id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    price_cents: Mapped[int]


async def open_session() -> AsyncIterator[AsyncSession]:
    async with make_session() as session:
        yield session


Session = Annotated[AsyncSession, Depends(open_session)]
