from sqlalchemy import create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from diary.settings import DATABASE_URL


class Base(DeclarativeBase):
    pass


class Entry(Base):
    __tablename__ = "entries"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


engine = create_engine(DATABASE_URL)
# As tutorials do it: the database must be there when the module is imported.
Base.metadata.create_all(engine)
with Session(engine) as session:
    if session.get(Entry, 7) is None:
        session.add_all(Entry(id=id, text=f"day {id}") for id in (7, 8, 9))
        session.commit()
