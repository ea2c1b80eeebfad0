"""Words of chance: the names under which seats are stored whose persons' names are beside them, and can be removed.

People never read such a word: it is replaced where anything is shown.
"""

import re
from collections.abc import Callable

from rollbook.domain.base.identifiers import SeatName

OF_CHANCE = re.compile("seat-[0-9a-f]{8}")
_BEGINNING = "seat-"

NO_NAME = "(name removed)"
"""Stands where a person was named, and the name was removed for good."""


def word_of_chance(four: bytes) -> SeatName:
    """The name under which a seat is stored whose person's name is beside it, from four random bytes."""
    return f"{_BEGINNING}{four.hex()}"


def is_word_of_chance(seat: SeatName) -> bool:
    """True for a name that no person has."""
    return OF_CHANCE.fullmatch(seat) is not None


def by_name(text: str, person: Callable[[SeatName], str]) -> str:
    """A text in which people are called by name where it has the word of chance that their seat is stored under."""
    return OF_CHANCE.sub(lambda found: person(found[0]), text) if _BEGINNING in text else text
