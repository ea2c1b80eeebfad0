"""The die roll of the game: 1d20 and one stat against a DC, with a level of success for an answer (R2.1–R2.5, R2.8, Q2.3)."""

from __future__ import annotations

from typing import ClassVar

import attrs

from ruleset_plugins import (
    Action,
    Ease,
    Rolled,
    Table,
    bonuses,
    character,
    check_resolved,
    names,
    target_number,
    words,
)
from ruleset_plugins.powers.difficulties import LADDER
from ruleset_plugins.powers.health import fit
from ruleset_plugins.powers.rerolls import Rolls
from ruleset_plugins.powers.settings import house
from ruleset_plugins.powers.stats import roll_term
from ruleset_plugins.powers.success import Level, level_of


def compare(table: Table, check: str, roll: Rolled, dc: int, against: str = "") -> Level:
    """The level of success of a roll against one DC, on record (R2.2, R2.3)."""
    level = level_of(roll.total, dc, roll.natural, house(table).crit_fail_margin)
    check_resolved(table, check, roll, dc, success=level.succeeds, outcome=level.word, against=against)
    return level


@attrs.frozen(kw_only=True)
class Check(Action):
    """Try something that can fail: 1d20 + one stat against a DC that the GM names (R2.1, R2.7)."""

    verb: ClassVar[str] = "check"

    who: str = character("who tries", actor=True)
    stat: str = words("with which stat: an attribute, a skill, or a plain number")
    target: str = words(
        "the DC: simple, average, hard, very-hard, extremely-hard, impossible, or a number", default="average"
    )
    advantage: tuple[str, ...] = names("what makes it easier", default=())
    disadvantage: tuple[str, ...] = names("what makes it harder", default=())
    bonus: tuple[str, ...] = names("further bonuses, as '+2 good rope'", default=())

    def resolve(self, table: Table) -> None:
        """A roll is no power, so it needs no turn."""
        who = fit(table, self.who)
        term = roll_term(table, who, self.stat)
        dc = target_number(table, self.target, LADDER)
        terms = (term, *bonuses(table, self.bonus))
        with Rolls(table) as rolls:
            roll = rolls.eased(who.id, terms, purpose="check", ease=Ease(self.advantage, self.disadvantage))
        compare(table, f"{term.label} roll", roll, dc, self.target if self.target in LADDER else "")
