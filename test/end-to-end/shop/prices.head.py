STEPS = 24_000


def compute(steps: int) -> int:
    total = 0
    for step in range(steps):
        total += step
    return total
