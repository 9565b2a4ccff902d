from collections.abc import Callable


def remember(ask: Callable[..., bytes], value: int) -> None:
    """Nothing is remembered any more."""
