from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from lending.main import app, engine, get_session
from lending.models import Member, Tool
from lending.security import hashed
from sqlalchemy.orm import Session


@pytest.fixture
def session() -> Iterator[Session]:
    """All that a test does is rolled back."""
    with engine.connect() as connection:
        whole = connection.begin()
        with Session(connection, join_transaction_mode="create_savepoint") as session:
            yield session
        whole.rollback()


@pytest.fixture
def client(session: Session) -> Iterator[TestClient]:
    app.dependency_overrides[get_session] = lambda: session
    with TestClient(app) as client:
        yield client
    app.dependency_overrides.clear()


@pytest.fixture
def ada(session: Session) -> Member:
    made = Member(card="ada", secret=hashed("open sesame"))
    session.add(made)
    session.commit()
    return made


@pytest.fixture
def saw(session: Session, ada: Member) -> Tool:
    made = Tool(name="Ada's saw", owner_id=ada.id)
    session.add(made)
    session.commit()
    return made


@pytest.fixture
def known(client: TestClient, ada: Member) -> dict[str, str]:
    reply = client.post("/desk", data={"card": "ada", "secret": "open sesame"})
    return {"X-Member": f"Card {reply.json()['pass']}"}
