"""The six abilities: modifiers without scores, and what each is good for (R1.1, R1.34, R1.35)."""

from __future__ import annotations

import attrs

from ruleset_plugins import Character, Term, banded, load, modifier_term, row_of

HELP = {
    "str": "brawn: lift, carry, throw, strike hand to hand",
    "dex": "quickness and a steady hand: dodge, aim, light weapons",
    "con": "health and stamina, against sickness too",
    "int": "memory, logic, sharp wits",
    "wis": "the senses, empathy, judgement",
    "cha": "presence: charm, lead, perform, persuade",
}
"""What each ability is for (R1.35)."""


@attrs.frozen(kw_only=True)
class Band:
    """Modifiers from ``lowest`` to ``highest``, and the ``word`` for them."""

    lowest: int
    highest: int
    word: str


BANDS = banded("modifiers.json", load(__package__, "modifiers.json", Band))


def modifier(who: Character, ability: str) -> int:
    """An ability's modifier; 0 for anybody whose sheet does not say."""
    return who.stats.get(ability, 0)


def word(amount: int) -> str:
    """How good such a modifier is, in a word (R1.34)."""
    return row_of(BANDS, amount).word


def ability_term(who: Character, ability: str) -> Term:
    """An ability's modifier, as a summand that says where it comes from."""
    return modifier_term(ability, modifier(who, ability), "R1.35")


def better(who: Character, abilities: tuple[str, ...]) -> str:
    """Of several abilities the one with the higher modifier; the first that is named if they are level."""
    return max(abilities, key=lambda ability: modifier(who, ability))
