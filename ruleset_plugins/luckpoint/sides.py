"""Who stands with whom, and who speaks for a side when initiative is rolled (R1.14, R1.15, Q1.6, Q1.7)."""

from __future__ import annotations

from collections.abc import Sequence

from ruleset_plugins import Character, Kind, Ranked, Table, Term, check_among, conditions, events, number_terms
from ruleset_plugins.luckpoint.abilities import ability_term, modifier
from ruleset_plugins.luckpoint.skills import AWARENESS, rating, rating_terms
from ruleset_plugins.luckpoint.wounds import CRITICAL

PARTY, FOES = "party", "foes"
SIDE = "side"
"""The condition of those who fight on another side than their kind does; its detail names the side."""


def side_of(who: Character) -> str:
    """The side somebody fights on: player characters and hirelings are the party, all others its foes, unless it was said."""
    said = who.conditions.get(SIDE)
    if said is not None and said.detail:
        return said.detail
    return PARTY if who.kind in (Kind.PLAYER_CHARACTER, Kind.HIRELING) else FOES


def take_sides(table: Table, said: Sequence[str], participants: Sequence[str]) -> None:
    """Who fights on which side, as ``ida=party``. Refused for anything else, and for those who do not take part."""
    for text in said:
        name, _, side = (part.strip() for part in text.partition("="))
        if not name or not side:
            table.refuse(f"Who fights on which side is written name=side, as in ida=party, not {text!r}.")
        check_among(table, (name,), participants)
        if side_of(table.character(name)) != side:
            table.record(events.ConditionBegan(character=name, condition=SIDE, detail=side))


def initiative_terms(who: Character) -> list[Term]:
    """What is added to the d20 of initiative: the better of Dexterity and Awareness (R1.14)."""
    is_wary = rating(who, AWARENESS) > modifier(who, "dex")
    terms = rating_terms(who, AWARENESS) if is_wary else [ability_term(who, "dex")]
    return [*terms, *number_terms(who, "initiative")]


def initiative(who: Character) -> int:
    """The whole modifier of initiative."""
    return sum([term.amount for term in initiative_terms(who)])


def by_side(who: Sequence[Character]) -> dict[str, list[Character]]:
    """Everybody by side; within a side the quickest first, and those with critical wounds last."""
    sides: dict[str, list[Character]] = {}
    for each in who:
        sides.setdefault(side_of(each), []).append(each)
    return {
        side: sorted(members, key=lambda each: (each.has(CRITICAL), -initiative(each)))
        for side, members in sides.items()
    }


def in_order_of_sides(sides: dict[str, list[Character]], speakers: Sequence[Ranked]) -> list[Ranked]:
    """Everybody with the score of whoever rolled for their side, best side first."""
    return [(member, score) for speaker, score in speakers for member in sides[side_of(speaker)]]


def leave_sides(table: Table, names: Sequence[str]) -> None:
    """The fight is over, and so are its alliances."""
    conditions.end_for_all(table, names, SIDE)
