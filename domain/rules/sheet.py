"""Sheets: values with the terms that they are the sum of, and the sheet of a game without rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record, quickly_made

if TYPE_CHECKING:
    from rollbook.domain.state.campaign_state import CampaignState, Character


@quickly_made
@attrs.frozen
class Term(Record):
    """One summand of a value: ``rule`` is the rule's number, ``path`` the part of the character it was read from.

    A path is ``stat.dex``, ``trait.fighting``, ``gear.longbow``, ``condition.cursed``, ``level``, ``lost`` …: enough to
    find the events that made it what it is.
    """

    amount: int
    label: str
    rule: str = ""
    path: str = ""


@attrs.frozen
class Value(Record):
    """One line of a sheet. ``amount`` is the number, ``shown`` how it is written; ``terms`` add up to the number."""

    key: str
    label: str
    amount: int
    shown: str = ""
    terms: tuple[Term, ...] = ()
    group: str = ""

    def __str__(self) -> str:
        return self.shown or str(self.amount)


@attrs.frozen(kw_only=True)
class Sheet(Record):
    """A character as a ruleset reads it. ``words`` are the lines that are not numbers (heritage, gear, …)."""

    character: CharacterId
    name: str
    title: str = ""
    values: tuple[Value, ...] = ()
    words: tuple[tuple[str, str], ...] = ()

    def value(self, key: str) -> Value | None:
        """The value of that key or label, whatever the case and spelling of blanks."""
        wanted = plain(key)
        return next((value for value in self.values if wanted in (plain(value.key), plain(value.label))), None)

    def amount(self, key: str) -> int:
        """The number under a key, 0 if the sheet has none."""
        found = self.value(key)
        return found.amount if found else 0


OVERVIEW = ("hp", "ac", "xp", "Status", "Conditions")
"""The values that a table of the whole party shows of a sheet, unless its game says otherwise."""


def checked_sheet(sheet: object) -> Sheet:
    """The sheet that a ruleset gave. Raises TypeError if it is none."""
    if not isinstance(sheet, Sheet):
        raise TypeError(f"{type(sheet).__name__} is not a Sheet")
    return sheet


@lru_cache(1_024)
def plain(text: str) -> str:
    """A name as it is compared: lower case, letters and digits only."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def summed(key: str, label: str, terms: tuple[Term, ...], *, group: str = "", signed: bool = False) -> Value:
    """A value that is the sum of its terms; ``signed`` writes +3 instead of 3."""
    amount = sum(term.amount for term in terms)
    return Value(key, label, amount, f"{amount:+d}" if signed else "", terms, group)


MAX_HP = "max_hp"


def plain_sheet(who: Character, campaign: CampaignState) -> Sheet:
    """Everything that is on record of a character, in the state's own words."""
    return Sheet(
        character=who.id, name=who.name, title=who.kind, values=tuple(_values(who)), words=tuple(_words(who, campaign))
    )


def _values(who: Character) -> Iterator[Value]:
    if who.level:
        yield Value("level", "Level", who.level, terms=(Term(who.level, "levels gained", path="level"),))
    if MAX_HP in who.stats:
        most = who.stats[MAX_HP]
        terms = (Term(most, "maximum", path=f"stat.{MAX_HP}"), Term(-who.lost, "lost", path="lost"))
        yield Value("hp", "Hit points", most - who.lost, f"{most - who.lost} of {most}", terms)
    elif who.lost:
        yield Value("lost", "Hit points lost", who.lost, terms=(Term(who.lost, "lost", path="lost"),))
    if who.experience:
        yield Value("xp", "Experience", who.experience, terms=(Term(who.experience, "awards", path="experience"),))
    for stat, amount in who.stats.items():
        if stat != MAX_HP:
            yield Value(stat, stat, amount, terms=(Term(amount, stat, path=f"stat.{stat}"),))
    for pool, amount in who.pools.items():
        yield Value(f"pool:{pool}", pool, amount, terms=(Term(amount, pool, path=f"pool.{pool}"),))


def _words(who: Character, campaign: CampaignState) -> Iterator[tuple[str, str]]:
    if who.conditions:
        yield "Conditions", ", ".join(who.conditions)
    if who.traits:
        yield "Traits", ", ".join(who.traits)
    held = [f"{item} x {gear.count}" if gear.count > 1 else item for item, gear in who.gear.items() if gear.count > 0]
    if held:
        yield "Gear", ", ".join(held)
    if who.seat:
        yield "Played by", who.seat
    if not who.present:
        yield "Status", "out of play"
    if campaign.encounter is not None and campaign.encounter.current == who.id:
        yield "Turn", "now"
