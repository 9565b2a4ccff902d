"""As little as a route can do in a thread."""

from fastapi import FastAPI

app = FastAPI()


@app.get("/")
def greet() -> dict[str, str]:
    return {"message": "hello"}
