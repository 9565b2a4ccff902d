"""Work of a known amount."""


def burn(rounds: int) -> int:
    total = 0
    for index in range(rounds):
        total += index * index % 7
    return total


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
