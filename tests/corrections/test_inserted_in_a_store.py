"""Actions that were put into the past of a stored campaign: undone as one, asked for once, on timelines, and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.playing.engine_parameters import placeholders
from rollbook.application.timelines import forking
from rollbook.application.timelines.comparing import compare
from rollbook.domain.base.errors import Refused, StaleHistory
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.corrections.timeline_choices import INSERTED
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import DiceRolled
from rollbook.domain.rules.action import Action, build
from tests.support.campaigns import begin_campaign, file_book
from tests.support.comparison import comparable

DRAW = CorrectionOptions(draw=True)


def verb(campaign: Campaign, name: str, **params: Any) -> Action:
    return build(campaign.session.rulebook.verb(campaign.state, name), params)


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return file_book(tmp_path)


@pytest.fixture
def campaign(book: Book) -> Campaign:
    campaign = begin_campaign(book)
    campaign.do("give", who="robin", item="rope")
    for _ in range(2):
        campaign.do("attack", attacker="robin", target="guard", seat="mira")
    campaign.do("drop", who="robin", item="rope")
    return campaign


def struck(campaign: Campaign) -> list[int]:
    history = campaign.history
    return [action for action, _ in history.outcomes() if history.intent_of(action).verb == "attack"]


def test_it_is_undone_and_redone_as_one_with_all_that_followed(campaign: Campaign) -> None:
    before, known = comparable(campaign.state), campaign.head.actions
    first = struck(campaign)[0]
    made = campaign.corrections.insert(first, verb(campaign, "drop", who="robin", item="rope"), reason="he let go")
    entries = made.apply()
    assert [entry.kind for entry in entries] == [EntryKind.INSERTED, EntryKind.UNDONE]
    assert len({entry.correction for entry in entries}) == 1
    assert campaign.head.actions == known + 1
    after = comparable(campaign.state)
    campaign.corrections.undo_last(reason="he did not").apply()
    assert comparable(campaign.state) == before
    campaign.corrections.undo_last(reason="he did").apply()
    assert comparable(campaign.state) == after


def test_a_preview_is_stale_once_something_else_is_recorded(campaign: Campaign) -> None:
    made = campaign.corrections.insert(struck(campaign)[0], verb(campaign, "note", text="so"), reason="so")
    campaign.do("note", text="meanwhile")
    with pytest.raises(StaleHistory):
        made.apply()


def test_one_command_happens_once(campaign: Campaign) -> None:
    note = verb(campaign, "note", text="so")

    def asked() -> tuple[Any, ...]:
        options = CorrectionOptions(command="once")
        return campaign.corrections.insert(struck(campaign)[0], note, reason="so", options=options).apply()

    assert asked() == asked()
    with pytest.raises(Refused, match="given to something else"):
        campaign.corrections.insert(
            struck(campaign)[1], note, reason="so", options=CorrectionOptions(command="once")
        ).apply()


def test_later_rolls_keep_their_dice_and_their_requests(campaign: Campaign) -> None:
    first, second = struck(campaign)
    before = [campaign.history.dice_of(action) for action in (first, second)]
    attack = verb(campaign, "attack", attacker="robin", target="guard")
    campaign.corrections.insert(first, attack, reason="so", options=DRAW).apply()
    history = campaign.history
    assert [history.dice_of(action)[: len(had)] for action, had in zip((first, second), before, strict=True)] == before
    for action in (first, second):
        asked = [
            [roll.request for roll in events if isinstance(roll, DiceRolled)] for events in history.dice_of(action)
        ]
        assert all(one == asked[0][: len(one)] for one in asked)
    campaign.do("roll", expression="1d20", who="robin")
    assert [str(answer.verdict) for answer in campaign.audit()] == ["VERIFIED", "UNPROVEN", "VERIFIED"]


def test_everything_is_the_same_when_it_is_read_again(campaign: Campaign, book: Book, tmp_path: Path) -> None:
    for before in (2, struck(campaign)[1]):
        campaign.corrections.insert(before, verb(campaign, "note", text="so"), reason="so").apply()
    campaign.session.project()
    lines = campaign.read_model.log(campaign.id)
    again = file_book(tmp_path / "again", book.store)
    other = again.campaign(campaign.id)
    assert comparable(other.session.log.scan().state) == comparable(other.state) == comparable(campaign.state)
    other.session.project()
    assert other.read_model.log(campaign.id) == lines
    assert [line.action for line in lines] == [action for action, _ in campaign.history.outcomes()]
    assert [line.place for line in lines] == [*range(1, len(lines) + 1)]


def test_a_timeline_has_it_and_its_own_are_left_alone_when_it_is_taken_over(campaign: Campaign, book: Book) -> None:
    first = struck(campaign)[0]
    campaign.corrections.insert(first, verb(campaign, "note", text="on both"), reason="so").apply()
    made = forking.fork(book, campaign, None, "what if")
    forking.begin(made)
    made.corrections.insert(first, verb(made, "note", text="only here"), reason="so").apply()
    made.do("note", text="later")
    made.corrections.insert(made.head.actions, verb(made, "note", text="before later"), reason="so").apply()
    found = compare(book, made)
    assert [one.intent.params["text"] for one in found.only_here] == ["only here", "before later", "later"]
    _, plan = forking.merge_plan(book, made)
    assert [(one.timeline.intent.params["text"], one.why) for one in plan.left if one.timeline] == [
        ("only here", INSERTED)
    ]
    assert [choice.intent.params["text"] for choice in plan.new_actions] == ["before later", "later"]


def test_the_log_tells_it_in_the_session_and_scene_of_its_place(campaign: Campaign) -> None:
    campaign.do("scene", title="the mill")
    campaign.do("note", text="here")
    first = struck(campaign)[0]
    campaign.corrections.insert(first, verb(campaign, "note", text="then"), reason="so").apply()
    campaign.do("note", text="now")
    campaign.session.project()
    scenes = {line.action: line.scene for line in campaign.read_model.log(campaign.id) if line.verb == "note"}
    assert list(scenes.values()) == ["", "the mill", "the mill"]


def test_an_act_that_binds_the_table_is_not_inserted(campaign: Campaign) -> None:
    for name, params in (("take-seat", {"seat": "eva"}), ("open-session", {"title": "again"})):
        action = verb(campaign, name, **{**_nothing(campaign, name), **params})
        with pytest.raises(Refused, match="cannot be put into the past"):
            campaign.corrections.insert(3, action, reason="so")


def _nothing(campaign: Campaign, name: str) -> dict[str, Any]:
    return placeholders(campaign.session.rulebook.verb(campaign.state, name))


def test_a_line_puts_it_there_at_once(campaign: Campaign) -> None:
    said = campaign.say(f"insert {struck(campaign)[0]} note 'he took aim' --why 'it was said'")
    (entry,) = said.entries
    assert (entry.kind, entry.before, entry.reason) == (EntryKind.INSERTED, struck(campaign)[0], "it was said")
    assert "before #" in said.text
