"""Tokens of our own: the member's card and a signature."""

import hashlib
import hmac
import os

KEY = os.environ["LENDING_KEY"].encode()


def hashed(secret: str) -> str:
    return hashlib.sha256(KEY + secret.encode()).hexdigest()


def token_for(card: str) -> str:
    return f"{card}.{hmac.new(KEY, card.encode(), 'sha256').hexdigest()}"


def card_of(token: str) -> str | None:
    card = token.rpartition(".")[0]
    return card if hmac.compare_digest(token, token_for(card)) else None
