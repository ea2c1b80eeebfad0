"""What is undone counts no more, what came after it stays; what is redone counts as it did."""

from __future__ import annotations

import pytest

from rollbook.application.book import Book
from rollbook.domain.base.errors import NotFound
from rollbook.domain.corrections.changes import Effect
from rollbook.domain.corrections.preview import last_action
from rollbook.domain.entries import EntryKind
from rollbook.domain.history.history import History
from tests.support.campaigns import begin_campaign
from tests.support.dice import rolls
from tests.support.toy_table import ToyTable, lost


def test_undoing_one_thing_leaves_what_came_after_it() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    table.do("award", who=("robin",), amount=70)
    made = table.undo(wound)
    assert lost(table.state, "robin") == 0
    assert table.state.characters["robin"].experience == 70
    assert [c.effect for c in made.consequences] == [Effect.UNDONE]
    assert [(c.character, c.label, c.before, c.after) for c in made.changes] == [("robin", "Hit points", "7", "12")]


def test_several_actions_are_undone_in_one_correction() -> None:
    table = ToyTable()
    wounds = [table.hurt("robin", by) for by in (1, 2, 4)]
    made = table.undo(wounds[0], wounds[2])
    assert lost(table.state, "robin") == 2
    assert [proposal.action for proposal in made.entries] == [wounds[0], wounds[2]]


def test_the_last_action_is_the_last_that_counts() -> None:
    table = ToyTable()
    first, second = table.hurt("robin", 1), table.hurt("robin", 2)
    assert last_action(table.history) == second
    table.undo(second)
    assert last_action(table.history) == first
    with pytest.raises(NotFound, match="Nothing has happened"):
        last_action(History())


def test_as_it_was_known_stays_when_it_is_corrected_later() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 5)
    then = table.history.head
    table.do("award", who=("robin",), amount=70)
    table.undo(wound)
    assert lost(table.history.as_known_at(then), "robin") == 5
    assert lost(table.history.as_corrected_to(wound), "robin") == 0
    assert table.history.as_known_at(0).characters == {}
    with pytest.raises(NotFound, match="There is no entry @99"):
        table.history.as_known_at(99)
    with pytest.raises(NotFound, match="There is no action #99"):
        table.history.as_corrected_to(99)


def test_standing_leaves_later_events_and_the_fold_adds_them_up() -> None:
    table = ToyTable()
    gained = table.do("adjust", who="guard", what="pool:tokens", by=1, reason="kind").action
    table.do("spend-token", who="guard")
    made = table.undo(gained, stand=True)
    assert [p.action for p in made.entries] == [gained]
    assert table.state.characters["guard"].pools["tokens"] == -1


def test_redo_gives_the_outcome_that_counted_before_the_undo() -> None:
    table = ToyTable()
    wound = table.hurt("robin", 1)
    table.amend(wound, by=-2)
    table.redo(wound, 1)
    table.undo(wound)
    table.redo(wound)
    assert lost(table.state, "robin") == 1


def test_an_earlier_outcome_comes_back_with_its_own_dice() -> None:
    table = ToyTable()
    bet = table.do("bet", who="robin", dice=2, typed=(2, 3)).action
    table.amend(bet, (6, 6))
    assert table.state.characters["robin"].pools["coins"] == 6
    made = table.redo(bet, 1)
    assert table.state.characters["robin"].pools["coins"] == -1
    assert [proposal.kind for proposal in made.entries] == [EntryKind.REDONE]
    table.amend(bet, dice=1)
    assert [die.face for die in rolls(table.history.latest_outcome(bet))[0].dice] == [2]


def test_the_entries_of_one_correction_share_an_id(book: Book) -> None:
    campaign = begin_campaign(book)
    gained = campaign.do("gain-token", {"who": "robin"}).action
    for _ in range(3):
        campaign.do("spend-token", {"who": "robin"})
    one = campaign.corrections.undo(gained, reason="so").apply()
    two = campaign.corrections.redo(gained, reason="so").apply()
    assert len(one) > 1
    for made in (one, two):
        assert {len(entry.correction) for entry in made} == {26}
        assert campaign.history.correction(made[0].correction) == tuple(made)
    assert one[0].correction != two[0].correction
    assert {entry.correction for entry in campaign.history.entries if not entry.is_correction} == {""}
    assert campaign.history.correction("") == ()
