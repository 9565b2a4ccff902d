"""Makes the tables, the team's users and their tickets."""

import csv
from pathlib import Path

from desk.tables import TABLES, connect, hashed


def main() -> None:
    path = Path(__file__).with_name("users.csv")
    with connect() as connection, path.open(newline="") as file:
        connection.executescript(TABLES)
        for user in csv.DictReader(file):
            name, secret = user["name"], hashed(user["name"], user["password"])
            connection.execute(
                "INSERT INTO users VALUES (?, ?, ?)", (name, user["full_name"], secret)
            )
            connection.executemany(
                "INSERT INTO tickets (owner, title) VALUES (?, ?)",
                [(name, f"Ticket {number} of {name}") for number in range(200)],
            )


if __name__ == "__main__":
    main()
