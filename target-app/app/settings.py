"""Settings of the target app, read from the environment once, when the app is made."""

from typing import Annotated

from fastapi import Depends, Request
from pydantic import Field, PostgresDsn
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """A bad value stops the app at start, naming the variable but not the value: it may hold a password."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, hide_input_in_errors=True)

    database_url: PostgresDsn | None = Field(
        default=None, description="Without it the endpoints that need the database answer 503."
    )
    pool_size: int = Field(
        default=4, ge=1, le=100, description="Connections of each of the two pools of a worker process."
    )
    pool_timeout_seconds: float = Field(default=30, gt=0, description="Longest wait of a request for one.")
    start_timeout_seconds: float = Field(default=10, gt=0, description="Longest wait for the pools to fill.")
    fib: int | None = Field(
        default=None, ge=0, le=40, description="Depth of the simulations; by default min(total quantity, 35)."
    )


# A dependency that is a plain function would take a thread of the pool for each request.
async def get_settings(request: Request) -> Settings:
    settings: Settings = request.state.settings
    return settings


CurrentSettings = Annotated[Settings, Depends(get_settings)]
