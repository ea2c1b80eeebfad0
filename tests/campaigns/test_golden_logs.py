"""A history, once written, loads, verifies and folds to the same state for ever; its file lets no change through."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from rollbook.adapters.exports.files import VERIFIER
from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import RecordedEntry
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS, OLDER_RULES, expected_file, folded_state
from tests.support.memory_store import MemoryEventStore

HERE = Path(__file__).parent
SHERWOOD = HERE / "sherwood.1.jsonl"


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(tmp_path / "seeds"))


GOLDEN = pytest.mark.parametrize("golden", GOLDEN_CAMPAIGNS, ids=lambda path: path.stem)


@GOLDEN
def test_every_campaign_still_verifies_and_every_action_of_it_comes_out_as_recorded(book: Book, golden: Path) -> None:
    report = import_campaign(book, golden)
    campaign = book.campaign(report.campaign)
    rules = Verdict.UNPROVEN if golden.stem in OLDER_RULES else Verdict.VERIFIED
    assert [answer.verdict for answer in campaign.audit()] == [Verdict.VERIFIED, Verdict.VERIFIED, rules]
    played = [entry for entry in campaign.history.entries if entry.is_outcome]
    assert campaign.audit()[2].checked == len(played) == report.entries - len(undone_entries(campaign.history.entries))


@pytest.mark.parametrize("stem", OLDER_RULES)
def test_of_older_rules_the_audit_names_what_drifts_and_nothing_else(book: Book, stem: str) -> None:
    campaign = book.campaign(import_campaign(book, HERE / f"{stem}.jsonl").campaign)
    version, *drifted = [finding.text for finding in campaign.audit()[2].findings]
    assert version.startswith(f"played by {campaign.state.ruleset} ")
    assert len(drifted) == len(OLDER_RULES[stem]), drifted
    for said, begins in zip(drifted, OLDER_RULES[stem], strict=True):
        assert said.startswith(begins)


def undone_entries(entries: list[RecordedEntry]) -> list[RecordedEntry]:
    return [entry for entry in entries if not entry.is_outcome]


def test_what_a_player_was_once_shown_still_verifies_without_rollbook() -> None:
    verifier = HERE.parents[1] / "adapters" / "exports" / VERIFIER
    shown = sorted((HERE / "shown").glob("*.jsonl"))
    assert shown
    for path in shown:
        command = [sys.executable, "-I", str(verifier), str(path)]
        said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
        whispers = said.count("nothing else here vouches for: 1")
        chain = "UNPROVEN  31 of 32" if whispers else "VERIFIED"
        assert said.startswith(f"chain  {chain}"), said
        assert "\ndice   UNPROVEN" in said
        assert "dice were drawn for a correction, and this file does not say of what" in said


@GOLDEN
def test_every_campaign_still_folds_to_the_same_state(book: Book, golden: Path) -> None:
    campaign = book.campaign(import_campaign(book, golden).campaign)
    recorded = json.loads(expected_file(golden).read_text(encoding="utf-8"))
    assert json.loads(json.dumps(folded_state(campaign.state))) == recorded


@GOLDEN
def test_every_sheet_of_every_campaign_can_be_shown(book: Book, golden: Path) -> None:
    campaign = book.campaign(import_campaign(book, golden).campaign)
    assert {campaign.sheet(who).character for who in campaign.state.characters} == set(campaign.state.characters)


def test_the_first_campaign_ever_recorded_still_folds_to_the_same_sheets(book: Book) -> None:
    campaign = book.campaign(import_campaign(book, SHERWOOD).campaign)
    told = {
        who: (sheet.amount("ac"), str(sheet.value("hp")), sheet.amount("level"), sheet.amount("xp"))
        for who, sheet in ((who, campaign.sheet(who)) for who in campaign.state.characters)
    }
    assert told == {
        "robin-hood": (15, "36 of 36", 8, 122_000),
        "sherlock-holmes": (11, "28 of 28", 8, 122_000),
        "count-dracula": (14, "51 of 58", 12, 602_000),
        "marian": (11, told["marian"][1], 2, 2_000),
        "sheriff": (17, "40 of 40", 0, 0),
        "guard": (12, "7 of 40", 0, 0),
    }


@GOLDEN
def test_export_import_export_gives_the_same_bytes(book: Book, tmp_path: Path, golden: Path) -> None:
    campaign = book.campaign(import_campaign(book, golden).campaign)
    export_campaign(campaign.session.log, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == golden.read_bytes()


@pytest.mark.parametrize("seed", range(150))
def test_a_changed_byte_anywhere_is_found_and_nothing_is_taken_in(book: Book, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    stored = bytearray(SHERWOOD.read_bytes())
    at = chance.randrange(len(stored))
    stored[at] ^= chance.randrange(1, 256)
    refused(book, tmp_path, bytes(stored))


@pytest.mark.parametrize("seed", range(40))
def test_a_file_that_was_cut_off_is_found(book: Book, tmp_path: Path, seed: int) -> None:
    stored = SHERWOOD.read_bytes()
    refused(book, tmp_path, stored[: random.Random(seed).randrange(len(stored))])


@pytest.mark.parametrize("seed", range(30))
def test_a_line_that_was_removed_doubled_or_swapped_is_found(book: Book, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    lines = SHERWOOD.read_bytes().splitlines(keepends=True)
    at = chance.randrange(1, len(lines) - 1)
    change = (lines[:at] + lines[at + 1 :], lines[:at] + lines[at : at + 1] + lines[at:], swapped(lines, at))[seed % 3]
    refused(book, tmp_path, b"".join(change))


def swapped(lines: list[bytes], at: int) -> list[bytes]:
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def refused(book: Book, tmp_path: Path, stored: bytes) -> None:
    """The import says in a sentence that it will not have it, and the store stays empty."""
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(stored)
    with pytest.raises(RollbookError, match=r"changed\.jsonl"):
        import_campaign(book, changed)
    assert book.campaigns() == ()
