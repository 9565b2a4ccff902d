"""What the shop is set to."""

ROUNDS = 40
PAGE = 30
LABEL = "Shop"
CURRENCY = "EUR"
