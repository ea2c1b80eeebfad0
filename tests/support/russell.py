"""The party of the russell journey tests."""

from __future__ import annotations

from rollbook.domain.actions.notes import WriteNote
from rollbook.domain.dice.supply import PhysicalDice
from rollbook.domain.rules.action import intent_of
from rollbook.plugin import CharacterKind, Table, events
from rollbook.rulesets.russell import RULESET
from rollbook.rulesets.russell.delve.light import shade
from rollbook.testing.scenarios import Scenario, scenario
from tests.support.gear import typed_use

MINUTE, HOUR, DAY = 60, 3_600, 86_400
TURN = 10 * MINUTE


def joined_with_stats(
    name: str, kind: CharacterKind = CharacterKind.PLAYER_CHARACTER, level: int = 1, **stats: int
) -> tuple[events.Event, ...]:
    """A character with these numbers, and 12 hit points unless the numbers say otherwise."""
    joined = events.CharacterJoined(character=name, name=name.capitalize(), kind=kind)
    numbers = {"max_hp": 12, **stats}
    rise = (events.LevelGained(character=name, levels=level),) if level else ()
    return (
        joined,
        *rise,
        *(events.StatChanged(character=name, stat=stat, amount=amount) for stat, amount in numbers.items()),
    )


def has_gear(name: str, item: str, count: int = 1, use: str = "") -> events.Event:
    """Give a character things."""
    return events.GearGained(character=name, item=item, count=count, use=typed_use(use))


def damage_taken(name: str, amount: int) -> events.Event:
    """Take hit points from a character."""
    return events.DamageTaken(character=name, amount=amount, dealt=amount)


def tired_pips(name: str, pips: int) -> events.Event:
    """Give a character Tired pips."""
    return events.PoolGained(holder=name, pool="tired", amount=pips)


def in_condition(name: str, condition: str, **more: str | int) -> events.Event:
    """Put a character into a condition."""
    return events.ConditionBegan(character=name, condition=condition, **more)


def party(**settings: bool | int | str) -> Scenario:
    """A campaign of four: Ida (Cha 16) and Bram (Str 9), the hireling Wat, and a goblin of one hit die."""
    return scenario(RULESET, **settings).given(
        joined_with_stats("ida", cha=16),
        joined_with_stats("bram", str=9, level=3),
        joined_with_stats("wat", CharacterKind.HIRELING),
        joined_with_stats("goblin", CharacterKind.MONSTER, level=0, hit_dice=1, morale=7, armour_class=6),
    )


def table_after_scenario(game: Scenario, *dice: int) -> Table:
    """A table at which the scenario's people sit and nothing has happened yet; these dice would fall there."""
    action = WriteNote(text="")
    return Table(game.after, action=action, intent=intent_of(action), dice=PhysicalDice(dice), ruleset=game.ruleset)


def stands(game: Scenario, *names: str) -> list[str]:
    """The shades in which characters stand."""
    return [shade(game.after.characters[name]) for name in names]
