"""An action with a command id happens once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.timelines import forking as timelines
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.entries import SecondThought
from tests.support.campaigns import begin_campaign, campaign_over, every_change, file_book
from tests.support.toy_verbs import GainToken


def test_a_command_that_is_given_again_happens_once(book: Book) -> None:
    campaign = begin_campaign(book)
    shot = {"attacker": "robin", "target": "guard"}
    first = campaign.do("attack", shot, seat="mira", reason="now", command="form 7")
    before = every_change(book)
    assert campaign.do("attack", shot, seat="mira", reason="now", command="form 7") == first
    other = campaign_over(campaign.session.log, book.rulebook, book.seeds, SQLiteReadModel())
    assert other.do("attack", shot, seat="mira", reason="now", command="form 7") == first
    assert every_change(book) == before
    assert (first.command, len(first.command_digest)) == ("form 7", 64)


def test_another_command_under_the_same_id_is_refused_and_other_seats_have_ids_of_their_own(book: Book) -> None:
    campaign = begin_campaign(book)
    first = campaign.do("roll", {"expression": "1d6"}, seat="mira", command="1")
    before = every_change(book)
    others: tuple[tuple[str, dict[str, str], dict[str, Any]], ...] = (
        ("gain-token", {"who": "robin"}, {}),
        ("roll", {"expression": "1d8"}, {}),
        ("roll", {"expression": "1d6"}, {"secret": True}),
        ("roll", {"expression": "1d6"}, {"reason": "x"}),
        ("roll", {"expression": "1d6"}, {"dice": (3,)}),
    )
    for verb, params, more in others:
        with pytest.raises(Refused, match=f"'1' was given to something else already: action #{first.action}"):
            campaign.do(verb, params, seat="mira", command="1", **more)
    assert every_change(book) == before
    second = campaign.do("roll", {"expression": "1d8"}, command="1")
    assert (second.seat, second.command) == ("Ana", "1")
    assert campaign.do("roll", {"expression": "1d6"}, seat="mira", command="2").number == second.number + 1


def test_a_command_that_was_refused_can_be_given_again(book: Book) -> None:
    campaign = begin_campaign(book)
    with pytest.raises(Refused):
        campaign.do("award", {"who": ("robin",), "amount": 5, "reason": "x"}, seat="mira", command="a")
    assert campaign.do("gain-token", {"who": "robin"}, command="a").command == "a"


def test_the_words_of_a_note_cannot_be_told_from_its_command_once_they_are_removed(book: Book) -> None:
    campaign = begin_campaign(book)
    note = campaign.do("note", {"text": "zyxel"}, command="n")
    assert campaign.do("note", {"text": "zyxel"}, command="n") == note
    with pytest.raises(Refused, match="something else already"):
        campaign.do("note", {"text": "plugh"}, command="n")
    again = campaign.do("note", {"text": "zyxel"}, command="m")
    assert again.command_digest != note.command_digest, "the salt of each note is in it"
    campaign.redact(note.action, why="private")
    assert campaign.do("note", {"text": "zyxel"}, command="n").events[0].text == ""  # type: ignore[attr-defined]


def test_an_x_card_has_no_command(book: Book) -> None:
    campaign = begin_campaign(book)
    raised = campaign.do("x-card", seat="mira", command="mira's own")
    assert (raised.seat, raised.command, raised.command_digest) == ("", "", "")
    assert all(b"own" not in change.entry.data for change in book.store.changes())


def test_a_timeline_knows_the_commands_from_before_it_was_forked(book: Book) -> None:
    campaign = begin_campaign(book)
    first = campaign.do("gain-token", {"who": "robin"}, command="1")
    fork = timelines.fork(book, campaign)
    timelines.begin(fork)
    campaign.do("gain-token", {"who": "robin"}, command="2")
    assert fork.do("gain-token", {"who": "robin"}, command="1") == first
    own = fork.do("gain-token", {"who": "robin"}, command="2")
    assert fork.do("gain-token", {"who": "robin"}, command="2") == own
    assert own.number == first.number + 1


def test_a_redaction_happens_once_under_its_id(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    note, other = (campaign.do("note", text=text).action for text in ("zyxel", "plugh"))
    entry = campaign.redact(note, why="private", command="form-1")
    before = campaign.head
    assert file_book(tmp_path).campaign(campaign.id).redact(note, why="private", command="form-1") == entry
    for action, why in ((note, "another"), (other, "private")):
        with pytest.raises(Refused, match="given to something else"):
            campaign.redact(action, why=why, command="form-1")
    assert campaign.refresh() == before


@pytest.mark.parametrize("faulty", ["x" * 81, "a\nb", "a\tb", "\x00", "\u2028", "\ud800"])
def test_an_id_that_cannot_be_one_is_refused(campaign: Campaign, faulty: str) -> None:
    gained = campaign.play(GainToken(who="robin"), command="y" * 80)
    note = campaign.do("note", text="zyxel").action
    before = campaign.head
    tries: tuple[Callable[[], object], ...] = (
        lambda: campaign.play(GainToken(who="robin"), command=faulty),
        lambda: campaign.say("gain-token robin", command=faulty),
        lambda: campaign.say("undo --why so", command=faulty),
        lambda: campaign.corrections.undo(gained.action, reason="no").apply(command=faulty),
        lambda: campaign.corrections.undo(gained.action, options=CorrectionOptions(command=faulty)),
        lambda: campaign.corrections.record_second_thought(SecondThought(kind="reroll"), command=faulty),
        lambda: campaign.redact(note, why="private", command=faulty),
    )
    for attempt in tries:
        with pytest.raises(
            Refused, match="A command id has 1 to 80 characters, and no line break or control character"
        ):
            attempt()
    assert campaign.refresh() == before
