import os
from uuid import uuid4

from sqlalchemy import create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

engine = create_engine(os.getenv("RECIPES_DATABASE_URL", "sqlite:///./recipes.db"))


class Base(DeclarativeBase):
    pass


class Recipe(Base):
    __tablename__ = "recipes"

    # As many an app has it: the keys of each arm's rows are others.
    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: str(uuid4()))
    title: Mapped[str]
