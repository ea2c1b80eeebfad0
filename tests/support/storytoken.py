"""Steps that the storytoken tests repeat: characters of one heritage or role, harm, conditions, time."""

from __future__ import annotations

from typing import Any

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Afflict
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter
from rollbook.testing.scenarios import Scenario, with_dice


def born(heritage: str, **more: Any) -> Join:
    """A character of this heritage, called after it, with 20 hit points."""
    given = {"name": heritage.title(), "id": heritage, "kind": "npc", "heritage": heritage, "hp": 20}
    return Join(**{**given, **more})


def expert(*roles: str, level: int = 4, **more: Any) -> Join:
    """A character with these roles and 30 hit points, called Expert."""
    given = {"name": "Expert", "id": "expert", "kind": "npc", "level": level, "roles": roles, "hp": 30}
    return Join(**{**given, **more})


def wait(amount: int, unit: str, *, rest: bool = False) -> PassTime:
    """Time passes."""
    return PassTime(amount=amount, unit=unit, rest=rest)


def harm(who: str, amount: int, *tags: str) -> Harm:
    """Damage without an attack."""
    return Harm(who=who, amount=str(amount), tags=tags)


def afflict(who: str, condition: str, **more: Any) -> Afflict:
    """A condition begins."""
    return Afflict(who=who, condition=condition, **more)


def hp(game: Scenario, who: str) -> int:
    """The hit points on the sheet."""
    return game.sheet(who).amount("hp")


def health(game: Scenario, who: str) -> str:
    """The state of health on the sheet."""
    return dict(game.sheet(who).words)["Status"]


def dice_of(played: Scenario) -> tuple[int, ...]:
    """Number of d20s that each roll took."""
    return tuple(len(roll.dice) for roll in played.events(events.DiceRolled))


def fight(game: Scenario, *dice: int, participants: tuple[str, ...] = ("marian", "guard")) -> Scenario:
    """Marian's turn, before a guard's, unless other dice are given."""
    return game.given(with_dice(BeginEncounter(participants=participants), *(dice or (15, 3))))
