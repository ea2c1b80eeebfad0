"""No campaign is played by two rules: where several computers share a store, one whose rules differ reads and does not play."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.postgres.server import open_server
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.ports.rules_in_force import OVER_BYTES
from rollbook.application.ports.store_address import ServerAddress
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.base.errors import RulesetMissing
from tests.support.toy import TOY


@attrs.define
class Computers:
    """Computers that share a store, each with its own rules."""

    address: str
    folder: Path

    def book(self, fingerprint: str) -> Book:
        shared = open_server(ServerAddress(self.address))
        registry = RulesetRegistry({TOY.key: TOY}, fingerprints={TOY.key: fingerprint})
        return book_of(shared, SQLiteReadModel(), SeedKeeper(self.folder / "seeds"), registry, rules=shared.rules)


@pytest.fixture
def computers(postgres_store: str, tmp_path: Path) -> Computers:
    return Computers(postgres_store, tmp_path)


def test_the_first_to_play_puts_its_rules_in_force_and_others_read_only(computers: Computers) -> None:
    with computers.book("a" * 32) as first, computers.book("b" * 32) as other:
        first.new("Sherwood", TOY.key)
        campaign = other.campaign("sherwood")
        assert campaign.state.name == "Sherwood"
        with pytest.raises(
            RulesetMissing, match=r"other files of the ruleset 'toy' \(bbbbbbbbbbbb\) than .*\(aaaaaaaaaaaa\)"
        ):
            campaign.do("note", {"text": "hello"})
        with pytest.raises(RulesetMissing, match="so it reads and does not play"):
            other.new("Elsewhere", TOY.key)
        assert first.store.head("sherwood") == 1
        assert first.campaigns() == ("sherwood",)


def test_rules_that_are_put_in_force_count_for_all_from_then_on(computers: Computers) -> None:
    with computers.book("a" * 32) as old, computers.book("b" * 32) as new:
        old.new("Sherwood", TOY.key)
        assert new.surroundings.rules is not None
        assert new.surroundings.rules.put(TOY.key, "b" * 32, "a" * 32) == "b" * 32
        old.campaign("sherwood").do("note", {"text": "by the old rules, as long as nobody has played on"})
        new.campaign("sherwood").do("note", {"text": "by the new ones"})
        with pytest.raises(RulesetMissing):
            old.campaign("sherwood").do("note", {"text": "never both"})
        prints = [entry.fingerprint for entry in new.campaign("sherwood").history.entries]
        assert prints == ["a" * 32, "", "b" * 32]


@pytest.mark.parametrize("old", sorted(OVER_BYTES))
def test_a_fingerprint_over_bytes_gives_way_to_the_same_rules_by_their_syntax(computers: Computers, old: str) -> None:
    with computers.book(old) as before, computers.book("b" * 32) as now:
        before.new("Sherwood", TOY.key)
        campaign = now.campaign("sherwood")
        campaign.do("note", {"text": "nobody was asked to adopt anything"})
        assert campaign.audit()[0].verdict == "VERIFIED"
        with pytest.raises(RulesetMissing):
            before.campaign("sherwood").do("note", {"text": "never both"})


def test_a_program_under_which_files_change_says_so(computers: Computers) -> None:
    with computers.book("a" * 32) as known, computers.book("") as changed:
        known.new("Sherwood", TOY.key)
        with pytest.raises(
            RulesetMissing, match="have changed on this computer since the program began.*start it again"
        ):
            changed.campaign("sherwood").do("note", {"text": "by what?"})


def test_of_two_that_put_rules_in_force_one_does(computers: Computers) -> None:
    with computers.book("a" * 32) as one:
        assert one.surroundings.rules is not None
        assert one.surroundings.rules.put("toy", "a" * 32, "") == "a" * 32
        assert one.surroundings.rules.put("toy", "b" * 32, "") == "a" * 32
        assert one.surroundings.rules.put("toy", "c" * 32, "a" * 32) == "c" * 32
        assert one.surroundings.rules.put("toy", "b" * 32, "a" * 32) == "c" * 32
