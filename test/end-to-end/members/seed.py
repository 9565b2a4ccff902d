"""Five members with random tokens; given `print`, only tells them."""

import csv
import secrets
import sqlite3
import sys

with sqlite3.connect("members.db") as database:
    if "print" not in sys.argv:
        database.execute("CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, token TEXT)")
        rows = [(name, secrets.token_hex(16)) for name in ("ada", "bo", "cy", "di", "eve")]
        database.executemany("INSERT INTO members (name, token) VALUES (?, ?)", rows)
    else:
        listed = csv.writer(sys.stdout)
        listed.writerow(["name", "token"])
        listed.writerows(database.execute("SELECT name, token FROM members ORDER BY id"))
