"""A coroutine that sends the statement that it is given."""

import functools
from typing import Any

from loadtest_probe.probe import Probe


def patch_async_query(probe: Probe, owner: Any, name: str) -> None:
    """Watch the method of that name, whose first argument is the statement."""
    original = getattr(owner, name)
    statements = probe.statements

    @functools.wraps(original)
    async def watched(self: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
        mark = statements.begin()
        try:
            return await original(self, query, *args, **kwargs)
        finally:
            if mark is not None:
                statements.end(mark, query)

    setattr(owner, name, watched)
