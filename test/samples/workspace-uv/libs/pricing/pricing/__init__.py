"""Prices, with a tenth off from ten pieces on."""


def price_cents(pieces: int) -> int:
    return 250 * pieces if pieces < 10 else 225 * pieces
