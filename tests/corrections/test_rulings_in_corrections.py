"""What the GM says in correcting a player's action is a ruling: it stands in every later replay, and no player says it."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.timelines.rerun import rerun
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.entries import SecondThought
from rollbook.plugin import Table, events, number
from tests.support import toy_verbs
from tests.support.campaigns import begin_campaign, book_with, memory_book
from tests.support.toy import TOY

MIRA = CorrectionOptions(seat="mira")


class Attack(toy_verbs.Attack, verb="attack"):
    """The toy's attack, with a bonus for the place in which somebody stands."""

    ground: int = number("what the place is worth", default=0, gm_only=True)

    def resolve(self, table: Table) -> None:
        table.record(events.StatChanged(character=self.attacker, stat="skill", amount=self.ground))
        super().resolve(table)


GAME = attrs.evolve(TOY, actions=tuple(Attack if each is toy_verbs.Attack else each for each in TOY.actions))


@pytest.fixture
def table(tmp_path: Path) -> Campaign:
    """A campaign in which Mira has missed the guard by one; the guard has lost a point before."""
    campaign = begin_campaign(memory_book(tmp_path, ruleset=GAME))
    campaign.do("adjust", {"who": "guard", "what": "hp", "by": -1, "reason": "a bruise"})
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira", dice=[7])
    return campaign


def skill(campaign: Campaign) -> int:
    return campaign.state.characters["robin"].stats["skill"]


def amended(campaign: Campaign, options: CorrectionOptions = MIRA, **params: int | str) -> None:
    campaign.corrections.amend(campaign.head.actions, params, reason="so", options=options).apply()


def ruled(campaign: Campaign) -> None:
    """The GM says that the place is worth a point, so that it was a hit."""
    amended(campaign, CorrectionOptions(dice=(4,)), ground=1)


def test_the_gm_amends_a_players_action_with_a_ruling(table: Campaign) -> None:
    ruled(table)
    assert table.state.characters["guard"].lost == 5
    assert skill(table) == 4


def test_the_audit_accepts_the_ruling_for_ever(table: Campaign) -> None:
    ruled(table)
    table.do("scene", title="later")
    assert [answer.verdict for answer in table.audit()][0::2] == ["VERIFIED", "VERIFIED"]


def test_a_ruled_action_is_played_again_when_something_before_it_is_corrected(table: Campaign) -> None:
    ruled(table)
    attack = table.head.actions
    made = table.corrections.amend(attack - 1, {"by": -2}, reason="a bruise more")
    made.apply()
    history = table.history
    join = next(each for each, _ in history.outcomes() if history.intent_of(each).params.get("name") == "Robin")
    again = table.corrections.amend(join, {"stats": {"max_hp": 12, "skill": 5}}, reason="a better shot")
    assert attack in {one.action for one in again.consequences} | set(again.same)
    again.apply()
    assert skill(table) == 6
    assert table.audit()[2].verdict == "VERIFIED"


def test_the_ruling_is_undone_and_redone_like_everything_else(table: Campaign) -> None:
    ruled(table)
    attack = table.head.actions
    table.corrections.undo_last(reason="no").apply()
    assert skill(table) == 3
    table.corrections.redo(attack, revision=2, reason="yes").apply()
    assert skill(table) == 4
    table.corrections.undo(attack, reason="never", options=MIRA).apply()
    table.corrections.redo(attack, reason="it was", options=MIRA).apply()
    assert skill(table) == 4
    assert table.audit()[2].verdict == "VERIFIED"


def test_a_player_amends_her_own_action_with_no_ruling(table: Campaign) -> None:
    with pytest.raises(Refused, match="--ground is a ruling, so the GM says it; mira can ask for it"):
        amended(table, ground=1)


def test_a_player_takes_no_ruling_out_of_her_own_action(table: Campaign) -> None:
    ruled(table)
    with pytest.raises(Refused, match="--ground is a ruling"):
        amended(table, ground=0)
    amended(table, target="marian")
    assert skill(table) == 4, "what she may say changes nothing of the ruling"
    assert table.audit()[2].verdict == "VERIFIED"


def test_a_player_goes_back_to_no_outcome_that_the_gm_has_replaced(table: Campaign) -> None:
    ruled(table)
    attack = table.head.actions
    for attempt in (
        lambda: table.corrections.redo(attack, revision=1, options=MIRA),
        lambda: table.corrections.undo_last(options=MIRA),
        lambda: table.corrections.amend(attack, retype=(20, 4), options=MIRA),
    ):
        with pytest.raises(
            Refused, match=f"Ana has corrected action #{attack}, so it is not mira's to say what counts"
        ):
            attempt()
    assert skill(table) == 4


def test_a_player_redoes_nothing_that_the_gm_has_undone(table: Campaign) -> None:
    attack = table.head.actions
    table.corrections.undo(attack, reason="no").apply()
    with pytest.raises(Refused, match=f"Ana has undone action #{attack}"):
        table.corrections.redo(attack, options=MIRA)


def test_a_player_takes_out_no_adjustment_of_the_gms(table: Campaign) -> None:
    with pytest.raises(Refused, match="Only the GM takes an adjustment out of an action"):
        table.corrections.amend(table.head.actions, unadjusted=True, options=MIRA)


def test_a_players_action_stays_that_of_a_character_whom_she_plays(table: Campaign) -> None:
    with pytest.raises(Refused, match="mira cannot act for them"):
        amended(table, CorrectionOptions(dice=(3,)), attacker="guard", target="marian", ground=-1)


def test_a_campaign_that_is_played_again_by_its_own_rules_keeps_the_ruling(table: Campaign) -> None:
    ruled(table)
    again = rerun(book_with(table), table, "toy")
    assert skill(again) == 4
    assert again.audit()[2].verdict == "VERIFIED"


def test_a_player_types_no_die_of_a_second_thought_that_was_the_gms(table: Campaign) -> None:
    attack = table.head.actions
    table.corrections.record_second_thought(SecondThought(kind="reroll"), seat="Ana", dice=[12, 4])
    with pytest.raises(Refused, match=f"Ana has corrected action #{attack}"):
        table.corrections.amend(attack, retype=(7, 20, 6), options=MIRA)
    table.corrections.amend(attack, retype=(7, 13, 4), reason="a 13").apply()
    assert table.audit()[2].verdict == "VERIFIED"
