"""A Round passes: bleeding, fire and stuns; first aid, conditions by ruling, no rest in peril (R3.70, R3.92, Q3.13, Q3.14)."""

from collections.abc import Callable, Iterable
from functools import partial

from rollbook.kit import conditions, counters, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, param
from rollbook.rulesets.russell.character.attributes import attribute_term
from rollbook.rulesets.russell.delve import fire
from rollbook.rulesets.russell.fight import rolls, turns, wounds

FATAL_FAILURES = 3


def stabilised(table: Table, name: str) -> None:
    """First aid worked: the bleeding stops, the stunned come round, the helpless will in a Turn (R3.92, Q3.13, Q3.14)."""
    conditions.end(table, name, conditions.BLEEDING)
    counters.empty(table, name, wounds.FAILURES, "over")
    wounds.recovered_from_stun(table, name)
    if wounds.needs_care(table.character(name)):
        wounds.knock_out(table, name, source="stabilised", again=True)


BY_RULING: dict[str, Callable[..., None]] = {
    conditions.STUNNED: wounds.stun,
    conditions.HELPLESS: wounds.knock_out,
    wounds.WOUNDED: wounds.wound,
    conditions.DEAD: wounds.die,
}
SetCondition = verbs.condition_verb(
    help="Rule that somebody is floored, stunned, hidden …, or is not any longer.",
    examples="floored, stunned, helpless, bleeding, wounded, dead",
    begins={condition: partial(begin, source="ruling") for condition, begin in BY_RULING.items()},
    ends={conditions.STUNNED: wounds.recovered_from_stun, conditions.BLEEDING: stabilised},
    source="ruling",
    even_dead=True,
    typed_dice=(wounds.WOUNDING, wounds.STUNNING),
)


def bleed(table: Table, name: str) -> None:
    """A Round of bleeding: a Constitution save; the third failure, in a row or not, kills (R3.92, Q3.14)."""
    who = table.character(name)
    if not who.has(conditions.BLEEDING) or who.has(conditions.DEAD):
        return
    if rolls.save(table, who, "con", against="bleeding", purpose="bleeding"):
        return
    counters.change(table, name, wounds.FAILURES, 1, "a failed save")
    if table.character(name).pools[wounds.FAILURES] >= FATAL_FAILURES:
        wounds.die(table, name, source=conditions.BLEEDING)


class Stabilise(verbs.RollAction, verb="stabilise"):
    """Give first aid: 1d6 + INT of 6 or more stops a friend's bleeding and ends a stun (R3.92)."""

    sentence = "gives {friend} first aid"
    typed_dice = (DiceStep(tests={"the d6 of the aid": "first aid"}),)

    who: str = param.character("who helps", actor=True)
    friend: str = param.character("who is helped")
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        others = (each for each in table.characters() if each.id != who)
        require.any_of(others, partial(cls._check, table))
        turns.take_action(table, who)

    def resolve(self, table: Table) -> None:
        """It takes the helper's action, whether it works or not (Q3.14)."""
        friend = require.living(table, self.friend)
        if self.who == self.friend:
            table.refuse(f"{friend.name} cannot do that alone: a friend has to help.", "friend")
        self._check(table, friend)
        who = turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        terms = (attribute_term(who, "int", "R3.92"),)
        if rolls.roll_d6_test(table, who, terms, kind="aid", check="first aid", ease=self.ease, against=friend.id):
            stabilised(table, friend.id)

    @staticmethod
    def _check(table: Table, friend: Character) -> None:
        if not (friend.has(conditions.BLEEDING) or friend.has(conditions.STUNNED) or wounds.needs_care(friend)):
            table.refuse(f"{friend.name} neither bleeds nor is stunned, so there is nothing to stop.", "friend")


HELP = {
    conditions.BLEEDING: ("still bleeds", "Help first (stabilise FRIEND {who})", "bleed {who}"),
    fire.ON_FIRE: ("still burns", "Put the fire out first (smother FRIEND {who})", "burn {who}"),
}
"""Words for each peril, its help, and the command for another Round of it outside a fight."""


def check_no_peril(table: Table, people: Iterable[Character]) -> None:
    """Refuse to let more than Rounds pass while any of these bleeds or burns."""
    for who in people:
        for condition, (state, first, another) in HELP.items():
            if who.present and who.has(condition) and not who.has(conditions.DEAD):
                go_on = another if table.encounter is None else "end-turn"
                table.refuse(
                    f"{who.name} {state}, and a Turn is many Rounds. {first.format(who=who.id)}, or play on: "
                    f"{go_on.format(who=who.id)}"
                )


ENDING = (
    DiceStep(
        tests={"the d20 of each who bleeds": conditions.BLEEDING}, effects={"the d6 of each who burns": fire.FIRE}
    ),
    wounds.WOUNDING,
    wounds.STUNNING,
)
"""The dice at the end of a Round."""


def pass_round(table: Table, *names: str) -> None:
    """End a Round for these characters, and all that is counted in Rounds; saves come before other dice (QG.5)."""
    for name in names:
        conditions.end_with_data(table, name, turns.FREE_ATTACK)
        bleed(table, name)
    for name in names:
        fire.burn(table, name)
        wounds.wear_off(table, name)


def _another_round(name: str, peril: str, in_a_fight: str, rule: str = "") -> type[Action]:
    class AnotherRound(Action, verb=name, gm_only=True):
        __doc__ = f"Outside a fight: another Round passes for somebody who {name}s{rule}."
        sentence = f"lets a round pass while {{who}} {name}s"
        typed_dice = ENDING

        who: str = param.character(f"who is {peril}")

        def resolve(self, table: Table) -> None:
            who = require.living(table, self.who)
            if not who.has(peril):
                table.refuse(f"{who.name} is not {peril}.")
            if table.encounter is not None:
                table.refuse(f"In a fight {in_a_fight} at the end of the Round. Go on with: end-turn")
            pass_round(table, who.id)

    return AnotherRound


Bleed = _another_round("bleed", conditions.BLEEDING, "those who bleed save")
Burn = _another_round("burn", fire.ON_FIRE, "fire burns", " (R3.70)")
