"""A character's equipment and its use: armour, shield, weapon."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Protocol, TypeVar

import attrs

from rollbook.domain.rules.spelling import folded
from rollbook.domain.state.lookup import gear_called
from rollbook.kit import data, stat_entry
from rollbook.plugin import CampaignState, Character, Record, Refused, Role, Table, Term, events

__all__ = [
    "ARMOUR",
    "ARMOUR_CLASS",
    "SHIELD",
    "WEAPON",
    "Armour",
    "Arms",
    "PrintedItem",
    "Use",
    "armour_terms",
    "best_armour",
    "called",
    "carried",
    "give",
    "outfit",
    "read_all",
    "read_one",
    "shield_of",
    "used_as",
    "worn",
    "worn_term",
]

ARMOUR, SHIELD, WEAPON = "armour", "shield", "weapon"
"""The sorts of use that most games know."""


@attrs.frozen(kw_only=True)
class PrintedItem(Record):
    """A thing on a printed sheet; ``use`` is what the rules take it for."""

    item: str
    use: tuple[str, ...] = ()


class Named(Protocol):
    """A row of a table of things; ``name`` is what they are called."""

    @property
    def name(self) -> str: ...


_Row = TypeVar("_Row")
_Thing = TypeVar("_Thing")


Use = tuple[str, ...]
"""The use of a thing: its sort, then which of that sort, and more words."""


def carried(who: Character) -> Iterator[tuple[str, Use]]:
    """The things of a character, in the order in which they came: each with its name and its use."""
    return ((item, held.use) for item, held in who.gear.items() if held.count > 0)


def used_as(who: Character, sort: str) -> Iterator[tuple[str, Use]]:
    """The things of one sort: each with its name, and the words of its use after the sort."""
    for item, held in who.gear.items():
        if held.use and held.use[0] == sort and held.count > 0:
            yield item, held.use[1:]


def best_armour(who: Character, rows: Mapping[str, _Row], worth: Callable[[_Row], int]) -> tuple[str, _Row]:
    """A character's armour of the most ``worth``, by its key in ``rows``: its name and its row.

    Armour that is worth no more than the row "none" is not worn.
    """
    best = ("", rows["none"])
    for item, words in used_as(who, ARMOUR):
        if len(words) == 1 and words[0] in rows and worth(rows[words[0]]) > worth(best[1]):
            best = (item, rows[words[0]])
    return best


@lru_cache(maxsize=256)
def worn_term(item: str, name: str, amount: int, rule: str) -> Term:
    """A worn thing as a summand of an armour class; ``name`` is that of its row, if nothing is worn."""
    return Term(amount, item or name, rule, f"gear.{item}" if item else "")


class Armour(data.Row):
    """A row of an armour table; Dexterity counts in armour that ``adds_dex``."""

    name: str
    armour_class: int
    adds_dex: bool
    rule: str


ARMOUR_CLASS = "armour_class"
"""The stat of those whose armour class is entered as a number, shield and cover apart."""

_Armour = TypeVar("_Armour", bound=Armour)


def worn(who: Character, rows: Mapping[str, _Armour]) -> tuple[str, _Armour]:
    """The name and the row of the best armour; the name is "" without any."""
    return best_armour(who, rows, lambda armour: armour.armour_class)


def armour_terms(who: Character, rows: Mapping[str, Armour], dexterity: Term, *, rule: str) -> list[Term]:
    """An armour class as it was entered, by this ``rule``; or what is worn, with Dexterity where it counts."""
    entered = stat_entry.terms(who, ARMOUR_CLASS, rule=rule)
    if entered:
        return list(entered)
    item, armour = worn(who, rows)
    term = worn_term(item, armour.name, armour.armour_class, armour.rule)
    return [term, dexterity] if armour.adds_dex else [term]


def shield_of(who: Character) -> str:
    """The name of a character's first shield; "" without one."""
    return next((item for item, which in used_as(who, SHIELD) if not which), "")


def read_all(who: Character, read: Callable[[str, Use], _Thing | None]) -> list[_Thing]:
    """The results of ``read``, given a thing's name and use, for all of a character's things; None is left out."""
    return [thing for item, use in carried(who) if (thing := read(item, use)) is not None]


called = gear_called
"""The stored name of a character's thing, given in any case of letters (``rollbook.domain.state.lookup``)."""


def read_one(who: Character, name: str, read: Callable[[str, Use], _Thing | None]) -> _Thing | None:
    """The result of ``read`` for the thing of this name, in any case of letters; None without such a thing."""
    item = called(who, name)
    held = who.gear.get(item)
    return None if held is None or held.count < 1 else read(item, held.use)


def outfit(
    table: Table,
    name: str,
    *,
    armours: Mapping[str, Named],
    armour: str,
    weapons: Mapping[str, Named],
    weapon: str,
    shield: bool = False,
) -> None:
    """Give a newcomer armour, a shield and a weapon, by their keys in the tables; the armour "none" is nothing."""
    worn = armours[armour].name if armour != "none" else ""
    held = weapons[weapon].name if weapon else ""
    give(table, name, ((worn, (ARMOUR, armour)), (SHIELD if shield else "", (SHIELD,)), (held, (WEAPON, weapon))))


def give(table: Table, name: str, things: Iterable[tuple[str, Use]], *, count: int = 1) -> None:
    """Give a character each of these things, with its use; one called "" is left out.

    With a ``count`` of 0 nothing is gained, and the thing that the character has gets this use.
    """
    for item, use in things:
        if item:
            table.record(events.GearGained(character=name, item=item, count=count, use=use))


@attrs.frozen(kw_only=True)
class Arms(Record):
    """Weapons known to a game: those that a character ``holds``, those of the ``body``, and ``classes`` of weapons.

    A class stands for the weapon of a character whose sheet lists none; a weapon that must be held is no such class.
    """

    holds: Callable[[Character], Iterable[str]]
    body: Callable[[Character], Iterable[str]]
    classes: Iterable[str] = ()

    def check_taken(self, campaign: CampaignState, role: Role, attacker: str, weapon: str) -> None:
        """Raise Refused if a player strikes with a weapon that the attacker neither holds nor is born with."""
        who = campaign.characters.get(attacker)
        if who is None or role is Role.GM or not weapon:
            return
        held, body = tuple(self.holds(who)), tuple(self.body(who))
        if folded(weapon) in map(folded, (*held, *body, *(() if held else self.classes))):
            return
        what = ", ".join((*held, *body))
        raise Refused(
            f"{who.name} holds no {weapon}, but has: {what}. Whether there is another weapon the GM says: "
            f"give {who.id} ITEM --use {WEAPON}:…"
        )
