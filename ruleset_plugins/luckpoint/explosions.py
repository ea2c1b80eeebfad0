"""Explosions and rockets: everybody near saves, and one roll of damage goes for all (R1.30, R1.31, Q1.20)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import Action, Ease, Table, character, characters, check_once_each, choice, flag, names, words
from ruleset_plugins.luckpoint.luck import TaskRolls, before_rolling
from ruleset_plugins.luckpoint.saves import save_against
from ruleset_plugins.luckpoint.settings import HALF, house
from ruleset_plugins.luckpoint.skills import MANEUVERS
from ruleset_plugins.luckpoint.turns import take_action
from ruleset_plugins.luckpoint.weapons import CLASSES
from ruleset_plugins.luckpoint.wounds import hurt, least_damage

BLASTS = tuple(key for key, row in CLASSES.items() if row.is_blast)
EXPLOSION = "explosion"


@attrs.frozen(kw_only=True)
class Explode(Action):
    """Something blows up: everybody near it dodges with a Maneuvers save, for half of the damage (Q1.20)."""

    verb: ClassVar[str] = "explosion"

    targets: tuple[str, ...] = characters("everybody near it: within 3 m (10 ft) of two sticks of dynamite")
    kind: str = choice("dynamite and the like, or a rocket", BLASTS, default=EXPLOSION)
    attacker: str = character("who sets it off, if anybody: it is their action", default="", actor=True)
    name: str = words("what blows up", default="explosion")
    advantage: tuple[str, ...] = names("what makes dodging easier for everybody", default=())
    disadvantage: tuple[str, ...] = names("what makes dodging harder for everybody", default=())
    lucky: tuple[str, ...] = characters("who spends a luck point first, and is rid of that", default=())
    out_of_turn: bool = flag("the GM rules that it needs no turn")

    def resolve(self, table: Table) -> None:
        """The action, all saves, then one roll of damage."""
        self._check(table)
        if self.attacker:
            take_action(table, self.attacker, out_of_turn=self.out_of_turn)
        with TaskRolls(table) as rolls:
            saved = {name: self._dodges(table, rolls, name) for name in self.targets}
        if all(saved.values()) and house(table).explosion_on_success != HALF:
            return
        roller = self.attacker or table.seat or self.targets[0]
        total = table.roll(CLASSES[self.kind].dice, roller=roller, purpose="damage").total
        for name, made in saved.items():
            self._harm(table, name, total, saved=made)

    def _check(self, table: Table) -> None:
        if not self.targets:
            table.refuse("Nobody is near, so nothing comes of it. Name everybody within reach of the explosion.")
        check_once_each(table, self.targets)
        for name in self.lucky:
            if name not in self.targets:
                table.refuse(
                    f"{table.character(name).name} is not near the explosion. Name them among the targets too."
                )

    def _dodges(self, table: Table, rolls: TaskRolls, name: str) -> bool:
        who = table.character(name)
        ease = Ease(self.advantage, self.disadvantage)
        ease = before_rolling(table, who, ease, luck=name in self.lucky)
        goal = house(table).explosion_save
        return save_against(table, rolls, who, MANEUVERS, goal, ease=ease, check="Maneuvers save", against=self.name)

    def _harm(self, table: Table, name: str, total: int, *, saved: bool) -> None:
        """All of it, or what a save lets through, which may be nothing (QG.2)."""
        settings = house(table)
        if not saved:
            dealt = least_damage(settings, total)
        else:
            dealt = settings.half(total) if settings.explosion_on_success == HALF else 0
        if dealt:
            hurt(table, name, dealt, tags=(self.kind,), source=self.attacker or self.name)
