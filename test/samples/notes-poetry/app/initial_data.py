from sqlmodel import Session, SQLModel

from app.main import Note, engine


def main() -> None:
    SQLModel.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Note(text=f"note {n}") for n in range(1, 51))
        session.commit()


if __name__ == "__main__":
    main()
