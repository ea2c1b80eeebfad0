"""An audit in one pass answers what three separate readings of everything answer, and keeps nothing that it does not need."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.base.progress import telling
from rollbook.domain.events import DiceRolled
from tests.support.audits import audit_rules, chain_of
from tests.support.campaigns import book_with
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS


@pytest.fixture(params=GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)
def corrected(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Campaign]:
    """A recorded campaign in a file, of which an early action was undone and redone and another one undone, with what follows."""
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        campaign = book.campaign(import_campaign(book, request.param).campaign)
        changed = 0
        for action in range(4, campaign.head.actions):
            try:
                campaign.corrections.undo(action, reason="a mistake").apply()
                if not changed:
                    campaign.corrections.redo(action, reason="none after all").apply()
            except Exception:  # noqa: BLE001 - final, or something that was never rolled: another one then
                continue
            changed += 1
            if changed == 2:
                break
        assert changed == 2
        yield campaign


def of_everything(campaign: Campaign) -> tuple[object, ...]:
    """The same answers from three readings, with every entry in memory."""
    entries = list(campaign.session.log.entries())
    chain = chain_of(campaign.session.log)
    return chain, audit_dice(entries), audit_rules(entries, campaign.session.rulebook)


def test_one_pass_answers_what_three_readings_answer(corrected: Campaign) -> None:
    assert corrected.audit() == of_everything(corrected)


def test_an_index_of_kinds_that_hides_the_corrections_changes_no_answer(corrected: Campaign) -> None:
    honest = corrected.audit()
    with closing(sqlite3.connect(book_with(corrected).location)) as connection, connection:
        connection.execute("DELETE FROM entry_kinds")
    assert not list(corrected.session.log.corrections())
    assert corrected.audit() == honest


@pytest.fixture(scope="module")
def rolls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """A campaign of two hundred rolls, in sessions of fifty that are over and revealed."""
    folder = tmp_path_factory.mktemp("rolls")
    with open_book(folder / "rollbook.db", folder / "seeds") as book:
        campaign = book.new("Rolls", "luckpoint")
        for at in range(200):
            if at % 50 == 0:
                campaign.do("open-session", {})
            campaign.do("roll", {"expression": "3d6 + 2"})
            if at % 50 == 49:
                campaign.do("close-session", {})
    with open_book(folder / "rollbook.db", folder / "seeds") as book:
        yield book.campaign("rolls")


def test_the_progress_of_an_audit_is_told_and_never_goes_beyond_the_whole(rolls: Campaign) -> None:
    told = list[tuple[int, int]]()
    with telling(lambda done, total: told.append((done, total))):
        rolls.audit()
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert len(told) >= 3
    assert {total for _, total in told} == {rolls.head.entry}


def test_an_audit_lets_go_of_the_rolls_of_sessions_that_are_proven(rolls: Campaign) -> None:
    before, alive = in_memory(), list[int]()
    with telling(lambda *_: alive.append(in_memory() - before)):
        answers = rolls.audit()
    assert answers[1].checked == 600
    assert {str(answer.verdict) for answer in answers} == {"VERIFIED"}
    assert max(alive) <= 60


def in_memory() -> int:
    """How many rolls anything holds on to."""
    gc.collect()
    return sum(thing.__class__ is DiceRolled for thing in gc.get_objects())
