"""A number on a sheet is adjusted in the action where it belongs."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend, CorrectionOptions, Effect
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import CheckResolved, DamageTaken
from rollbook.domain.rules.sheet_rulings import Adjustment
from tests.support.casts import CastCampaign, book_of_games
from tests.support.games import INSTALLED_RULESETS
from tests.support.toy_table import ToyTable, lost

GAMES = pytest.mark.parametrize("key", INSTALLED_RULESETS)


@pytest.fixture
def table(key: str, tmp_path: Path) -> CastCampaign:
    return CastCampaign(key, book_of_games(tmp_path))


def test_an_adjustment_is_played_in_the_action_that_it_belongs_to() -> None:
    toy = ToyTable()
    note = toy.do("note", text="the ford").action
    toy.do("gain-token", who="robin")
    wrong = Adjustment(who="robin", what="hp", by=-4)
    toy.corrected({note: Amend(adjustments=(wrong,))})
    assert lost(toy.history.as_corrected_to(note), "robin") == 4
    assert [type(event).__name__ for event in toy.history.latest_outcome(note).events] == [
        "NoteWritten",
        "RulingMade",
        "HitPointsCorrected",
    ]
    toy.amend(note, text="the bridge")
    assert lost(toy.state, "robin") == 4
    toy.corrected({note: Amend(unadjusted=True)})
    assert lost(toy.state, "robin") == 0


def test_an_adjustment_of_nobody_or_nothing_is_refused() -> None:
    toy = ToyTable()
    note = toy.do("note", text="the ford").action
    with pytest.raises(NotFound, match="marion"):
        toy.preview({note: Amend(adjustments=(Adjustment(who="marion", what="hp", by=1),))})
    for nothing in ("", "  ", "pool:", "pool: "):
        with pytest.raises(Refused, match="is not on a sheet"):
            toy.preview({note: Amend(adjustments=(Adjustment(who="robin", what=nothing, by=1),))})
        with pytest.raises(Refused, match="is not on a sheet"):
            toy.do("adjust", who="robin", what=nothing, by=1, reason="a slip")


@GAMES
def test_hit_points_that_were_forgotten_join_the_action_where_they_belong(table: CastCampaign) -> None:
    campaign, who = table.campaign, table.who(table.hero)
    before = table.lines(who)
    scene = table.take("scene 'the road'")
    table.take(f"adjust {who} hp -1 'a scratch'")
    made = campaign.corrections.amend(scene, {}, reason="a trap", adjustments=[Adjustment(who=who, what="hp", by=-2)])
    made.apply()
    assert campaign.state.characters[who].lost == 3
    assert campaign.history.as_corrected_to(scene).characters[who].lost == 2
    thought = table.latest(scene).intent.second_thoughts[0]  # type: ignore[attr-defined]
    assert (thought.kind, thought.params) == ("adjust", {"what": "hp", "by": -2, "why": "a trap"})
    campaign.corrections.redo(scene, revision=1).apply()
    campaign.corrections.undo(scene + 1, reason="no scratch either").apply()
    assert table.lines(who) == before


@GAMES
def test_a_forgotten_bonus_turns_a_later_miss_into_a_hit(table: CastCampaign) -> None:
    campaign, cast = table.campaign, table.cast
    at = table.take("scene 'the bridge'")
    attack = table.take(cast.attack)
    assert _succeeded(table, attack) is False
    forgotten = Adjustment(who=cast.attacker, what=cast.number, by=1)
    made = campaign.corrections.amend(
        at, {}, reason="the blessing was forgotten", adjustments=[forgotten], options=CorrectionOptions(draw=True)
    )
    assert [one.action for one in made.of(Effect.CHANGED)] == [attack]
    made.apply()
    assert _succeeded(table, attack) is True
    assert [answer.verdict.name for answer in campaign.audit()][2] == "VERIFIED"
    campaign.corrections.amend(at, {}, reason="no blessing after all", unadjusted=True).apply()
    assert _succeeded(table, attack) is False


def _succeeded(table: CastCampaign, action: int) -> bool:
    checks = [event.success for event in table.latest(action).events if isinstance(event, CheckResolved)]
    return checks[0]


@pytest.mark.parametrize("key", ["grid"])
def test_what_was_imported_is_adjusted_too_and_stands_as_it_was_told(table: CastCampaign) -> None:
    campaign, who = table.campaign, table.who(table.foe)
    number = campaign.head.actions + 1
    hurt = DamageTaken(character=who, amount=3, dealt=3)
    told = Entry(EntryKind.TAKEN, number, (hurt,), intent=Intent(verb="avrae"), provenance="imported", ruleset="grid")
    campaign.session.log.write(campaign.head, [told])
    wrong = Adjustment(who=who, what="hp", by=1)
    campaign.corrections.amend(number, {}, reason="it was 2", adjustments=[wrong]).apply()
    assert campaign.state.characters[who].lost == 2
    assert table.latest(number).provenance == "imported"
    with pytest.raises(Refused, match="--adjust"):
        campaign.corrections.amend(number, {"x": 1}, reason="no rules")
    campaign.corrections.undo(number, reason="never happened").apply()
    assert campaign.history.entries[-1].kind is EntryKind.UNDONE
    assert campaign.state.characters[who].lost == 0


@pytest.mark.parametrize("key", ["grid"])
def test_a_player_adjusts_nobody(table: CastCampaign) -> None:
    campaign, who = table.campaign, table.who(table.hero)
    table.take("take-seat Mira")
    note = campaign.do("note", {"text": "mine"}, seat="Mira").action
    with pytest.raises(Refused, match="Only the GM can adjust"):
        campaign.corrections.amend(
            note,
            {},
            reason="x",
            options=CorrectionOptions(seat="Mira"),
            adjustments=[Adjustment(who=who, what="hp", by=9)],
        )
