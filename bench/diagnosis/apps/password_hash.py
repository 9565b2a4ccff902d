"""Checks a password, which is meant to take its time."""

import hashlib

from fastapi import FastAPI

app = FastAPI()


def digest(password: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", password.encode(), b"salt", 60_000).hex()  # finding: CPU work on the event loop


@app.get("/")
async def log_in(password: str = "secret") -> dict[str, bool]:
    return {"ok": digest(password) == "..."}
