"""Fills the shelf."""

import asyncio

from shelf.books import books


async def main() -> None:
    await books.insert_many([{"_id": f"book-{n}", "pages": 100 + n} for n in range(1, 201)])


if __name__ == "__main__":
    asyncio.run(main())
