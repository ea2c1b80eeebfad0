"""The sheet and the lines that most games have: hit points, level, experience, conditions, gear, open choices."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import attrs

from rollbook.plugin import Character, Sheet, Term, Value

__all__ = [
    "at_least",
    "conditions",
    "experience",
    "gear",
    "hit_points",
    "level",
    "open_choices",
    "said",
    "sheet",
    "unnamed_then_named",
    "with_detail",
]

DEAD = "dead"
PACES = ("speed", "run", "hard_going", "movement", "turn_feet")
"""The values for a character's speed."""


class HasItem(Protocol):
    """Something to strike with; ``item`` is what it is called."""

    @property
    def item(self) -> str: ...


_Weapon = TypeVar("_Weapon", bound=HasItem)


def at_least(terms: Iterable[Term], least: int, rule: str) -> tuple[Term, ...]:
    """The summands, with another one where they come to less than the ``least`` that this ``rule`` allows."""
    found = tuple(terms)
    missing = least - sum(term.amount for term in found)
    return (*found, Term(missing, f"at least {least}", rule)) if missing > 0 else found


def sheet(who: Character, title: str, values: Iterable[Value], words: Iterable[tuple[str, str]]) -> Sheet:
    """The sheet of a character: numbers, and lines of words, without those that say nothing. The dead have no speed (QG.9)."""
    numbers = tuple(values)
    if who.has(DEAD):
        numbers = tuple(_standing_still(value) if value.key in PACES else value for value in numbers)
    return Sheet(character=who.id, name=who.name, title=title, values=numbers, words=said(words))


def said(lines: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The lines that are not empty."""
    return tuple((label, words) for label, words in lines if words)


def _standing_still(pace: Value) -> Value:
    dead = Term(-pace.amount, DEAD, "QG.9", f"condition.{DEAD}")
    return attrs.evolve(pace, amount=0, shown="0", terms=(*pace.terms, dead))


def hit_points(who: Character, most: int, *, rules: tuple[str, str], path: str = "", group: str) -> Value:
    """Hit points left, as ``7 of 12``; ``rules`` are those of the maximum, which was read from ``path``, and of the loss."""
    left = most - who.lost
    terms = (Term(most, "maximum", rules[0], path), Term(-who.lost, "lost", rules[1], "lost"))
    return Value("hp", "Hit points", left, f"{left} of {most}", terms, group)


def level(who: Character, *, rule: str, group: str) -> Value:
    """The level, as it was gained."""
    return Value("level", "Level", who.level, terms=(Term(who.level, "levels gained", rule, "level"),), group=group)


def unnamed_then_named(weapons: Sequence[_Weapon]) -> Iterator[tuple[str, str, _Weapon]]:
    """A character's weapons, for the sheet: the first without a name, then all of them, each under its own.

    Each comes with its suffix for a key (``:longbow``) and for a label (`` with longbow``).
    """
    yield "", "", weapons[0]
    yield from ((f":{weapon.item}", f" with {weapon.item}", weapon) for weapon in weapons)


def experience(who: Character, *, rule: str = "", group: str) -> Value:
    """Points of experience."""
    terms = (Term(who.experience, "awards", rule, "experience"),)
    return Value("xp", "Experience", who.experience, f"{who.experience:,}", terms, group)


def conditions(who: Character) -> Iterator[tuple[str, str]]:
    """The conditions of a character, each with its detail in brackets; no line for none."""
    if who.conditions:
        yield "Conditions", ", ".join(with_detail(each.name, each.detail) for each in who.conditions.values())


def with_detail(name: str, detail: str) -> str:
    """``wounded (a broken arm)``, or just ``wounded``; a name that says it already stays as it is."""
    return f"{name} ({detail})" if detail and f"({detail})" not in name else name


def gear(who: Character, *, except_for: Container[str] = ()) -> Iterator[tuple[str, str]]:
    """The things that a character carries and their counts, ``except_for`` those on another line; no line for none."""
    things = ((item, held.count) for item, held in who.gear.items() if held.count > 0 and item not in except_for)
    yield from said([("Gear", ", ".join(f"{item} x {count}" if count > 1 else item for item, count in things))])


def open_choices(who: Character) -> Iterator[tuple[str, str]]:
    """The names of the choices that are still open; no line for none."""
    if who.choices:
        yield "Open choices", ", ".join(who.choices)
