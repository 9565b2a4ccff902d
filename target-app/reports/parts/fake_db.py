"""How the WSGI and ASGI apps ask the fake database: with urllib, which blocks, or httpcore, which does not.

The clients differ in more than style, as the published ones do: urllib makes a connection for each call.
"""

from typing import Annotated
from urllib.request import ProxyHandler, build_opener

from httpcore2 import AsyncConnectionPool
from pydantic import AnyUrl, Field, UrlConstraints

from reports.parts.environment import ReportSettings, read_settings

Address = Annotated[AnyUrl, UrlConstraints(allowed_schemes=["http"], host_required=True)]


class FakeDbSettings(ReportSettings):
    fake_db_url: Address = Field(
        default=AnyUrl("http://127.0.0.1:9000"),
        description="http://host:port, where `python -m reports.fake_db_server` listens",
    )


def fake_db_address(settings: FakeDbSettings | None) -> str:
    return str((settings or read_settings(FakeDbSettings)).fake_db_url)


# Whatever proxy the environment names, it is not asked for what is on this machine.
OPENER = build_opener(ProxyHandler({}))


def fetch_blocking(address: str) -> str:
    with OPENER.open(address) as reply:
        text: str = reply.read().decode()
        return text


def open_pool() -> AsyncConnectionPool:
    """As many connections as there are calls; by default the eleventh call would wait for one."""
    return AsyncConnectionPool(max_connections=None)


async def fetch_async(pool: AsyncConnectionPool, address: str) -> str:
    reply = await pool.request("GET", address)
    return reply.content.decode()
