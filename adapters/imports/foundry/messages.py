"""Messages of a Foundry world: their times, their keys, and their words."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator

import attrs

from rollbook.adapters.imports.foundry.actors import item_name
from rollbook.adapters.imports.foundry.html import Content
from rollbook.adapters.imports.foundry.people import Persona
from rollbook.adapters.imports.foundry.rolls import FoundryRoll
from rollbook.adapters.imports.foundry.values import Fields, fields, inside, name, number, unpacked, whole
from rollbook.domain.base.records import Record

LATEST = 32_503_680_000_000
"""The year 3000 in milliseconds."""
LONGEST_CARD = 500
"""Most characters of an item's card that are kept: the world has the whole item."""
_COMPARED = ("content", "flavor", "roll", "rolls", "whisper", "blind", "timestamp")
"""Fields of a message that are imported, and so are compared when it is imported again."""


@attrs.frozen
class Spoken(Record):
    """A message with its parsed parts."""

    message: Fields
    content: Content
    flavour: str
    rolls: list[FoundryRoll]
    persona: Persona | None

    @property
    def words(self) -> str:
        """The words of the message, without a number that its dice repeat."""
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
        """The whole message in words, rolls too: for further readers, who get a note of their own."""
        rolled = "; ".join(f"{roll.formula} = {roll.total}" for roll in self.rolls)
        who = self.persona.called if self.persona is not None else ""
        return "\n".join(filter(None, (f"{who}: {rolled}" if who and rolled else rolled or who, self.words)))

    def card_name(self, actors: dict[str, Fields]) -> str:
        """The name of the item on a card."""
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
    """The time of a message, in microseconds since 1970; ``otherwise`` if it has none, or 1."""
    found = number(message.get("timestamp"))
    if found is None:
        found = number(inside(message, "_stats", "createdTime"))
    return round(found * 1_000) if found is not None and 0 < found < LATEST else otherwise or 1


def order_of(message: Fields) -> tuple[int, str]:
    """Sort key of messages: by their times, those without one last."""
    return moment_of(message, LATEST * 1_000), str(message["_id"])


def key_of(kind: str, id_: str) -> str:
    """The key that identifies a document of the world in a campaign."""
    is_plain = len(id_) <= 40 and id_.isascii() and id_.isprintable() and " " not in id_
    return f"{kind} {id_ if is_plain else hashlib.sha256(id_.encode('utf-8', 'replace')).hexdigest()[:40]}"


def key(message: Fields) -> str:
    """The key of a message."""
    return key_of("message", str(message["_id"]))


def source_of(message: Fields) -> bytes:
    """The fields of a message that are compared when it is imported again."""
    compared = {key: message[key] for key in _COMPARED if key in message}
    return json.dumps(compared, sort_keys=True, default=str).encode()


ABILITIES = {
    "str": "strength", "dex": "dexterity", "con": "constitution", "int": "intelligence", "wis": "wisdom", "cha": "charisma",
}  # fmt: skip
SKILLS = {
    "acr": "acrobatics", "ani": "animal handling", "arc": "arcana", "ath": "athletics", "dec": "deception", "his": "history",
    "ins": "insight", "inv": "investigation", "itm": "intimidation", "med": "medicine", "nat": "nature", "per": "persuasion",
    "prc": "perception", "prf": "performance", "rel": "religion", "slt": "sleight of hand", "ste": "stealth", "sur": "survival",
}  # fmt: skip
_KINDS = {
    "attack": "attack", "attack-roll": "attack", "damage": "damage", "damage-roll": "damage", "healing": "healing",
    "skill": "check", "skill-check": "check", "ability": "check", "check": "check", "tool": "check", "perception-check": "check",
    "save": "save", "saving-throw": "save", "death": "save", "concentration": "save", "flat-check": "check",
    "initiative": "initiative", "hitDie": "hit die", "hitPoints": "hit points",
}  # fmt: skip
_FLAVOURS = (
    ("initiative", re.compile(r"\binitiative\b", re.IGNORECASE)),
    ("save", re.compile(r"\b(saving throw|save)\b", re.IGNORECASE)),
    ("attack", re.compile(r"\battack\b", re.IGNORECASE)),
    ("damage", re.compile(r"\bdamage\b", re.IGNORECASE)),
    ("check", re.compile(r"\b(check|test)\b", re.IGNORECASE)),
)
_REST = re.compile(r"\b(?P<which>short|long|full|extended) rest\b", re.IGNORECASE)
_CHECKED = frozenset(("check", "save", "attack", "initiative"))


@attrs.frozen
class Occasion(Record):
    """A verb and the purpose of the dice, as far as known."""

    verb: str = "roll"
    purpose: str = "roll"


def occasion(message: Fields, roll: FoundryRoll, flavour: str) -> Occasion:
    """The verb and purpose of a roll."""
    flags = fields(message.get("flags"))
    if inside(flags, "core", "initiativeRoll") is True:
        return Occasion("initiative", "initiative")
    for said, what in _said(flags):
        if said in _KINDS:
            verb = _KINDS[said]
            purpose = (
                "death save" if said == "death" else f"{what} {verb}".strip() if verb in ("check", "save") else verb
            )
            return Occasion(verb, purpose)
    if (shown := str(roll.options.get("shownAs", ""))) in _KINDS:
        return Occasion(_KINDS[shown], _KINDS[shown])
    if "Damage" in roll.kind:
        return Occasion("damage", "damage")
    verb = next((verb for verb, pattern in _FLAVOURS if pattern.search(flavour)), "roll")
    return Occasion(verb, verb)


def _said(flags: Fields) -> Iterator[tuple[str, str]]:
    """The kind of a roll, and its skill or ability, from the flags of game systems."""
    roll = inside(flags, "dnd5e", "roll")
    if isinstance(roll, dict):
        skill = SKILLS.get(str(roll.get("skillId", roll.get("skill", ""))), "")
        ability = ABILITIES.get(str(roll.get("abilityId", roll.get("ability", ""))), "")
        yield str(roll.get("type", "")), skill or ability or name(roll.get("toolId"))
    context = inside(flags, "pf2e", "context")
    if isinstance(context, dict):
        domains = context.get("domains")
        yield str(context.get("type", "")), name(domains[0]) if isinstance(domains, list) and domains else ""


@attrs.frozen
class Target(Record):
    """The number that a roll had to meet, and whether it did."""

    number: int
    success: bool
    outcome: str = ""


def target(message: Fields, roll: FoundryRoll, verb: str) -> Target | None:
    """The target of a roll, if the number and the outcome are on record; None otherwise.

    Without an outcome the total is compared only where rolling high is known to be good: in rolls of the class D20Roll.
    """
    context = inside(fields(message.get("flags")), "pf2e", "context")
    if isinstance(context, dict):
        number, outcome = whole(inside(context, "dc", "value")), str(context.get("outcome") or "")
        if number is not None and outcome:
            return Target(
                number, outcome.endswith("uccess"), name(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", outcome).lower())
            )
    options = roll.options
    number = next((n for key in ("target", "targetValue", "dc") if (n := whole(options.get(key))) is not None), None)
    if number is None or verb not in _CHECKED:
        return None
    if isinstance(told := options.get("success"), bool):
        return Target(number, told)
    if roll.kind != "D20Roll":
        return None
    is_met = roll.total >= number
    if verb == "attack" and roll.natural in (1, 20):
        is_met = roll.natural == 20
    return Target(number, is_met)


def rest(message: Fields, flavour: str, content: Content) -> str:
    """The rest in a message: "long rest", "short rest" or another; "" if there is none."""
    told = inside(fields(message.get("flags")), "dnd5e", "rest", "type") or inside(message, "system", "type")
    if str(message.get("type")) == "rest" or inside(fields(message.get("flags")), "dnd5e", "rest"):
        return f"{told or 'some'} rest" if str(told) in ("long", "short") else "rest"
    found = _REST.search(flavour) or _REST.search(content.title)
    return f"{found['which'].lower()} rest" if found is not None else ""
