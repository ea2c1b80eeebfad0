"""What a worker knows of an open campaign without a look at its store, and when it has to look."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rollbook.adapters.storage.read_model import model, stream_positions
from rollbook.adapters.web.workers.campaign_workers import CampaignWorker
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.history.read_model import JustRead
from rollbook.domain.history.event_store import StreamState
from tests.support.read_models import rebuilt, rows

NORTH = "north"


@contextmanager
def at_a_worker(address: str, folder: Path) -> Iterator[tuple[CampaignWorker, Book]]:
    """A worker, and the book of another program that plays in the same campaigns."""
    with open_book(address, folder / "others") as other:
        for name in (NORTH, "south"):
            other.new(name, "storytoken")
        worker = CampaignWorker(lambda: open_book(address, folder / "seeds"), 1)
        try:
            yield worker, other
        finally:
            worker.let_go()


def played_by_both(address: str, folder: Path, chance: Random) -> None:
    """Both play, and the worker follows now so, now otherwise; it is told of all that the other does."""
    rung, told = set[str](), 0
    with at_a_worker(address, folder) as (worker, other):
        table = worker.warm(NORTH)
        for step in range(60):
            match chance.choice(["own", "own", "other", "elsewhere", "bell", "warm", "redact"]):
                case "own":
                    table.campaign.do("note", {"text": f"own {step}"})
                    table.follow(after_adding=True)
                    assert table.is_followed
                case "other":
                    other.campaign(NORTH).do("note", {"text": f"other {step}"})
                    rung.add(other.campaign(NORTH).head.hash)
                case "elsewhere":
                    other.campaign("south").do("note", {"text": f"south {step}"})
                case "redact" if step > 40 and not told:
                    other.campaign(NORTH).do("note", {"text": "a secret"})
                    told = other.campaign(NORTH).head.actions
                    other.campaign(NORTH).redact(told, why="x")
                    rung.add("")
                case _:
                    table = worker.followed(NORTH, rung) if chance.random() < 0.5 else worker.warm(NORTH)
                    rung.clear()
                    assert table.campaign.head == other.campaign(NORTH).refresh()
                    assert [line.entry for line in table.edition(None).read_model.log(NORTH, last=1)] == [
                        table.campaign.head.entry
                    ]
        for name in (NORTH, "south"):
            worker.warm(name)
        followed = worker.book.read_model
        assert isinstance(followed, model.SQLiteReadModel)
        followed.catch_up(worker.book.store, worker.book.rulebook)
        assert rows(followed) == rows(rebuilt(worker.book))
        assert not followed.witnesses()
        assert told


@pytest.mark.parametrize("seed", range(4))
def test_two_programs_in_one_campaign_know_all_that_was_rung(tmp_path: Path, seed: int) -> None:
    played_by_both(str(tmp_path / "rollbook.db"), tmp_path, Random(seed))


@pytest.mark.usefixtures("seed_key")
def test_two_nodes_in_one_campaign_know_all_that_was_rung(postgres_store: str, tmp_path: Path) -> None:
    played_by_both(postgres_store, tmp_path, Random(4))


def test_what_was_added_here_is_the_newest_and_the_next_look_finds_the_rest(tmp_path: Path) -> None:
    with at_a_worker(str(tmp_path / "rollbook.db"), tmp_path) as (worker, other):
        table = worker.warm(NORTH)
        mine = table.campaign.do("note", {"text": "mine"}).number
        other.campaign(NORTH).do("note", {"text": "theirs"})
        table.follow(after_adding=True)
        assert table.campaign.head.entry == mine
        assert worker.followed(NORTH, {table.campaign.head.hash}) is table
        assert table.campaign.head.entry == mine
        assert worker.followed(NORTH, {table.campaign.head.hash, "another"}).campaign.head.entry == mine + 1
        other.campaign(NORTH).do("note", {"text": "more"})
        table.follow(after_adding=True)  # nothing was added here since
        assert table.campaign.head.entry == mine + 2


def test_an_act_that_was_not_followed_is_looked_at(tmp_path: Path) -> None:
    with at_a_worker(str(tmp_path / "rollbook.db"), tmp_path) as (worker, _):
        table = worker.warm(NORTH)
        number = table.campaign.do("note", {"text": "mine"}).number
        assert not table.is_followed
        table = worker.followed(NORTH, ())
        assert [line.entry for line in table.edition(None).read_model.log(NORTH, last=1)] == [number]


@pytest.mark.parametrize(
    ("change", "looks"),
    [
        ({}, 0),
        ({"identity": "another"}, 1),
        ({"removals": 7}, 1),
        ({"known": (1, "another")}, 1),
        ({"known": (0, "")}, 1),
    ],
)
def test_a_campaign_that_was_just_read_is_looked_at_unless_it_goes_on_from_the_end_that_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, object], looks: int
) -> None:
    looked, look = list[object](), stream_positions.look
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book, closing(model.SQLiteReadModel()) as rows_of:
        campaign = book.new(NORTH, "storytoken")
        rows_of.belongs_to(book.store)
        head = campaign.refresh()
        rows_of.catch_up(book.store, book.rulebook, {NORTH: head}, only=(NORTH,))
        campaign.do("note", {"text": "on"})
        seen = book.store.stream_state(NORTH, head.entry)

        def looking(*asked: Any) -> str:
            looked.append(asked)
            return look(*asked)

        monkeypatch.setattr(stream_positions, "look", looking)

        def follow(now: StreamState) -> None:
            heads = {NORTH: campaign.refresh()}
            read = JustRead(now, campaign.session.log.recent)
            rows_of.catch_up(book.store, book.rulebook, heads, only=(NORTH,), just_read=read)

        follow(seen._replace(**change))  # type: ignore[arg-type]
        assert len(looked) == looks
        assert rows_of.log(NORTH, last=1)[0].entry == campaign.head.entry
        monkeypatch.setattr(model, "monotonic", lambda: rows_of._next_look + 1)
        follow(book.store.stream_state(NORTH, campaign.head.entry))
        assert len(looked) == looks + 1, "all streams have their turn now and then"
