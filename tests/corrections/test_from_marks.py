"""A history that is read a stretch at a time, from marks on disk, answers everything as the whole history does.

Random campaigns with corrections are played, projected now and then and opened again, with marks every few actions. Every
question and every preview is asked of the history in stretches and of the same entries in memory, which know no marks.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.verified_ranges import EntriesInRanges
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Correction, Proposal, Undo
from rollbook.domain.corrections.preview import preview
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.history import checkpoints
from rollbook.domain.history.history import History
from rollbook.domain.history.rulings import ruled, ruler_of
from tests.support.campaigns import begin_campaign, campaign_over, file_book, play_campaign_steps
from tests.support.comparison import comparable
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, imported_book
from tests.support.random_steps import CorrectionStep, RandomSteps

CAMPAIGNS = int(os.environ.get("ROLLBOOK_CAMPAIGNS", "12"))
QUESTIONS: tuple[Callable[[History, int], object], ...] = (
    History.effective,
    History.revisions,
    History.latest_outcome,
    History.intent_of,
    History.seat_of,
    ruler_of,
    History.taken,
    History.entry_of,
    History.place_of,
    History.next_revision,
    History.drawn_for,
    History.counting,
    lambda history, action: ruled(history, action, history.intent_of(action)),
    lambda history, action: history.fingerprint_of(history.latest_outcome(action)),
    lambda history, action: history.follows(history.latest_outcome(action)),
    lambda history, action: list(history.dice_of(action)),
    lambda history, action: comparable(history.state_before(action)),
)
OF_ALL: tuple[Callable[[History], object], ...] = (
    lambda history: (history.head, history.actions, history.shown, history.fingerprint, history.last_correction),
    lambda history: history.correction(history.last_correction),
    lambda history: list(history.entries),
    lambda history: list(history.corrections_backwards()),
    lambda history: [history.actions_at(entry) for entry in range(history.head + 1)],
    lambda history: comparable(history.state),
    lambda history: history.ledger,
)


def in_stretches(campaign: Campaign) -> History:
    """The history of a campaign that was just opened: none of it is in memory but what is asked for."""
    history = campaign.session.history.look_back()
    assert history.entries.__class__ is EntriesInRanges
    return history


def whole(campaign: Campaign) -> History:
    """The same entries without any marks."""
    return History(list(campaign.session.log.entries()))


def proposed(history: History, step: CorrectionStep, campaign: Campaign) -> object:
    """What a correction comes to, or why not."""
    correction = Correction(changes=step.changes, seat="Ana", reason="so", stand=step.stand, orphans=step.orphans)
    try:
        made = preview(history, correction, campaign.session.rulebook)
    except (Refused, NotFound, DiceNeeded) as refused:
        return type(refused), str(refused)
    return said(made)


def said(made: Proposal) -> list[object]:
    fields = (getattr(made, field.name) for field in attrs.fields(Proposal) if field.name != "after")
    return [*fields, comparable(made.after)]


def answers_are_the_same(mine: History, other: History) -> None:
    for ask in OF_ALL:
        assert ask(mine) == ask(other)
    for action in range(1, other.actions + 1):
        for question in QUESTIONS:
            assert question(mine, action) == question(other, action), (question, action)
        assert comparable(mine.as_corrected_to(action)) == comparable(other.as_corrected_to(action))


def past_is_the_same(mine: History, other: History, entries: range) -> None:
    for entry in entries:
        assert comparable(mine.as_known_at(entry)) == comparable(other.as_known_at(entry)), entry


@pytest.mark.parametrize("seed", range(CAMPAIGNS))
def test_every_answer_from_marks_is_that_of_the_whole_history(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "CHECKPOINT_EVERY", (1, 2, 3, 5, 9)[seed % 5])
    chance = RandomSteps(seed)
    with file_book(tmp_path) as book:
        begin_campaign(book)
    for round_ in range(4):
        with file_book(tmp_path) as book:
            campaign = book.campaign("sherwood")
            play_campaign_steps(campaign, chance, 9, corrections=0.35)
            if round_ != 2:  # what nobody has projected is read from the store
                campaign.session.project()
        with file_book(tmp_path) as book:
            campaign = book.campaign("sherwood")
            mine, other = campaign.session.history.look_back(), whole(campaign)
            step = chance.correction(other)
            if step.changes:
                assert proposed(mine, step, campaign) == proposed(other, step, campaign)
            last = CorrectionStep(changes={other.actions: Undo()})
            assert proposed(mine, last, campaign) == proposed(other, last, campaign)
            answers_are_the_same(mine, other)
            past_is_the_same(mine, other, range(0, other.head + 1, 3))
            assert mine is campaign.session.history.look_back()
            campaign.session.project()


def test_a_correction_in_stretches_is_carried_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "CHECKPOINT_EVERY", 4)
    chance = RandomSteps(3)
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        play_campaign_steps(campaign, chance, 40, corrections=0.1)
        campaign.session.project()
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        history = campaign.session.history.look_back()
        for back in (0, 3, 1):
            counts = [action for action, entry in history.outcomes(9) if entry is not None]
            campaign.corrections.undo(counts[-1 - back], reason="so").apply()
            campaign.do("scene", {"title": "the ford"})
            assert campaign.session.history.look_back() is history
            answers_are_the_same(history, whole(campaign))


def asked(book: Book) -> Campaign:
    return book.campaign(book.campaigns()[0])


@pytest.mark.parametrize("path", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def test_undoing_in_a_recorded_campaign_is_the_same_from_marks(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "CHECKPOINT_EVERY", 7)
    book = imported_book(path, tmp_path)
    asked(book).session.project()
    campaign = campaign_over(asked(book).session.log, book.rulebook, book.seeds, book.read_model)
    mine, other = in_stretches(campaign), whole(campaign)
    for action in range(2, other.actions + 1, 5):
        step = CorrectionStep(changes={action: Undo()})
        assert proposed(mine, step, campaign) == proposed(other, step, campaign), action
        assert comparable(mine.state_before(action)) == comparable(other.state_before(action))
