"""Reads a ``combat_state_update``: the whole combat as the Avrae bot knew it at one moment.

Monsters are in ``data`` with their numbers. Player characters have theirs on a sheet elsewhere, so theirs are read
from ``human_readable``, the list that the table sees, which names everybody in the order of ``data``.
"""

import re

import attrs

from adapters.imports.avrae.lines import Fields, Malformed, identifier, objects, text, whole
from domain.events import CharacterKind

KINDS = {"player": CharacterKind.PLAYER_CHARACTER, "monster": CharacterKind.MONSTER, "combatant": CharacterKind.NPC}
LEAD = r"(?:[# ] *-?[0-9]+: | +- )"
HIT_POINTS = r" <(?P<hp>-?[0-9]{1,9})(?:/(?P<max>-?[0-9]{1,9}))? HP>"
TEMPORARY = r" \(\+(?P<temp>[0-9]{1,9}) temp\)"


@attrs.frozen
class RecordedEffect:
    """An effect on somebody; ``origin`` is the combatant whose effect it comes from, "" if it comes from none."""

    name: str
    detail: str
    origin: str


@attrs.frozen
class Combatant:
    """Somebody in the combat. ``key`` is Avrae's own; ``hp`` is nothing where the record shows no number."""

    key: str
    name: str
    kind: CharacterKind
    controller: str
    initiative: int
    hp: int | None
    max_hp: int | None
    temp_hp: int
    effects: tuple[RecordedEffect, ...]


@attrs.frozen
class Recorded:
    """A combat at one moment. ``turn`` holds the keys of whose turn it is: several, if a group moves together."""

    round: int
    combatants: tuple[Combatant, ...]
    turn: tuple[str, ...]


def read_state(update: Fields) -> Recorded:
    """The combat that a ``combat_state_update`` records. Raises Malformed."""
    data = update["data"]
    units = [
        objects(unit, "combatants") if text(unit, "type") == "group" else [unit]
        for unit in objects(data, "combatants", optional=True)
    ]
    shown = _Shown(text(update, "human_readable"))
    combatants = tuple(_combatant(fields, shown) for unit in units for fields in unit)
    if len({one.key for one in combatants}) < len(combatants):
        raise Malformed("two combatants have the same 'id'")
    current = whole(data, "current", -1)
    if current >= len(units):
        raise Malformed(f"it is the turn of combatant {current}, but there are only {len(units)}")
    turn = tuple(text(fields, "id") for fields in units[current]) if current >= 0 else ()
    return Recorded(whole(data, "round", 0), combatants, turn)


class _Shown:
    """The list that the table sees, read from top to bottom, one name after the other."""

    def __init__(self, listing: str) -> None:
        self._lines = listing.splitlines()

    def numbers(self, name: str) -> tuple[int | None, int | None, int]:
        """Hit points, their maximum and temporary ones of the next combatant of this name, as far as they are shown."""
        pattern = re.compile(f"{LEAD}{re.escape(name)}(?:{HIT_POINTS}| <[A-Z][a-z]+>)?(?:{TEMPORARY})?(?: |$|`)")
        for place, line in enumerate(self._lines):
            found = pattern.match(line)
            if found is not None:
                del self._lines[place]
                return _number(found["hp"]), _number(found["max"]), _number(found["temp"]) or 0
        return None, None, 0


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _combatant(fields: Fields, shown: _Shown) -> Combatant:
    name = text(fields, "name")
    hp, max_hp, temp_hp = shown.numbers(name)
    if fields.get("hp") is not None:
        hp, max_hp, temp_hp = whole(fields, "hp"), whole(fields, "max_hp", 0) or None, whole(fields, "temp_hp", 0)
    return Combatant(
        key=text(fields, "id"),
        name=name,
        kind=KINDS.get(text(fields, "type"), CharacterKind.THING),
        controller=str(identifier(fields, "controller_id")),
        initiative=whole(fields, "init", 0),
        hp=hp,
        max_hp=max_hp,
        temp_hp=temp_hp,
        effects=tuple(_effect(effect) for effect in objects(fields, "effects", optional=True)),
    )


def _effect(fields: Fields) -> RecordedEffect:
    parent = fields.get("parent")
    origin = text(parent, "combatant_id", "") if isinstance(parent, dict) else ""
    return RecordedEffect(text(fields, "name"), text(fields, "desc", ""), origin)
