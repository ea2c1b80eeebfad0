"""A correction with a command id is made once, however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.application.corrections import CorrectionRequest, Preview
from rollbook.domain.base.errors import Refused, StaleHistory
from rollbook.domain.corrections.changes import Amend, Change, CorrectionOptions, Undo
from rollbook.domain.entries import SecondThought
from tests.support.campaigns import begin_campaign, file_book, token_and_orphan
from tests.support.toy_verbs import GainToken


def test_a_correction_that_is_previewed_and_applied_again_happens_once(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    gained, spent = token_and_orphan(campaign)
    made = campaign.corrections.undo(gained, reason="no")
    entries = made.apply(command="form-1")
    assert [entry.action for entry in entries] == [gained, spent]
    assert {(entry.command, entry.command_digest) for entry in entries} == {("form-1", entries[0].command_digest)}
    assert made.apply(command="form-1") == entries
    campaign.do("note", text="Meanwhile")
    before = campaign.head
    other = file_book(tmp_path).campaign(campaign.id)
    options = CorrectionOptions(command="form-1")
    again = other.corrections.undo(gained, reason="no", options=options)
    assert (again.entries, again.changes) == ((), ())
    assert again.apply() == again.apply(command="form-1") == entries
    assert other.refresh() == before
    with pytest.raises(Refused, match="already undone"):
        other.corrections.undo(gained, reason="no", options=CorrectionOptions(command="form-2"))


def test_the_same_correction_from_two_programs_at_once_is_made_once(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    gained = campaign.play(GainToken(who="robin")).action
    other = file_book(tmp_path).campaign(campaign.id)
    here, there = (one.corrections.undo(gained, reason="no") for one in (campaign, other))
    entries = here.apply(command="form-1")
    assert there.apply(command="form-1") == entries
    assert other.refresh().entry == campaign.refresh().entry == entries[-1].number
    with pytest.raises(StaleHistory):
        there.apply(command="form-2")


def test_every_kind_of_correction_is_made_once_under_its_id(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    gained, _ = token_and_orphan(campaign)
    shot = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[19, 3]).action
    fix = campaign.corrections
    steps: tuple[Callable[[CorrectionOptions], Preview], ...] = (
        lambda options: fix.undo(gained, options=options),
        lambda options: fix.redo_together(gained, options=options),
        lambda options: fix.undo_last(options=options),
        lambda options: fix.undo_last(options=options),
        lambda options: fix.redo(gained, revision=1, options=options),
        lambda options: fix.amend(shot, {"target": "marian"}, options=options),
        lambda options: fix.amend(shot, retype=[18, 2], options=options),
    )
    for number, step in enumerate(steps):
        options = CorrectionOptions(reason="so", command=f"form-{number}")
        entries = step(options).apply()
        assert entries
        before = campaign.head
        assert step(options).apply() == entries
        with pytest.raises(Refused, match=f"'form-{number}' was given to something else already"):
            step(CorrectionOptions(reason="another", command=f"form-{number}"))
        assert campaign.refresh() == before


def test_an_amendment_is_known_by_what_was_asked_and_not_by_what_it_was_made_on(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    shot = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[19, 3])
    entries = campaign.corrections.amend(shot.action, retype=[18, 2], reason="typed wrong").apply(command="form-1")
    campaign.play(GainToken(who="robin"))
    before = campaign.head
    assert (
        campaign.corrections.amend(shot.action, retype=[18, 2], reason="typed wrong").apply(command="form-1") == entries
    )
    others = (
        campaign.corrections.amend(shot.action, retype=[18, 3], reason="typed wrong"),
        campaign.corrections.amend(shot.action, retype=[18, 2], reason="another"),
        campaign.corrections.amend(shot.action, {"target": "marian"}, reason="typed wrong"),
        campaign.corrections.undo(shot.action, reason="typed wrong"),
        campaign.corrections.amend(
            shot.action, retype=[18, 2], reason="typed wrong", options=CorrectionOptions(stand=True)
        ),
    )
    for other in others:
        with pytest.raises(Refused, match=f"'form-1' was given to something else already: action #{shot.action}"):
            other.apply(command="form-1")
    with pytest.raises(Refused, match="given to something else"):
        campaign.play(GainToken(who="robin"), command="form-1")
    assert campaign.refresh() == before


def test_a_second_thought_happens_once_under_its_id(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    thought = SecondThought(kind="reroll", character="robin")
    entries = campaign.corrections.record_second_thought(thought, seat="mira", dice=[19, 4], command="form-1")
    campaign.do("note", text="Meanwhile")
    before = campaign.head
    again = file_book(tmp_path).campaign(campaign.id).corrections
    assert again.record_second_thought(thought, seat="mira", dice=[19, 4], command="form-1") == entries
    with pytest.raises(Refused, match="given to something else"):
        again.record_second_thought(thought, seat="mira", dice=[19, 5], command="form-1")
    with pytest.raises(Refused, match="given to something else"):
        again.record_second_thought(SecondThought(kind="reroll"), seat="mira", dice=[19, 4], command="form-1")
    assert campaign.refresh() == before


def test_the_words_of_a_note_cannot_be_told_from_a_correction_once_they_are_removed(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    note = campaign.do("note", text="plugh").action
    gained, _ = token_and_orphan(campaign)
    changes: dict[int, Change] = {note: Amend({"text": "zyxel"}), gained: Undo()}
    entries = campaign.corrections.preview(changes, reason="so").apply(command="form-1")
    assert len(entries) == 3
    twin = campaign.do("note", text="plugh").action
    again = campaign.corrections.preview({twin: Amend({"text": "zyxel"})}, reason="so").apply(command="form-2")
    assert len({entry.command_digest for entry in (*entries, *again)}) == 2
    guess = CorrectionRequest({"changes": changes}, CorrectionOptions(reason="so")).command(campaign.session, "form-1")
    assert guess is not None
    assert guess.digest(event for entry in entries for event in entry.events) == entries[0].command_digest
    campaign.redact(note, why="private")
    left = [entry for entry in campaign.history.entries if entry.command == "form-1"]
    for remains in (*([entry] for entry in left), left):
        assert guess.digest(event for entry in remains for event in entry.events) != entries[0].command_digest
    kept = campaign.corrections.preview(changes, reason="so", options=CorrectionOptions(command="form-1")).apply()
    assert [entry.number for entry in kept] == [entry.number for entry in entries]
