"""A character's numbers in a Foundry actor: hit points, abilities, level and experience, whatever the game system.

Every system keeps its numbers in places of its own; those are tried in turn, and numbers in none of them are left out.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256

import attrs

from rollbook.adapters.imports.foundry.values import Fields, each, fields, inside, name, whole
from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.events import CharacterKind, Event
from rollbook.domain.state.campaign_state import Character

PLAYER_TYPES = frozenset(
    ("adventurer", "agent", "character", "hero", "investigator", "pc", "player", "playercharacter", "player character")
)
THINGS = frozenset(("container", "hazard", "loot", "merchant", "party", "group", "vehicle"))
_HIT_POINTS = (
    ("attributes", "hp"), ("attributes", "hitPoints"), ("attributes", "health"), ("hp",), ("hitPoints",), ("hit_points",),
    ("health",), ("attribs", "hp"), ("status", "wounds"), ("resources", "hp"),
)  # fmt: skip
_ABILITIES = ("abilities", "characteristics", "ability", "stats", "attributes")
_WORTH = (("value",), ("total",), ("score",), ("mod",), ("current",), ("base",), ("die", "sides"))
_NO_ABILITY = frozenset(
    ("ac", "hp", "init", "initiative", "movement", "perception", "senses", "speed", "spellcasting", "spelldc")
)
_LEVELS = (
    ("details", "level", "value"), ("details", "level"), ("level", "value"), ("level",), ("advancement", "level"),
)  # fmt: skip
_EXPERIENCE = (
    ("details", "xp", "value"), ("details", "xp"), ("details", "experience", "total"), ("details", "experience", "value"),
    ("xp", "value"), ("xp",), ("experience", "value"), ("experience",),
)  # fmt: skip
_ARMOUR = (("attributes", "ac", "value"), ("attributes", "ac", "flat"), ("ac", "value"))
_MOST_ABILITIES = 20
REASON = "as the world has it"


@attrs.frozen
class ActorNumbers(Record):
    """The numbers of an actor; ``stats`` by name, as a sheet has them. Missing numbers are 0."""

    stats: Mapping[str, int]
    lost: int = 0
    level: int = 0
    experience: int = 0

    @property
    def digest(self) -> str:
        """A digest that distinguishes these numbers from others."""
        said = repr((sorted(self.stats.items()), self.lost, self.level, self.experience))
        return sha256(said.encode()).hexdigest()[:12]


def sheet_changes(who: CharacterId, numbers: ActorNumbers, before: Character | None) -> Iterator[Event]:
    """Events that give a character's sheet, as it was ``before``, these numbers; others stay."""
    stats = before.stats if before is not None else {}
    for stat, amount in numbers.stats.items():
        if change := amount - stats.get(stat, 0):
            yield events.StatChanged(character=who, stat=stat, amount=change, reason=REASON)
    if lost := numbers.lost - (before.lost if before is not None else 0):
        yield events.HitPointsCorrected(character=who, amount=-lost, reason=REASON)
    if levels := numbers.level - (before.level if before is not None else 0):
        yield events.LevelGained(character=who, levels=levels)
    if earned := numbers.experience - (before.experience if before is not None else 0):
        yield events.ExperienceAwarded(character=who, amount=earned, reason=REASON)


def system_of(actor: Fields) -> Fields:
    """The game system's own part of an actor: ``system`` since version 10, ``data`` before."""
    return fields(actor.get("system")) or fields(actor.get("data"))


def kind_of(actor: Fields) -> CharacterKind:
    """The kind of character of an actor, by its type."""
    said = str(actor.get("type", "")).casefold()
    if said in PLAYER_TYPES:
        return CharacterKind.PLAYER_CHARACTER
    return CharacterKind.THING if said in THINGS else CharacterKind.NPC


def numbers_of(actor: Fields) -> ActorNumbers:
    """The numbers that an actor's document has."""
    system = system_of(actor)
    now, most = _hit_points(system)
    stats = {"max_hp": most} if most else {}
    for stat, amount in _abilities(system):
        stats.setdefault(stat, amount)
    if armour := _whole_at(system, _ARMOUR):
        stats.setdefault("ac", armour)
    is_player = kind_of(actor) is CharacterKind.PLAYER_CHARACTER
    return ActorNumbers(
        stats=stats,
        lost=most - now if most and now is not None else 0,
        level=_first(system, _LEVELS) or sum(_class_levels(actor)),
        experience=_first(system, _EXPERIENCE) if is_player else 0,
    )


def _hit_points(system: Fields) -> tuple[int | None, int]:
    """Hit points now and their maximum; None and 0 if they are not given."""
    for path in _HIT_POINTS:
        found = inside(system, *path)
        if isinstance(found, dict):
            most, now = whole(found.get("max")), whole(found.get("value"))
            if most is not None or now is not None:
                return now, max(most if most is not None else now or 0, 0)
    return None, 0


def _abilities(system: Fields) -> Iterator[tuple[str, int]]:
    for group in _ABILITIES:
        held = fields(system.get(group))
        found = [
            (stat, amount)
            for key, value in held.items()
            if (stat := _stat(key)) and (amount := _worth(value)) is not None
        ]
        if found:
            yield from found[:_MOST_ABILITIES]
            return


def _worth(value: object) -> int | None:
    return _whole_at(value, _WORTH) if isinstance(value, dict) else whole(value)


def _whole_at(value: object, paths: tuple[tuple[str, ...], ...]) -> int | None:
    """The first whole number at one of these places."""
    return next((found for path in paths if (found := whole(inside(value, *path))) is not None), None)


def _stat(key: object) -> str:
    """A name as a sheet has it: small letters, digits, underscores; "" if it is no ability's."""
    said = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(key)).casefold()).strip("_")[:30]
    return "" if said in _NO_ABILITY or not said[:1].isalpha() else said


def _first(system: Fields, paths: tuple[tuple[str, ...], ...]) -> int:
    found = (whole(inside(system, *path)) for path in paths)
    return next((amount for amount in found if amount is not None and amount > 0), 0)


def _class_levels(actor: Fields) -> Iterator[int]:
    for item in map(fields, each(actor.get("items"))):
        if item.get("type") == "class":
            yield max(whole(inside(fields(item.get("system")) or fields(item.get("data")), "levels")) or 0, 0)


def item_name(actor: Fields, id_: str) -> str:
    """The name of an actor's item; "" if it is no longer there."""
    items = (fields(item) for item in each(actor.get("items")))
    return next((name(item.get("name")) for item in items if id_ and item.get("_id") == id_), "")
