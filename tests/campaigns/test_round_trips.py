"""Export, import, export: every campaign that was ever played here gives the same file again, byte for byte."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rollbook.adapters.exports.whole_file import export_campaign
from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.adapters.imports.foundry.importer import read_foundry
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.imports.recording import record_import
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from tests.support.campaigns import book_with
from tests.support.example_sessions import EXAMPLE_SESSIONS, played_example
from tests.support.foundry import folder
from tests.support.golden_campaigns import GOLDEN_CAMPAIGNS

SHARED = Path(os.environ.get("ROLLBOOK_SHARED", Path(__file__).parents[2].parent / "shared"))
RECORDED = sorted((SHARED / "data" / "actual-play").glob("*.jsonl.gz"))
WORLDS = sorted(path for path in (folder() or Path("/nowhere")).glob("*") if path.is_dir())


def again(path: Path, folder: Path) -> bytes:
    """What a store exports that has taken in a file."""
    with open_book(folder / "again.db", folder / "seeds-again") as book:
        campaign = book.campaign(import_campaign(book, path).campaign)
        export_campaign(campaign.session.log, folder / "again.jsonl", overwrite=True)
    return (folder / "again.jsonl").read_bytes()


def there_and_back(campaign: Campaign, folder: Path) -> None:
    export_campaign(campaign.session.log, folder / "once.jsonl")
    assert again(folder / "once.jsonl", folder) == (folder / "once.jsonl").read_bytes()


@pytest.mark.parametrize("name", EXAMPLE_SESSIONS)
def test_an_example_comes_back_as_it_was(name: str, tmp_path: Path) -> None:
    campaign = played_example(name, tmp_path)
    there_and_back(campaign, tmp_path)
    book_with(campaign).close()


@pytest.mark.parametrize("path", GOLDEN_CAMPAIGNS, ids=lambda path: path.name)
def test_a_golden_log_comes_back_as_it_was(path: Path, tmp_path: Path) -> None:
    assert again(path, tmp_path) == path.read_bytes()


@pytest.mark.skipif(not RECORDED, reason="the recorded sessions are not here (shared/data/actual-play)")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name[:10])
def test_a_recorded_session_comes_back_as_it_was_taken_in(path: Path, tmp_path: Path) -> None:
    with open_book(tmp_path / "store.db", tmp_path / "seeds") as book:
        there_and_back(record_import(book, read_avrae(path)), tmp_path)


@pytest.mark.skipif(not WORLDS, reason="the campaigns of Foundry are not here (shared/data/foundry-play)")
@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.name)
def test_a_campaign_of_foundry_comes_back_as_it_was_taken_in(path: Path, tmp_path: Path) -> None:
    with open_book(tmp_path / "store.db", tmp_path / "seeds") as book:
        there_and_back(record_import(book, read_foundry(path)), tmp_path)
