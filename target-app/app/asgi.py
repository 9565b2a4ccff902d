"""What a server imports: `uvicorn app.asgi:app --workers 2` makes one app in each worker."""

from app.main import create_app

app = create_app()
