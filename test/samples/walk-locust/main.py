from fastapi import FastAPI, HTTPException

app = FastAPI()
places = [
    {"id": number, "name": f"Place {number}", "next": number % 40 + 1}
    for number in range(1, 41)
]


@app.get("/places")
async def all_places(near: int = 1) -> list[dict[str, int | str]]:
    return [place for place in places if abs(int(place["id"]) - near) < 5]


@app.get("/places/{place_id}")
async def one_place(place_id: int) -> dict[str, int | str]:
    if not 1 <= place_id <= len(places):
        raise HTTPException(404, "no such place")
    return places[place_id - 1]


@app.post("/walks", status_code=201)
async def walk(steps: list[int]) -> dict[str, int]:
    return {"steps": len(steps)}
