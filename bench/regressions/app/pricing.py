"""What things cost."""

import settings


def discount(cents):
    price = float(cents)
    for step in range(settings.ROUNDS):
        price -= price * 0.001 * (step % 3)
    return price


def tax(price):
    return price * 0.19


def quote(item):
    price = discount(item["cents"])
    return round(price + tax(price), 2)


def total(items):
    whole = 0.0
    for item in items:
        whole += quote(item)
    return round(whole, 2)
