"""Harm without an attack, and what mends it: hazards, falls and fire, medicine and repair (R0.21, R0.55, R0.62)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    ABILITIES,
    Action,
    Character,
    Ease,
    Kind,
    Table,
    Term,
    character,
    check_hurt,
    choice,
    choices,
    dice,
    flag,
    living,
    names,
    number,
    roll_damage,
    roll_healing,
    words,
    written,
)
from ruleset_plugins.storytoken.checks import save_resolved
from ruleset_plugins.storytoken.conditions import EMBODIED, SITUATIONAL, SPARED, heals, is_magic_proof
from ruleset_plugins.storytoken.hit_points import max_hp
from ruleset_plugins.storytoken.injury import BLOOD, hurt, restore
from ruleset_plugins.storytoken.roles import TOPICS, check_power, role_terms
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.situations import task_terms
from ruleset_plugins.storytoken.spirit_body import BODY, check_touches
from ruleset_plugins.storytoken.task_rolls import TaskRolls
from ruleset_plugins.storytoken.thirst import check_drinks, check_not_thirst_alone, feed
from ruleset_plugins.storytoken.turns import take_action

CARE, MAGIC = "care", "magic"
"""What heals: hands and tools, or a spell, which the blighted and the warded get nothing from (R0.66, R0.87).

A vampire is healed by blood, too (R0.157).
"""


@attrs.frozen(kw_only=True)
class Hazard(Action):
    """Save against a hazard of a level: half the level in damage if it is made, twice the level if not (R0.21)."""

    verb: ClassVar[str] = "hazard"

    who: str = character("whom it threatens", actor=True)
    level: int = number("the hazard's level", minimum=1, maximum=1_000)
    ability: str = choice("the ability that saves from it (Q0.6)", ABILITIES)
    name: str = words("what it is", default="hazard")
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 braced'", default=())
    spared: tuple[str, ...] = choices(f"conditions that have no bearing now: {SPARED}", SITUATIONAL, default=())
    topic: str = choice("what the save is about, for the bonus of a role", TOPICS, default="")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, acid, poison …", default=())

    def resolve(self, table: Table) -> None:
        """The save costs neither action nor movement (R0.47)."""
        who = living(table, self.who)
        with TaskRolls(table) as rolls:
            roll = rolls.task(
                who,
                self.ability,
                kinds=("save",),
                purpose="saving throw",
                terms=task_terms(table, who, self.topic, self.bonus),
                ease=Ease(self.advantage, self.disadvantage),
                spared=self.spared,
            )
            saved = save_resolved(table, self.ability, roll, self.level, against=self.name)
            dealt = house(table).half(self.level) if saved else 2 * self.level
            if dealt:
                hurt(table, who.id, dealt, tags=self.tags, source=self.name, rolls=rolls)


@attrs.frozen(kw_only=True)
class Harm(Action):
    """Somebody is hurt without an attack: a fall, sunlight, a trap."""

    verb: ClassVar[str] = "harm"
    gm_only: ClassVar[bool] = True

    who: str = character("who is hurt")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")
    tags: tuple[str, ...] = names("what sort of damage it is: fire, sunlight, holy …", default=())

    def resolve(self, table: Table) -> None:
        """The dice, and the damage."""
        who = living(table, self.who)
        dealt = roll_damage(table, who, self.amount)
        with TaskRolls(table) as rolls:
            if dealt:
                hurt(table, who.id, dealt, tags=self.tags, source=self.source, rolls=rolls)


@attrs.frozen(kw_only=True)
class Heal(Action):
    """Medicine, technology or magic gives hit points back; for things it is repair (R0.55, R0.56)."""

    verb: ClassVar[str] = "heal"
    gm_only: ClassVar[bool] = True

    who: str = character("who is healed")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")
    by: str = choice("what sort of healing it is", (CARE, MAGIC, BLOOD), default=CARE)
    healer: str = character("who gives it, for what Medical and Technology add", default="")
    pressure: bool = flag("in a critical moment: mid-fight, or under other extreme pressure (Medical)")
    out_of_turn: bool = flag("the GM rules that the healer needs no turn for it")

    def resolve(self, table: Table) -> None:
        """Up to the maximum; below 0 it is added like anywhere else (Q0.75)."""
        who = living(table, self.who)
        self._check(table, who)
        healed = roll_healing(table, who, written(self.amount, self._skill(table, who)))
        if self.by == BLOOD:
            feed(table, who, healed, source=self.source or self.healer)
            return
        restore(table, who.id, healed, tags=(self.by,), source=self.source or self.healer)

    def _check(self, table: Table, who: Character) -> None:
        """Refuse what would heal nothing."""
        if not who.has(EMBODIED) or who.pools.get(BODY, 0) >= max_hp(who, house(table)):
            check_hurt(table, who)
        if self.by == BLOOD:
            check_drinks(table, who)
        else:
            check_not_thirst_alone(table, who)
        if self.by == MAGIC:
            check_magic_heals(table, who)

    def _skill(self, table: Table, who: Character) -> list[Term]:
        """What a physician adds under pressure, and a mechanic to repairs (R0.168, R0.173)."""
        if self.pressure and not self.healer:
            table.refuse("Say with --healer who heals under pressure.")
        if not self.healer:
            return []
        healer = take_action(table, self.healer, out_of_turn=self.out_of_turn)
        check_touches(table, healer, " and nobody")
        if self.pressure:
            check_power(table, healer, "pressure_healing", house(table))
        what = "repair" if who.kind is Kind.THING else "pressure_healing" if self.pressure else ""
        return role_terms(healer, what, house(table))


def check_magic_heals(table: Table, who: Character) -> None:
    """Refuse magic for those whom it cannot heal (R0.66, R0.87)."""
    if not heals(who):
        table.refuse(f"{who.name} is blighted: magic heals nothing until that is lifted. Care by hand still does.")
    if is_magic_proof(who):
        table.refuse(f"{who.name} is warded: magic does nothing to {who.name}.")
