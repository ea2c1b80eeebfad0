"""Saving throws (R5.7, R5.8, R5.24, R5.62, R5.185).

``roll_save`` is the one way to save: by a verb, a spell, a monster. What saves without a roll, and fails without one,
is decided there.
"""

from typing import Any

from rollbook.kit import ability_scores, conditions, d20, require, vocabulary
from rollbook.plugin import ABILITIES, Character, CharacterKind, DiceStep, Table, Term, param
from rollbook.rulesets.srd5.character.abilities import save_terms
from rollbook.rulesets.srd5.effects.lasting import specials
from rollbook.rulesets.srd5.fight import armour, durations, movement, states
from rollbook.rulesets.srd5.tasks import checks, d20_tests


def fails_outright(who: Character, ability: str) -> str:
    """The reason why a save fails without a roll, "" for none (R5.8, R5.185)."""
    if who.kind is CharacterKind.THING and ability not in who.stats:
        return f"no {ability_scores.NAMES[ability]}"
    return next((condition.name for row, condition in states.states_of(who) if ability in row.fails), "")


def roll_save(
    table: Table,
    rolls: d20_tests.TestRolls,
    who: Character,
    ability: str,
    dc: int,
    *,
    against: str = "",
    versus: tuple[str, ...] = (),
    cover: str = "",
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    bonus: tuple[Term, ...] = (),
) -> bool:
    """Roll a save against a DC. Returns whether it succeeds; ``versus`` says what it is against (R5.7)."""
    name, why = f"{ability_scores.NAMES[ability]} save", fails_outright(who, ability)
    proof = specials(who, "passes saves against magic") if "magic" in versus and not why else []
    if why or proof:
        said, total = (f"fails: {why}", 0) if why else (f"succeeds: {proof[0].label}", dc)
        d20.record_check(table, who.id, name, total, dc, success=not why, outcome=said, against=against)
        return not why
    terms = (*save_terms(who, ability), *bonus)
    cover = armour.cover_of(table, who, cover) if ability == "dex" else ""
    if armour.COVER.get(cover):
        terms = (*terms, Term(armour.COVER[cover], f"{cover} cover", "R5.62"))
    source = table.character(against) if against and table.knows(against) else None
    test = d20_tests.Test(who, d20_tests.SAVE, ability, against=source, versus=versus)
    number = rolls.count
    roll = rolls.test(test, terms, purpose=f"{ability} save", ease=ease)
    d20_tests.spend_next(table, test)
    success = roll.total >= dc or number in rolls.made
    d20.record_roll(table, name, roll, dc, success=success, against=against)
    return success


class SaveAction(d20_tests.TestAction):
    """A verb with one save, to be derived from."""

    typed_dice = (DiceStep(tests={"the d20 of the save": "* save"}),)

    def save(self, table: Table, who: Character, ability: str, dc: int, **how: Any) -> bool:
        """Make the save, with what was typed of it; ``how`` as for ``roll_save``."""
        with d20_tests.TestRolls(table, self.spared) as rolls:
            bonus = d20.bonuses(table, self.bonus)
            return roll_save(table, rolls, who, ability, dc, ease=self.ease, bonus=bonus, **how)


class Save(SaveAction, verb="save"):
    """Make a saving throw: 1d20, the ability, and proficiency for those who have it, against a DC (R5.7).

    With ``--condition`` it is the save that ends a condition, against the DC on record.
    """

    sentence = "makes a saving throw"

    who: str = param.character("who saves", actor=True)
    ability: str = param.words("with which ability", fits=lambda _: ABILITIES, of=vocabulary.SKILL, gm_only=False)
    dc: int = param.number("the DC", default=10, minimum=0, maximum=100, gm_only=True)
    versus: tuple[str, ...] = param.names("against what: magic, charmed …", default=(), of="versus", gm_only=False)
    cover: str = param.choice("the cover, which adds to Dexterity", tuple(armour.COVER), default="", gm_only=False)
    condition: str = param.words("the condition that it ends", default="", of=vocabulary.CONDITION, gm_only=False)
    fails: bool = param.flag("they choose to fail", gm_only=False)

    def resolve(self, table: Table) -> None:
        who, ability = require.living(table, self.who), checks.named(self.ability)[0]
        held = who.conditions.get(self.condition) if self.condition else None
        if self.condition and held is None:
            table.refuse(f"{who.name} is not {self.condition}.", "condition")
        dc = int(str(held.data.get(durations.DC, self.dc))) if held is not None else self.dc
        if self.fails:
            name = f"{ability_scores.NAMES[ability]} save"
            d20.record_check(table, who.id, name, 0, dc, success=False, outcome="fails by choice")
            return
        if self.save(table, who, ability, dc, versus=self.versus, cover=self.cover) and held is not None:
            conditions.end(table, who.id, held.name)


@d20_tests.reason(d20_tests.SAVE)
def dodging(table: Table, test: d20_tests.Test) -> d20.Advantage:
    """Advantage on Dexterity saves for who dodges, unless incapacitated or held (R5.133, R5.134)."""
    if test.ability == "dex" and movement.is_dodging(table, test.who):
        return d20.Advantage(("dodging",))
    return d20.NO_ADVANTAGE
