"""Fire: targets set alight by torches, and burning Round by Round (R3.69, R3.70, Q3.51)."""

from functools import partial

from rollbook.kit import conditions, require
from rollbook.plugin import Action, Character, Table, events, param
from rollbook.rulesets.russell.fight import hit_points, turns

ON_FIRE = "on fire"
"""The condition; its ``round`` is the one in which the fire was lit, so that it does no harm in that Round."""

FIRE = "fire"
A_ROUND = "1d6"


def set_alight(table: Table, name: str, *, source: str = "") -> None:
    """Set a character or thing on fire, from the next Round on."""
    lit = _round(table)
    shown = f"since Round {lit}" if lit else ""
    conditions.begin(table, name, ON_FIRE, source=source, detail=shown, data={"round": lit})


def _round(table: Table) -> int:
    return table.encounter.round if table.encounter is not None else 0


def scorch(table: Table, name: str, dice: str, *, source: str = "") -> int:
    """Fire does its damage. Returns how much was rolled: a 1 puts it out (R3.70)."""
    rolled = table.roll(dice, roller=name, purpose=FIRE).total
    hit_points.hurt(table, name, rolled, hit_points.Manner(source=source, tags=(FIRE,)))
    return rolled


def burn(table: Table, name: str) -> None:
    """End a Round for a burning character: 1d6, and a 1 is the end of the fire (R3.70)."""
    who = table.character(name)
    fire = who.conditions.get(ON_FIRE)
    lit = conditions.number(fire, "round")
    if fire is None or who.has(conditions.DEAD) or (lit and lit == _round(table)):
        return
    if scorch(table, name, A_ROUND, source=fire.source) <= 1:
        conditions.end(table, name, ON_FIRE)


class Smother(Action, verb="smother"):
    """Put out the fire on oneself or a friend, which takes the action (R3.70)."""

    sentence = "smothers the fire on {burning}"

    who: str = param.character("who puts it out", actor=True)
    burning: str = param.character("who burns")
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        require.any_of(table.everybody(), partial(cls._check, table))
        turns.take_action(table, who)

    def resolve(self, table: Table) -> None:
        target = table.character(self.burning)
        self._check(table, target)
        turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        table.record(events.ConditionEnded(character=target.id, condition=ON_FIRE))

    @staticmethod
    def _check(table: Table, target: Character) -> None:
        if not target.has(ON_FIRE):
            table.refuse(f"{target.name} is not on fire.", "burning")
