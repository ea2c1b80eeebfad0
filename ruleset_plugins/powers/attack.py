"""Attacks and powers in use: one roll, and each target compared by itself (R2.17–R2.20)."""

from collections.abc import Sequence
from functools import partial

import attrs

from rollbook.kit import conditions, d20, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Record, Table, Term, events, param
from rollbook.rulesets.powers.checks import REROLL, SuccessLevel, TaskRolls, compare
from rollbook.rulesets.powers.encounter import check_any_power, note_attacked, spend_power
from rollbook.rulesets.powers.hit_points import hurt, require_able, restore
from rollbook.rulesets.powers.powers import ANY, STRIKE, Outcome, Power, attacks_of, dice_of, power_of
from rollbook.rulesets.powers.settings import Settings
from rollbook.rulesets.powers.stats import check_known, dc_of, stat_term

AMOUNTS = {"the damage or healing of each target": "damage|healing"}


class Attack(Action, verb="attack"):
    """Attack one target or several: one roll, which every target's own Defense or DC meets (R2.17–R2.19)."""

    sentence = "strikes at {targets}[ with {power:key}]"
    handles = verbs.attacks(who="targets", what="power")

    typed_dice = (DiceStep(tests={"the d20 of the attack": "attack roll"}, effects=AMOUNTS),)

    attacker: str = param.character("who attacks", actor=True)
    targets: tuple[str, ...] = param.characters("who is attacked: one, or several where the power takes several")
    power: str = param.words("with which attack power", default=STRIKE, fits=attacks_of, gm_only=False)
    advantage: tuple[str, ...] = param.names("what makes it easier", default=(), gm_only=True)
    disadvantage: tuple[str, ...] = param.names("what makes it harder", default=(), gm_only=False)
    bonus: tuple[str, ...] = param.names("further bonuses, as '+2 high ground'", default=(), gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(check_any_power)

    def resolve(self, table: Table) -> None:
        attacker = require_able(table, self.attacker)
        power = power_of(attacker, self.power)
        if not power.attack:
            table.refuse(
                f"{power.title} is not an attack. It is used with: use-power {attacker.id} {power.key}", "power"
            )
        require.other_targets(table, attacker, *self.targets)
        use = Use(table, attacker, power, targets_of(table, power, self.targets))
        spend_power(table, attacker, power, out_of_turn=self.out_of_turn)
        note_attacked(table, attacker, use.targets)
        ease = d20.Advantage(self.advantage, self.disadvantage)
        use.resolve(ease, d20.bonuses(table, self.bonus), purpose="attack roll")


class UsePower(verbs.RollAction, verb="use-power"):
    """Use a power other than an attack, on oneself or on others."""

    sentence = "uses {power:key}[ on {on}]"

    typed_dice = (DiceStep(tests={"the d20 of the power, if it rolls one": "power roll"}, effects=AMOUNTS),)

    who: str = param.character("who uses it", actor=True)
    power: str = param.words("which power", fits=lambda who: attacks_of(who, others=True), gm_only=False)
    on: tuple[str, ...] = param.characters("on whom, if not on oneself", default=(), gm_only=False)
    bonus: tuple[str, ...] = param.names("further bonuses, as '+2 clean water'", default=(), gm_only=True)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(partial(check_any_power, others=True))

    def resolve(self, table: Table) -> None:
        """Use the power; it counts towards the turn like any other (R2.11)."""
        who = require_able(table, self.who)
        power = power_of(who, self.power)
        if power.attack:
            table.refuse(
                f"{power.title} is an attack. It is used with: attack {who.id} TARGETS --power {power.key}", "power"
            )
        use = Use(table, who, power, targets_of(table, power, self.on or (who.id,)))
        spend_power(table, who, power, out_of_turn=self.out_of_turn)
        use.resolve(self.ease, d20.bonuses(table, self.bonus), purpose="power roll")


def targets_of(table: Table, power: Power, targets: Sequence[str]) -> tuple[Character, ...]:
    """The targets, checked: all living, each once, and no more than the power takes."""
    if not targets:
        table.refuse(f"{power.title} needs a target. Name at least one.", table.parameter_of(targets))
    require.distinct_living(table, targets)
    if power.most != ANY and len(targets) > power.most:
        table.refuse(
            f"{power.title} takes {power.most} at a time, and {len(targets)} are named. Name fewer.",
            table.parameter_of(targets),
        )
    return tuple(table.character(name) for name in targets)


@attrs.frozen
class Use(Record):
    """A power in use: its user and its targets."""

    table: Table
    user: Character
    power: Power
    targets: tuple[Character, ...]

    def resolve(self, ease: d20.Advantage, terms: tuple[Term, ...], *, purpose: str) -> None:
        """One roll for all (R2.18); a 20 or a 1 moves the level of every target by itself (Q2.4)."""
        self._check_stats()
        self.table.record(events.PowerUsed(character=self.user.id, power=self.power.key))
        roll = None
        with TaskRolls(self.table) as rolls:
            if self.power.rolls:
                terms = (stat_term(self.user, self.power.rolls), *terms)
                roll = rolls.with_advantage(self.user.id, terms, purpose=purpose, ease=ease)
        for place, target in enumerate(self.targets, 1):
            level = SuccessLevel.SUCCESS if roll is None else self._compare(roll, target)
            outcome = self.power.outcome(level)
            if outcome is not None:
                self._bring_about(outcome, target, level, place)

    def _check_stats(self) -> None:
        """Refuse a power that needs a stat which its user or a target does not have (R2.1)."""
        power = self.power
        outcomes = (power.critical_success, power.success, power.failure, power.critical_failure)
        for stat in (power.rolls, *(each.adds for each in outcomes if each is not None)):
            if stat:
                check_known(self.table, self.user, stat)
        if power.against and power.fixed_dc() is None:
            for target in self.targets:
                check_known(self.table, target, power.against)

    def _compare(self, roll: d20.RollResult, target: Character) -> SuccessLevel:
        """Against the target's own number, or against the one of the power (R2.7, R2.19)."""
        fixed = self.power.fixed_dc()
        dc = dc_of(target, self.power.against, Settings.of(self.table)) if fixed is None else fixed
        return compare(self.table, self.power.title, roll, dc, target.id)

    def _bring_about(self, outcome: Outcome, target: Character, level: SuccessLevel, place: int) -> None:
        """The purpose of a roll says the target's place, so a corrected hit does not take another target's dice."""
        table, source = self.table, self.user.id
        amount = self._amount(outcome, "" if place == 1 else f" {place}")
        if outcome.damage:
            dealt = max(amount, Settings.of(table).min_damage_on_hit if level.succeeds else 0)
            hurt(table, target.id, dealt, tags=self.power.tags, source=source)
        elif outcome.healing:
            restore(table, target.id, max(amount, 0), tags=self.power.tags, source=source)
        if outcome.condition:
            conditions.begin(table, target.id, outcome.condition, source=source)
        if outcome.rerolls:
            given = events.PoolGained(holder=target.id, pool=REROLL, amount=outcome.rerolls, reason=self.power.title)
            table.record(given)

    def _amount(self, outcome: Outcome, place: str) -> int:
        dice = dice_of(outcome, Settings.of(self.table))
        if not dice:
            return 0
        terms = (stat_term(self.user, outcome.adds),) if outcome.adds else ()
        purpose = f"{'damage' if outcome.damage else 'healing'}{place}"
        return outcome.times * self.table.roll(d20.notation(dice, terms), roller=self.user.id, purpose=purpose).total
