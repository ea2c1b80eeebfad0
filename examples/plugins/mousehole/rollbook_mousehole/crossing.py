"""Mice in other games, and others in the kitchen: what a mouse has crosses, and everything else waits for the way back."""

from __future__ import annotations

from rollbook.kit import conditions
from rollbook.plugin import CampaignState, Character, Crossing, Passport, Table, events

TRAITS = {"nimble": "dex", "bold": "str", "clever": "int"}
"""The three traits of a mouse, and the abilities that other games know them by."""

AVERAGE, CRUMBS = 2, 3
CRUMB, CAUGHT = "crumb", "under the paw"
MAX_HP, USUAL_HP = "max_hp", 4
CONDITIONS = {"helpless": CAUGHT, "dead": conditions.DEAD}


def describe(who: Character, campaign: CampaignState) -> Passport:  # noqa: ARG001 - every game is asked in the same way
    """What a mouse is elsewhere: small, quick, and seldom in armour."""
    modifiers = {ability: who.stats.get(trait, AVERAGE) - AVERAGE for trait, ability in TRAITS.items()}
    return Passport(
        max_hp=who.stats.get(MAX_HP, USUAL_HP),
        modifiers=modifiers,
        armour_class=10 + modifiers["dex"],
        attack=modifiers["str"],
        luck=who.pools.get(CRUMB, 0),
        conditions=tuple(meaning for meaning, own in CONDITIONS.items() if who.has(own)),
    )


def arrive(table: Table, name: str, passport: Passport) -> None:
    """Nobody has hit points in the kitchen; they are remembered for the way back."""
    table.record(events.StatChanged(character=name, stat=MAX_HP, amount=passport.max_hp))


def set_modifier(table: Table, name: str, ability: str, modifier: int) -> None:
    """A trait is two more than the modifier that other games know."""
    trait = next((trait for trait, known in TRAITS.items() if known == ability), "")
    if trait:
        change = modifier + AVERAGE - table.character(name).stats.get(trait, 0)
        table.record(events.StatChanged(character=name, stat=trait, amount=change))


CROSSING = Crossing(
    describe=describe,
    arrive=arrive,
    set_modifier=set_modifier,
    luck=CRUMB,
    luck_cap=lambda who, campaign: CRUMBS,  # noqa: ARG005 - a cap takes what all caps take
    conditions=CONDITIONS,
)
