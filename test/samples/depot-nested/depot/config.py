"""Read from all of the environment, as one model."""

import os
from typing import Literal

from pydantic import BaseModel, Field


class Config(BaseModel):
    DEPOT_NAME: str
    DEPOT_REGION: str = Field(pattern=r"^[a-z]{2}$")
    DEPOT_MODE: Literal["open", "closed"]
    DEPOT_CACHE_DB: int
    DEPOT_DB_URI: str = ""
    DEPOT_DB_HOST: str
    DEPOT_DB_USER: str
    DEPOT_DB_PASSWORD: str
    DEPOT_DB_PORT: int
    DEPOT_DB_NAME: str
    ADMIN_EMAIL: str = "admin@example.com"
    ADMIN_PASSWORD: str = "Harbour-1"


config = Config(**dict(os.environ))
