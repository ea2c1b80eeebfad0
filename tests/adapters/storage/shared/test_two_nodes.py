"""Two nodes that play one session in turn roll what one would have rolled, and never the same die for different acts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest

from rollbook.adapters.storage.postgres.shared_secrets import SharedSecrets
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.ports.seed_store import DiceMarks
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.record import StreamCounter
from rollbook.domain.events import DiceRolled, Die
from tests.support.campaigns import before_writing, begin_campaign
from tests.support.postgres import PostgresServer, stuck
from tests.support.shared_stores import node
from tests.support.toy import TOY

pytestmark = pytest.mark.usefixtures("seed_key")
OPEN_DICE = StreamCounter(screen=False, fork=0, seat=0)


@contextmanager
def known_seeds() -> Iterator[None]:
    """Seeds that are made meanwhile are the same in every store."""
    drawn = (sha256(b"%d" % at).digest() for at in count())
    with patch("secrets.token_bytes", lambda size: next(drawn)[:size]):
        yield


def play(books: list[Book]) -> list[tuple[Die, ...]]:
    """Play a session, one act after the other at the next of the books. Returns all dice, in order."""
    with known_seeds():
        begin_campaign(books[0])
    for at in range(12):
        campaign = books[at % len(books)].campaign("sherwood")
        campaign.do("roll", {"expression": "3d20", "purpose": f"{at // 2}"}, secret=at % 3 == 0)
    books[0].campaign("sherwood").do("close-session")
    books[-1].campaign("sherwood").do("reveal-screen", {"session": 1})
    return dice(books[-1].campaign("sherwood"))


def dice(campaign: Campaign) -> list[tuple[Die, ...]]:
    events = (event for entry in campaign.history.entries for event in entry.events)
    return [event.dice for event in events if isinstance(event, DiceRolled)]


def test_two_nodes_in_turn_roll_what_one_would(postgres_store: str, tmp_path: Path) -> None:
    with open_book(tmp_path / "alone.db", tmp_path / "seeds") as alone:
        alone.registry = RulesetRegistry({"toy": TOY})
        expected = play([alone])
    with node(postgres_store, tmp_path / "one") as one, node(postgres_store, tmp_path / "other") as other:
        assert play([one, other]) == expected
        assert len(set(expected)) == 12
        for book in (one, other):
            campaign = book.campaign("sherwood")
            assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED] * 3
            assert dice(campaign) == expected


def test_two_nodes_at_once_never_hand_out_a_die_twice(postgres_store: str, tmp_path: Path) -> None:
    with node(postgres_store, tmp_path / "one") as one, node(postgres_store, tmp_path / "other") as other:
        begin_campaign(one)
        late = other.campaign("sherwood")
        for at in range(5):
            with before_writing(
                late, lambda at=at: one.campaign("sherwood").do("roll", {"expression": f"{at + 1}d20"})
            ):
                late.do("roll", {"expression": "2d12"})
        assert len(dice(late)) == 10
        late.do("close-session")
        assert late.audit()[1].verdict is Verdict.VERIFIED


def test_marks_only_rise_whichever_node_comes_last(postgres_store: str, tmp_path: Path) -> None:
    with node(postgres_store, tmp_path / "one") as one, node(postgres_store, tmp_path / "other") as other:
        session = begin_campaign(one).state.session
        assert session is not None
        ahead, behind = one.seeds.of_stream("sherwood"), other.seeds.of_stream("sherwood")
        ahead.raise_marks(session.identity, DiceMarks({OPEN_DICE: 7}))
        behind.raise_marks(session.identity, DiceMarks({OPEN_DICE: 3}, closed=True))
        for secrets in (ahead, behind):
            assert secrets.marks(session.identity) == DiceMarks({OPEN_DICE: 7}, closed=True)


def test_a_database_that_is_set_back_gives_no_dice_that_a_node_has_seen(
    postgres_server: PostgresServer, postgres_store: str, tmp_path: Path
) -> None:
    with node(postgres_store, tmp_path / "one") as one:
        campaign = begin_campaign(one)
        before = campaign.head.entry
        campaign.do("roll", {"expression": "1d20"})
    database = postgres_store.rpartition("/")[2]
    postgres_server.administer(f"DELETE FROM rollbook.stored_events WHERE originator_version > {before}", database)
    postgres_server.administer("TRUNCATE rollbook.dice_marks", database)
    for name in ("one", "another"):  # the second has it from the first
        with (
            node(postgres_store, tmp_path / name) as book,
            pytest.raises(Refused, match="played further than this store has it"),
        ):
            book.campaign("sherwood").do("roll", {"expression": "1d20"})


def test_what_follows_a_mark_is_waited_for_again(postgres_store: str, tmp_path: Path) -> None:
    with node(postgres_store, tmp_path / "one") as one:
        session = begin_campaign(one).state.session
        assert session is not None
        secrets = one.seeds.of_stream("sherwood")
        assert isinstance(secrets, SharedSecrets)
        secrets.raise_marks(session.identity, DiceMarks({OPEN_DICE: 7}))
        assert secrets.vault.connections.rows("SHOW synchronous_commit", "") == [("on",)]


def test_what_one_node_was_told_is_read_at_the_other_while_a_writer_elsewhere_is_stuck(
    postgres_server: PostgresServer, postgres_store: str, tmp_path: Path
) -> None:
    with node(postgres_store, tmp_path / "one") as one, node(postgres_store, tmp_path / "two") as two:
        begin_campaign(one)
        two.campaign("sherwood").session.project()
        assert two.is_whole("sherwood")
        with stuck(postgres_server):
            rolled = one.campaign("sherwood").do("roll", {"expression": "1d20", "purpose": "late"})
            assert not two.is_whole("sherwood"), "the tail waits, and yet it is known that there is more"
            two.campaign("sherwood").session.project()
            assert two.is_whole("sherwood")
            assert two.read_model.snapshot("sherwood").hash == one.campaign("sherwood").head.hash, rolled
        one.campaign("sherwood").do("roll", {"expression": "1d20", "purpose": "later"})
        assert not two.is_whole("sherwood")
