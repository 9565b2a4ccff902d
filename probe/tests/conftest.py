"""Servers for the tests of one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from tests.servers import Server, serving

Serve = Callable[..., Server]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Start a server, or take the one that runs by the same command already."""
    numbers = count()
    started: dict[tuple[object, ...], Server] = {}
    with ExitStack() as stack:

        def start(
            command: str,
            *,
            variables: dict[str, str] | None = None,
            is_watched: bool = True,
            only_reach: bool = False,
            only_stacks: bool = False,
            only_outside: bool = False,
            only_memory: bool = False,
        ) -> Server:
            only = (only_reach, only_stacks, only_outside, only_memory)
            key = (command, tuple((variables or {}).items()), is_watched, *only)
            if key not in started:
                folder: Path = tmp_path_factory.mktemp(f"server{next(numbers)}")
                server = serving(
                    command,
                    folder,
                    variables=variables,
                    is_watched=is_watched,
                    only_reach=only_reach,
                    only_stacks=only_stacks,
                    only_outside=only_outside,
                    only_memory=only_memory,
                )
                started[key] = stack.enter_context(server)
            return started[key]

        yield start
