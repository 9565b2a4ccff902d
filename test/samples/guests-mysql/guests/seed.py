"""Fills the tables: a guest has three stays."""

from sqlalchemy import insert
from sqlalchemy.orm import Session

from guests.tables import Guest, Stay, engine


def main() -> None:
    with Session(engine) as session, session.begin():
        numbers = range(1, 501)
        guests = [{"id": key, "name": f"Guest {key}"} for key in numbers]
        stays = [{"guest_id": key, "nights": n} for key in numbers for n in (1, 2, 5)]
        session.execute(insert(Guest), guests)
        session.execute(insert(Stay), stays)


if __name__ == "__main__":
    main()
