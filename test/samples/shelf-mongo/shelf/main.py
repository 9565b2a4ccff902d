from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

from shelf.books import books

app = FastAPI()


class Book(BaseModel):
    id: str
    pages: int


@app.get("/books")
async def list_books(limit: int = 20) -> list[Book]:
    found = await books.find().sort("_id").limit(limit).to_list()
    return [Book(id=each["_id"], pages=each["pages"]) for each in found]


@app.get("/books/{book_id}")
async def get_book(book_id: str) -> Book:
    found = await books.find_one({"_id": book_id})
    if found is None:
        raise HTTPException(404, "no such book")
    return Book(id=found["_id"], pages=found["pages"])
