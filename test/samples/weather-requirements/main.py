from enum import StrEnum

from fastapi import FastAPI


class City(StrEnum):
    oslo = "oslo"
    rome = "rome"


def create_app(name: str = "Weather") -> FastAPI:
    made = FastAPI(title=name)

    @made.get("/forecast/{city}")
    async def forecast(city: City, days: int = 3) -> list[dict[str, int]]:
        return [{"day": day, "celsius": (7 if city is City.oslo else 18) + day} for day in range(days)]

    @made.get("/cities")
    async def cities() -> list[City]:
        return list(City)

    return made
