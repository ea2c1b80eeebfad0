"""What the engine's shared verbs do for this game: safety, seats, dice."""

from __future__ import annotations

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.characters import Lend
from rollbook.domain.actions.dice import RollDice
from rollbook.domain.actions.x_card import AnswerXCard, RaiseXCard
from rollbook.plugin import events
from rollbook.rulesets.storytoken import RULESET
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import like, rule

SEATS = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"))


@rule("R0.2")
def test_the_gm_lends_an_npc_and_takes_it_back(sherwood) -> None:
    game = sherwood().given(*SEATS)
    task = Check(who="marian", ability="wis")
    game.when(task, seat="Ann").refused("Marian is the GM's")
    game.given(Lend(who="marian", to="Ann")).when(task, seat="Ann").rolling(12).then(events.CheckResolved)
    game.given(Lend(who="marian")).when(task, seat="Ann").refused("Marian is the GM's")


@rule("R0.4", "Q0.80")
def test_anybody_raises_the_x_card_and_nobody_sees_who(sherwood) -> None:
    raised = sherwood().given(*SEATS).when(RaiseXCard(), seat="Ann").then(events.XCardRaised(), only=True)
    assert raised.after.paused
    assert not raised.go_on().when(AnswerXCard(how="skip"), seat="Vera").after.paused


@rule("R0.5")
def test_dice_are_written_as_the_rules_write_them(sherwood) -> None:
    for expression, dice, total in (("1d20", (13,), 13), ("1d6+4", (3,), 7), ("3d6", (1, 2, 3), 6)):
        sherwood().when(RollDice(expression=expression)).rolling(*dice).then(like(events.DiceRolled, total=total))


def test_every_verb_has_its_own_name_and_says_what_it_does() -> None:
    verbs = [action.verb for action in RULESET.actions]
    assert len(set(verbs)) == len(verbs)
    assert all(action.__doc__ and action.__doc__.rstrip().endswith((".", ")")) for action in RULESET.actions)
