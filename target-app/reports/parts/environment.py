"""Settings from the environment. Errors are one sentence, whatever the server."""

import sys
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict


class ReportSettings(BaseSettings):
    """A field's description says what it must be; `repr=False` marks one that may hold a password."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, hide_input_in_errors=True)


# With any other status, and after any other exception, uvicorn and gunicorn start workers again and again.
DO_NOT_RESTART = 3

SettingsT = TypeVar("SettingsT", bound=ReportSettings)


def read_settings(kind: type[SettingsT]) -> SettingsT:
    """End the process when they are wrong: an app has no other way to stop the server that imports it."""
    try:
        return kind()
    except ValidationError as error:
        print(
            ", and ".join(describe(kind, details) for details in error.errors()), file=sys.stderr, flush=True
        )
        raise SystemExit(DO_NOT_RESTART) from None


def describe(kind: type[ReportSettings], details: ErrorDetails) -> str:
    name = str(details["loc"][0])
    field = kind.model_fields[name]
    if details["type"] == "missing":
        problem = "is not set"
    elif field.repr:
        problem = f"is {details['input']!r}"
    else:
        problem = "is not what it has to be"
    return f"{name.upper()} {problem}: it must be {field.description}"
