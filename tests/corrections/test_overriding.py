"""Other faces are put in the place of dice of the stream, on record; what fell stays readable."""

from __future__ import annotations

import attrs
import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.dice_audit import audit_dice, dice_list
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import CorrectionOptions, Override, Redo
from rollbook.domain.dice.record import Source, StreamPlace
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.events import DiceRolled
from tests.support.audits import audit_rules
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable, close_and_reveal

FIRST = StreamPlace(screen=False, fork=0, seat=0, number=0)


def overridden(table: ToyTable, action: int, *faces: int, first: int = 1) -> DiceRolled:
    table.apply(table.preview_drawing({action: Override(faces=faces, first=first)}))
    return rolls(table.history.latest_outcome(action))[0]


def test_an_overridden_die_names_the_one_it_stands_for_and_what_fell_stays_readable() -> None:
    table = ToyTable()
    fell = table.roll("2d20kh1")
    action = table.history.actions
    lower = min(die.face for die in fell.dice)
    other = overridden(table, action, 20 if lower != 20 else 1)
    stream = Source("stream", 1, 1, FIRST)
    assert other.sources == (stream._replace(kind="override"), stream)
    assert [die.face for die in other.dice] == [20 if lower != 20 else 1, fell.dice[1].face]
    assert rolls(table.history.revision(action, 1)) == [fell]
    close_and_reveal(table)
    answer = audit_dice(table.history.entries)
    assert (answer.verdict, answer.checked) == (Verdict.VERIFIED, 2)
    assert "1 die was overridden by the GM; it proves nothing" in answer.remarks
    (listed,) = dice_list(table.history.entries)
    assert listed.kind == "overridden"
    assert "by Ana: so" in listed.text
    assert audit_rules(table.history.entries, table.rulebook).verdict is Verdict.VERIFIED


def test_an_override_has_consequences_and_is_undone_by_its_revision() -> None:
    table = ToyTable()
    table.do("adjust", who="robin", what="skill", by=-10, reason="drunk")
    table.do("attack", attacker="robin", target="guard")
    action = table.history.actions
    fell = rolls(table.history.entries[-1])
    with pytest.raises(DiceNeeded, match="damage"):
        table.preview({action: Override(faces=(20,))})
    overridden(table, action, 20)
    outcome = table.history.latest_outcome(action)
    assert [each.purpose for each in rolls(outcome)] == ["to hit", "damage", "damage"]
    assert table.state.characters["guard"].lost > 0
    table.apply(table.preview({action: Redo(1)}))
    assert rolls(table.history.latest_outcome(action))[0].dice == fell[0].dice


def test_the_first_die_to_be_overridden_can_be_named_and_real_dice_do_not_count() -> None:
    table = ToyTable()
    fell = table.roll("2d6")
    action = table.history.actions
    face = fell.dice[1].face % 6 + 1
    other = overridden(table, action, face, first=2)
    assert [die.face for die in other.dice] == [fell.dice[0].face, face]
    table.do("roll", expression="1d20", typed=(3,))
    with pytest.raises(Refused, match=r"has no dice of the stream.*amend --retype"):
        overridden(table, table.history.actions, 4)


@pytest.mark.parametrize(
    ("faces", "said"),
    [((21,), "21 is not a face of a d20"), ((3, 4), "2 faces were given, from die 1 on, but"), ((0,), "face")],
)
def test_faces_that_no_die_can_show_are_refused(faces: tuple[int, ...], said: str) -> None:
    table = ToyTable()
    table.roll()
    with pytest.raises(Refused, match=said):
        overridden(table, table.history.actions, *faces)


def test_a_die_that_shows_it_already_is_not_overridden() -> None:
    table = ToyTable()
    fell = table.roll()
    with pytest.raises(Refused, match="show that already"):
        overridden(table, table.history.actions, fell.dice[0].face)


def test_an_overridden_action_that_is_undone_and_asked_again_meets_what_fell() -> None:
    table = ToyTable()
    fell = table.roll()
    action = table.history.actions
    overridden(table, action, fell.dice[0].face % 20 + 1)
    assert table.history.ledger.undone_rolls == {}
    table.undo(action)
    assert table.roll().dice == fell.dice
    close_and_reveal(table)
    assert audit_dice(table.history.entries).verdict is Verdict.VERIFIED


def test_what_the_table_agreed_about_overrides_holds() -> None:
    table = ToyTable()
    table.roll()
    action = table.history.actions
    table.do("hide", who="robin")
    table.do("agree", matter="overrides", value="forbidden")
    with pytest.raises(Refused, match="agreed that no die is overridden"):
        overridden(table, action, 20)
    table.do("agree", matter="overrides", value="gm")
    with pytest.raises(
        Refused, match="only dice behind the screen are overridden, and this one was rolled in the open"
    ):
        overridden(table, action, 20, first=1)
    secret = rolls(table.history.latest_outcome(action + 1))[0]
    overridden(table, action + 1, secret.dice[0].face % 20 + 1)
    table.do("agree", matter="overrides", value="open")
    overridden(table, action, rolls(table.history.latest_outcome(action))[0].dice[0].face % 20 + 1)
    texts = [listed.text for listed in dice_list(table.history.entries) if listed.kind == "agreed"]
    assert texts == ["overrides: forbidden", "overrides: gm, before that forbidden", "overrides: open, before that gm"]


def test_an_override_of_dice_that_never_fell_for_the_action_is_found() -> None:
    table = ToyTable()
    table.roll()
    table.roll("1d6")
    close_and_reveal(table)
    two = table.history.entries[-3]
    forged = attrs.evolve(rolls(two)[0], sources=(Source("override", 1, 1, FIRST),))
    told = [entry._replace(events=(forged,)) if entry is two else entry for entry in table.history.entries]
    assert "roll 0 of seat 0 is overridden, and it never fell for" in audit_dice(told).findings[0].text


def test_only_the_gm_overrides_and_says_why(campaign: Campaign) -> None:
    fell = rolls(campaign.do("roll", {"expression": "1d20"}, seat="mira"))[0]
    action = campaign.head.actions
    other = fell.dice[0].face % 20 + 1
    with pytest.raises(Refused, match="Only the GM overrides dice; mira is a player"):
        campaign.corrections.override(action, (other,), reason="I want to", options=CorrectionOptions(seat="mira"))
    with pytest.raises(Refused, match="needs its reason"):
        campaign.corrections.override(action, (other,), reason=" ")
    campaign.corrections.override(action, (other,), reason="it was cocked").apply()
    campaign.do("close-session")
    chain, dice, rules = campaign.audit()
    assert [chain.verdict, dice.verdict, rules.verdict] == [Verdict.VERIFIED] * 3
    (listed,) = dice_list(campaign.history.entries)
    assert listed.text == f"#{action} {fell.dice[0].face} (d20) (mira: roll) → {other} (d20), by Ana: it was cocked"
