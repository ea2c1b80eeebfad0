"""Reader of a ``combat_state_update``: the whole combat as the Avrae bot knew it at one moment.

Monsters are in ``data`` with their numbers. Player characters have theirs on a sheet elsewhere, so theirs are read
from ``human_readable``, the list that the table sees, which names all combatants in the order of ``data``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import attrs

from rollbook.adapters.imports.avrae.lines import Fields, Malformed, identifier, objects, text, whole
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind

KINDS = {
    "player": CharacterKind.PLAYER_CHARACTER,
    "monster": CharacterKind.MONSTER,
    "combatant": CharacterKind.NPC,
    "common": CharacterKind.NPC,
}
GROUP = "group"
LEAD = r"(?:[# ] *-?[0-9]+: | +- )"
HIT_POINTS = r" <(?P<hp>-?[0-9]{1,9})(?:/(?P<max>-?[0-9]{1,9}))? HP>"
TEMPORARY = r" \(\+(?P<temp>[0-9]{1,9}) temp\)"
LISTED_ARMOUR = re.compile(r"\(AC (?P<armour>[0-9]{1,3})\)")
NUMBERS = re.compile(f"(?:{HIT_POINTS}| <[A-Z][a-z]+>)?(?:{TEMPORARY})?(?: |$|`)")


@attrs.frozen
class RecordedEffect(Record):
    """An effect on a combatant; ``origin`` is the combatant whose effect it comes from, "" if it comes from none.

    While it lasts, the maximum of hit points is at least ``max_hp``, and ``max_hp_bonus`` comes on top of it.
    """

    name: str
    detail: str
    origin: str
    max_hp: int = 0
    max_hp_bonus: int = 0


@attrs.frozen
class Combatant(Record):
    """A character in the combat. ``key`` is Avrae's own; ``hp`` is None where the record shows no number.

    ``armour`` is the armour class, 0 if not shown; ``saves`` are bonuses by ability, ``stances`` say by kind of damage what
    becomes of it.
    """

    key: str
    name: str
    kind: CharacterKind
    controller: str
    initiative: int
    hp: int | None
    max_hp: int | None
    temp_hp: int
    effects: tuple[RecordedEffect, ...]
    armour: int = 0
    saves: Mapping[str, int] = attrs.field(factory=dict)
    stances: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Recorded(Record):
    """A combat at one moment. ``turn`` holds the keys of the acting combatants: several, if a group moves together."""

    round: int
    combatants: tuple[Combatant, ...]
    turn: tuple[str, ...]

    def at_least_zero(self) -> Recorded:
        """The same with nobody below 0 hit points."""
        here = tuple(attrs.evolve(one, hp=max(one.hp, 0)) if one.hp is not None else one for one in self.combatants)
        return attrs.evolve(self, combatants=here)


def read_state(update: Fields) -> Recorded:
    """The combat that a ``combat_state_update`` records. Raises Malformed."""
    data = update["data"]
    shown = _Shown(text(update, "human_readable"))
    units = [tuple(_unit(unit, shown)) for unit in objects(data, "combatants", optional=True)]
    combatants = tuple(one for unit in units for one in unit)
    if len({one.key for one in combatants}) < len(combatants):
        raise Malformed("two combatants have the same 'id'")
    current = whole(data, "current", -1)
    if current >= len(units):
        raise Malformed(f"it is the turn of combatant {current}, but there are only {len(units)}")
    turn = tuple(one.key for one in units[current]) if current >= 0 else ()
    return Recorded(whole(data, "round", 0), combatants, turn)


def _unit(unit: Fields, shown: _Shown) -> Iterator[Combatant]:
    """The combatant of a unit, or all combatants of a group, which has a line of its own above theirs."""
    if text(unit, "type") != GROUP:
        yield _combatant(unit, shown)
        return
    shown.skip_group(text(unit, "name"))
    for fields in objects(unit, "combatants"):
        yield _combatant(fields, shown)


class _Shown:
    """The list that the table sees, read from top to bottom in the order of ``data``.

    A name may begin a longer one, and a group may have the name of a combatant: lines that were read are not read
    again, and a name is followed by its numbers, notes in brackets or the end of the line.
    """

    def __init__(self, listing: str) -> None:
        self._lines = [line for line in listing.splitlines() if re.match(LEAD, line)]

    def skip_group(self, name: str) -> None:
        """Skip the line of a group: a name and nothing behind it."""
        pattern = re.compile(f"{LEAD}{re.escape(name)}(?:`+)?$")
        self._lines = next(
            (self._lines[place + 1 :] for place, line in enumerate(self._lines) if pattern.match(line)), self._lines
        )

    def numbers(self, name: str) -> tuple[int | None, int | None, int, int]:
        """Hit points, maximum, temporary hit points and armour class of the next of this name; None or 0 if not shown."""
        lead = re.compile(LEAD + re.escape(name))
        for place, line in enumerate(self._lines):
            begins = lead.match(line)
            found = NUMBERS.match(line, begins.end()) if begins else None
            if found is not None and line[found.end() :].lstrip()[:1] in ("", "(", "`"):
                del self._lines[: place + 1]
                armour = LISTED_ARMOUR.search(line, found.end())
                shown = _number(armour["armour"]) if armour is not None else 0
                return _number(found["hp"]), _number(found["max"]), _number(found["temp"]) or 0, shown or 0
        return None, None, 0, 0


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _combatant(fields: Fields, shown: _Shown) -> Combatant:
    name, saves = text(fields, "name"), _inside(fields, "saves")
    hp, max_hp, temp_hp, listed = shown.numbers(name)
    if fields.get("hp") is not None:
        # The data leave out the effects' bonus to the maximum; the list has it.
        hp, max_hp, temp_hp = whole(fields, "hp"), max_hp or whole(fields, "max_hp", 0), whole(fields, "temp_hp", 0)
    return Combatant(
        key=text(fields, "id"),
        name=name,
        kind=KINDS.get(text(fields, "type"), CharacterKind.THING),
        controller=str(identifier(fields, "controller_id")),
        initiative=whole(fields, "init", 0),
        hp=hp,
        max_hp=max_hp or None,
        temp_hp=temp_hp,
        effects=tuple(_effect(effect) for effect in objects(fields, "effects", optional=True)),
        armour=_plain(fields.get("ac")) or listed,
        saves={key[:3]: _plain(_inside(saves, key).get("value")) for key in saves if key[:3] in ABILITIES},
        stances=dict(_stances(_inside(fields, "resistances"))),
    )


ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
STANCES = {"vuln": "vulnerability", "resist": "resistance", "immune": "immunity"}


def _stances(fields: Fields) -> Iterator[tuple[str, str]]:
    """The kinds of damage that are resisted and the like, without those that depend on more; critical hits are a kind."""
    for key, how in STANCES.items():
        listed = fields.get(key)
        for each in listed if isinstance(listed, list) else ():
            kind = each.get("dtype") if isinstance(each, dict) else None
            only = each.get("only") if isinstance(each, dict) else None
            if kind == "hits" and only == ["critical"]:
                yield "critical hits", how
            elif isinstance(kind, str) and not only and not each.get("unless"):
                yield kind, how


def _inside(fields: Fields, key: str) -> Fields:
    found = fields.get(key)
    return found if isinstance(found, dict) else {}


def _plain(found: object) -> int:
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def _effect(fields: Fields) -> RecordedEffect:
    parent = fields.get("parent")
    origin = text(parent, "combatant_id", "") if isinstance(parent, dict) else ""
    passive = fields.get("effects")
    passive = passive if isinstance(passive, dict) else {}
    return RecordedEffect(
        text(fields, "name"),
        text(fields, "desc", ""),
        origin,
        max_hp=_passive(passive, "max_hp_value"),
        max_hp_bonus=_passive(passive, "max_hp_bonus"),
    )


def _passive(passive: Fields, key: str) -> int:
    """The bonus of an effect while it lasts: a number, or one written as text."""
    found = passive.get(key)
    if isinstance(found, str) and re.fullmatch(r"[+-]?[0-9]{1,9}", found):
        return int(found)
    return whole(passive, key, 0)
