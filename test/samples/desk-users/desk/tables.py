import hashlib
import sqlite3

TABLES = """
CREATE TABLE users (name TEXT PRIMARY KEY, full_name TEXT, password TEXT);
CREATE TABLE tickets (id INTEGER PRIMARY KEY, owner TEXT, title TEXT);
CREATE INDEX tickets_by_owner ON tickets (owner);
"""


def connect() -> sqlite3.Connection:
    return sqlite3.connect("desk.db")


def hashed(name: str, password: str) -> str:
    return hashlib.pbkdf2_hmac(
        "sha256", password.encode(), name.encode(), 20_000
    ).hex()
