"""Messages of a Foundry world: when they were written, by what they are known again, and what they say in words."""

from __future__ import annotations

import hashlib
import json

from rollbook.adapters.imports.foundry.actors import item_name
from rollbook.adapters.imports.foundry.html import Content
from rollbook.adapters.imports.foundry.people import Persona
from rollbook.adapters.imports.foundry.rolls import FoundryRoll
from rollbook.adapters.imports.foundry.values import Fields, inside, name, number, unpacked

LATEST = 32_503_680_000_000
"""The year 3000 in milliseconds."""
LONGEST_CARD = 500
"""Characters of an item's card that are kept: the world has the whole item."""
_COMPARED = ("content", "flavor", "roll", "rolls", "whisper", "blind", "timestamp")
"""What of a message is imported, and so is compared when it is met again."""


class Spoken:
    """A message with what was read of it."""

    def __init__(
        self, message: Fields, content: Content, flavour: str, rolls: list[FoundryRoll], persona: Persona | None
    ) -> None:
        self.message = message
        self.content = content
        self.flavour = flavour
        self.rolls = rolls
        self.persona = persona

    @property
    def words(self) -> str:
        """The words that are not a number which the dice say."""
        said = self.content.words
        if self.content.is_card:
            said = " · ".join(said.splitlines())[:LONGEST_CARD]
        is_unread = not self.content.shown and "dice-total" in str(self.message.get("content"))
        if self.rolls and (number(said) is not None or is_unread):
            said = ""
        parts = [self.flavour if self.flavour not in said else "", said]
        text = "\n".join(filter(None, parts))
        is_named = self.persona is None and str(self.message.get("style", self.message.get("type"))) == "2"
        alias = name(inside(self.message, "speaker", "alias")) if is_named else ""
        return f"{alias}: {text}" if alias and text else text

    @property
    def in_words(self) -> str:
        """All of it in words, rolls too: for those of several readers who have no entry of their own."""
        rolled = "; ".join(f"{roll.formula} = {roll.total}" for roll in self.rolls)
        who = self.persona.called if self.persona is not None else ""
        return "\n".join(filter(None, (f"{who}: {rolled}" if who and rolled else rolled or who, self.words)))

    def card_name(self, actors: dict[str, Fields]) -> str:
        """What an item is called on its card."""
        card = self.content.card
        actor = actors.get(card.get("data-actor-id", "")) or (self.persona.actor if self.persona else {})
        return (
            item_name(actor, card.get("data-item-id", ""))
            or name(self.flavour)
            or name(self.content.title)
            or "something"
        )


def single_of(roll: object) -> list[object]:
    """The one roll of a message of version 9 and before."""
    if isinstance(roll, str) and not roll.strip():
        return []
    return [roll] if roll and (isinstance(roll, dict) or unpacked(roll) or roll != "null") else []


def moment_of(message: Fields, otherwise: int = 0) -> int:
    """When a message was written, in microseconds; ``otherwise`` if it does not say."""
    found = number(message.get("timestamp"))
    if found is None:
        found = number(inside(message, "_stats", "createdTime"))
    return round(found * 1_000) if found is not None and 0 < found < LATEST else otherwise or 1


def order_of(message: Fields) -> tuple[int, str]:
    """Messages go by their times, and those without one follow all others."""
    return moment_of(message, LATEST * 1_000), str(message["_id"])


def key_of(kind: str, id_: str) -> str:
    """By what something of the world is found again in a campaign."""
    is_plain = len(id_) <= 40 and id_.isascii() and id_.isprintable()
    is_plain = is_plain and " " not in id_
    return f"{kind} {id_ if is_plain else hashlib.sha256(id_.encode('utf-8', 'replace')).hexdigest()[:40]}"


def source_of(message: Fields) -> bytes:
    """What of a message is compared when it is met again."""
    compared = {key: message[key] for key in _COMPARED if key in message}
    return json.dumps(compared, sort_keys=True, default=str).encode()
