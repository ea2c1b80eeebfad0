"""A store, once written, opens, audits and is played on: a session of each of the five games, as an earlier rollbook kept it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict

HERE = Path(__file__).parent
GAMES = {
    "carrow-bridge": "grid",
    "sherwood": "storytoken",
    "the-drowned-chapel": "russell",
    "the-lock-at-sallow-ford": "luckpoint",
    "the-night-ferry": "powers",
}


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    packed = HERE / "stores" / "five-games.1.db.gz"
    (tmp_path / "rollbook.db").write_bytes(gzip.decompress(packed.read_bytes()))
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds", create=False) as book:
        yield book


@pytest.mark.parametrize("name", GAMES)
def test_it_audits_as_it_did(book: Book, name: str) -> None:
    campaign = book.campaign(name)
    assert campaign.state.ruleset == GAMES[name]
    chain, dice, rules = (answer.verdict for answer in campaign.audit())
    assert (chain, dice) == (Verdict.VERIFIED, Verdict.VERIFIED)
    is_older = campaign.state.version != book.ruleset(GAMES[name]).version
    assert rules is (Verdict.UNPROVEN if is_older else Verdict.VERIFIED), campaign.audit()[2].findings


@pytest.mark.parametrize("name", GAMES)
def test_it_is_played_on_and_corrected_without_a_question(book: Book, name: str) -> None:
    campaign = book.campaign(name)
    before = campaign.head.entry
    campaign.say("open-session")
    campaign.say("roll 1d20")
    campaign.say("note We go on.")
    campaign.say("undo last --why slip")
    campaign.say("close-session")
    assert campaign.head.entry > before + 4
    assert campaign.audit()[0].verdict is Verdict.VERIFIED


def test_all_of_it_is_there(book: Book) -> None:
    assert sorted(book.campaigns()) == sorted(GAMES)
    assert sum(book.store.head(name) for name in book.campaigns()) == 254
