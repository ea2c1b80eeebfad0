"""Ids that nobody can guess: 26 letters of Crockford's base 32, which are 130 bits."""

import secrets

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id() -> str:
    """An id that no other will ever equal."""
    number = int.from_bytes(secrets.token_bytes(17), "big")
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(26))
