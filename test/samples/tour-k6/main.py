from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()
tours = {
    number: {"id": number, "title": f"Tour {number}", "seats": 12}
    for number in range(1, 51)
}


class Booking(BaseModel):
    tour: int
    seats: int = 1


@app.get("/tours")
async def all_tours() -> list[dict[str, int | str]]:
    return list(tours.values())


@app.get("/tours/{tour_id}")
async def one_tour(tour_id: int) -> dict[str, int | str]:
    if tour_id not in tours:
        raise HTTPException(404, "no such tour")
    return tours[tour_id]


@app.post("/bookings", status_code=201)
async def book(booking: Booking) -> dict[str, int]:
    if booking.tour not in tours:
        raise HTTPException(422, "no such tour")
    return {"tour": booking.tour, "seats": booking.seats}
