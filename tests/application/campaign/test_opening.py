"""A campaign is opened: from its entries or from a snapshot, by name, with what its rules hand out."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from rollbook.domain.events import PoolBecame
from rollbook.domain.state.lookup import find_character
from tests.support.campaigns import begin_campaign, campaign_over, every_change, file_book, play_campaign_steps, tokens
from tests.support.comparison import comparable
from tests.support.random_steps import RandomSteps


def test_what_was_played_is_there_when_the_book_is_opened_again(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
        state, head = comparable(campaign.state), campaign.head
    with file_book(tmp_path) as book:
        again = book.campaign("Sherwood")
        assert book.campaigns() == ("sherwood",)
        assert comparable(again.state) == state
        assert again.head == head


def test_a_campaign_is_found_by_name_and_near_misses_are_named(book: Book) -> None:
    begin_campaign(book, "Der Wald über dem Fluß")
    assert book.campaign("der-wald-über-dem-fluss").state.name == "Der Wald über dem Fluß"
    with pytest.raises(NotFound, match="Did you mean der-wald-über-dem-fluss"):
        book.campaign("der wald uber dem fluss")


def test_a_name_that_is_taken_or_none_and_a_ruleset_that_is_none_are_refused(book: Book) -> None:
    book.new("Sherwood", "toy")
    before = every_change(book)
    with pytest.raises(RollbookError, match="already a campaign 'sherwood'"):
        book.new("SHERWOOD!", "toy")
    with pytest.raises(RollbookError, match="letters or digits"):
        book.new(" - ", "toy")
    with pytest.raises(NotFound, match="no ruleset called 'toyy'"):
        book.new("Another", "toyy")
    with pytest.raises(Refused, match="setting of toy"):
        book.new("Another", "toy", {"crit": True})
    with pytest.raises(Refused, match="yes or no"):
        book.new("Another", "toy", {"crits": "perhaps"})
    with pytest.raises(Refused, match="at least 0"):
        book.new("Another", "toy", {"start": "-1"})
    assert every_change(book) == before


def test_house_rules_are_written_out_and_kept(book: Book) -> None:
    campaign = book.new("Sherwood", "toy", {"start": 5})
    assert campaign.state.settings == {"crits": True, "start": 5}
    campaign.do("take-seat", {"seat": "Ana", "role": "gm"})
    campaign.do("join", {"name": "Robin"})
    campaign.do("open-session")
    assert tokens(campaign) == 5


@pytest.mark.parametrize("seed", range(6))
def test_the_head_is_the_same_however_it_was_come_by(seed: int, book: Book) -> None:
    campaign = begin_campaign(book)
    play_campaign_steps(campaign, RandomSteps(seed), 40, corrections=0.35)
    head = campaign.head
    assert campaign.session.log.scan() == head
    fresh = campaign_over(campaign.session.log, book.rulebook, book.seeds, book.read_model)
    assert fresh.head == head
    assert comparable(fresh.state) == comparable(head.state)
    campaign.session.project()
    snapshot = book.read_model.snapshot(campaign.id)
    assert snapshot == head
    assert snapshot is not None
    assert comparable(snapshot.state) == comparable(head.state)


@pytest.mark.parametrize("seed", range(6))
def test_going_on_from_a_snapshot_is_going_on_from_everything(seed: int, book: Book) -> None:
    campaign = begin_campaign(book)
    chance = RandomSteps(seed)
    play_campaign_steps(campaign, chance, 15)
    campaign.session.project()
    short = campaign_over(campaign.session.log, book.rulebook, book.seeds, book.read_model)
    assert short.head == campaign.head
    assert short.session.history._history is None
    play_campaign_steps(campaign, chance, 6, corrections=0)
    short.do("scene", {"title": "the ford"})
    assert short.head == campaign.refresh() == campaign.session.log.scan()
    play_campaign_steps(campaign, chance, 15, corrections=0.5)
    assert short.refresh() == campaign.head


def test_a_snapshot_of_another_history_is_not_believed(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book).session.project()
    for path in tmp_path.glob("rollbook.db*"):
        path.unlink()
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        again = campaign_over(campaign.session.log, book.rulebook, book.seeds, book.read_model)
        assert again.head == campaign.head
        assert again.state.identity == campaign.state.identity


def test_a_character_is_found_by_id_name_or_an_unmistakable_beginning(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("join", {"name": "Robin the Younger"})
    state = campaign.state
    assert find_character(state, "ROBIN") == "robin"
    assert find_character(state, "robin the younger") == "robin-the-younger"
    assert find_character(state, "mar") == "marian"
    with pytest.raises(NotFound, match="may be any of robin, robin-the-younger"):
        find_character(state, "rob")
    with pytest.raises(NotFound, match="no character called 'nobody'"):
        find_character(state, "nobody")


def test_a_session_begins_with_what_the_rules_hand_out(book: Book) -> None:
    campaign = begin_campaign(book)
    gains = [event for entry in campaign.history.entries for event in entry.events if isinstance(event, PoolBecame)]
    assert {(event.holder, event.amount) for event in gains} == {("robin", 2), ("marian", 2)}


def test_a_book_is_opened_with_its_read_model_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "camp.db"
    with pytest.raises(NotFound):
        open_book(path, tmp_path / "seeds", create=False)
    with open_book(path, tmp_path / "seeds") as book:
        assert book.campaigns() == ()
        _ = book.read_model.db
    assert read_model_path(path) == tmp_path / "deep" / "camp.read.db"
    assert {found.name for found in path.parent.iterdir()} >= {"camp.db", "camp.read.db"}
