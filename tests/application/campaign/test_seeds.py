"""Seeds of dice are used for one session of one campaign in one store, and nowhere else."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.dice.stream import session_identity
from tests.support.campaigns import begin_campaign, file_book
from tests.support.memory_store import MemoryEventStore

CAMPAIGN, ANOTHER = "ab" * 16, "cd" * 16


def test_seeds_name_what_they_are_for(tmp_path: Path) -> None:
    seeds = SeedKeeper(tmp_path, "a store").new(CAMPAIGN)
    assert seeds.identity == session_identity(bytes.fromhex(CAMPAIGN), seeds.nonce)
    kept = json.loads((tmp_path / f"{seeds.identity.hex()}.json").read_text())
    assert (kept["session"], kept["campaign"], kept["store"]) == (seeds.identity.hex(), CAMPAIGN, "a store")


@pytest.mark.parametrize("other", ["session", "campaign", "store"])
def test_seeds_are_used_for_their_session_of_their_campaign_in_their_store(tmp_path: Path, other: str) -> None:
    keeper = SeedKeeper(tmp_path, "a store")
    seeds = keeper.new(CAMPAIGN)
    (path,) = tmp_path.iterdir()
    path.with_name(f"{ANOTHER}.json").write_text(path.read_text())
    asked = {"session": seeds.identity.hex(), "campaign": CAMPAIGN, "store": "a store"}
    assert keeper.of(asked["session"], asked["campaign"]) == seeds
    asked[other] = ANOTHER
    assert keeper.of_store(asked["store"]).of(asked["session"], asked["campaign"]) is None


def test_no_seeds_are_made_for_a_campaign_that_nothing_can_be_bound_to(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is not hexadecimal, so no dice can be bound to it"):
        SeedKeeper(tmp_path / "seeds").new("nobody's")
    assert not (tmp_path / "seeds").exists()


def test_a_copy_in_another_store_opens_a_session_of_its_own(tmp_path: Path) -> None:
    original = begin_campaign(file_book(tmp_path))
    original.do("roll", {"expression": "1d20"})
    export_campaign(original.session.log, tmp_path / "all.jsonl")
    book = file_book(tmp_path, MemoryEventStore())
    import_campaign(book, tmp_path / "all.jsonl", "copy")
    copy = book.campaign("copy")
    with pytest.raises(Refused, match="their seeds are not here.*or close this session and open one of your own"):
        copy.do("roll", {"expression": "1d20"})
    copy.do("close-session")
    copy.do("open-session")
    copy.do("roll", {"expression": "1d20"})
    copy.do("close-session")
    dice = copy.audit()[1]
    assert dice.verdict is Verdict.UNPROVEN
    assert [finding.text for finding in dice.findings] == ["the dice of session 1 are not revealed yet"]
    original.do("close-session")
    assert original.audit()[1].verdict is Verdict.VERIFIED


def test_seeds_lie_outside_the_store_and_are_their_owners_alone(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        session = campaign.state.session
        assert session is not None
        (path,) = book.seeds.folder.iterdir()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(book.seeds.folder.stat().st_mode) == 0o700
        seeds = book.seeds.of(session.identity, campaign.state.identity)
        assert seeds is not None
        assert seeds.commits == (session.commit_table, session.commit_screen)
        campaign.do("bet", {"who": "robin", "dice": 3})
        campaign.do("hide", {"who": "robin"})
        campaign.session.project()
        assert not is_anywhere(tmp_path, seeds.table)
        assert not is_anywhere(tmp_path, seeds.screen)
        campaign.do("close-session")
        assert is_anywhere(tmp_path, seeds.table)
        assert not is_anywhere(tmp_path, seeds.screen)
        with pytest.raises(NotFound, match="not kept on this computer"):
            campaign.do("reveal-screen", {"session": 2})
        campaign.do("reveal-screen", {"session": 1})
        assert is_anywhere(tmp_path, seeds.screen)


def is_anywhere(folder: Path, secret: bytes) -> bool:
    """Whether a secret stands in the store, its log or the read model, as it is or in hexadecimal."""
    held = b"".join(path.read_bytes() for path in folder.glob("rollbook*"))
    return secret in held or secret.hex().encode() in held


def test_an_open_session_keeps_its_screen_shut(book: Book) -> None:
    campaign = begin_campaign(book)
    with pytest.raises(Refused, match="stay secret"):
        campaign.do("reveal-screen", {"session": 1})


def test_without_its_seeds_a_session_goes_on_with_real_dice(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        begin_campaign(book)
    for path in (tmp_path / "seeds").iterdir():
        path.write_text("{")
    with file_book(tmp_path) as book:
        campaign = book.campaign("sherwood")
        with pytest.raises(Refused, match="their seeds are not here"):
            campaign.do("bet", {"who": "robin", "dice": 1})
        campaign.do("bet", {"who": "robin", "dice": 1}, dice=(4,))
        campaign.do("close-session")
        assert campaign.audit()[1].verdict is Verdict.UNPROVEN


def test_seeds_that_were_never_committed_to_are_forgotten(tmp_path: Path) -> None:
    keeper = SeedKeeper(tmp_path / "seeds")
    seeds = keeper.new("ab" * 16)
    assert keeper.of(seeds.identity.hex(), "ab" * 16) == seeds
    keeper.forget(seeds)
    keeper.forget(seeds)
    assert keeper.of(seeds.identity.hex(), "ab" * 16) is None
    assert keeper.of("../../etc/passwd", "ab" * 16) is None
