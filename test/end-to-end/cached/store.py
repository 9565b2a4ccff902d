from collections.abc import Callable


def remember(ask: Callable[..., bytes], value: int) -> None:
    ask("SET", "price", str(value))
