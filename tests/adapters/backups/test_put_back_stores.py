"""A store that is put back from an older copy is shown as it is now, and what was seen of it before is never forgotten."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest

from rollbook.adapters.backups.restoring import restore
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.application.keeping.deleting import delete_campaign, stone_of
from rollbook.application.timelines.forking import fork
from rollbook.domain.audit.answers import Answer, Verdict
from tests.support.campaigns import begin_campaign, file_book, ticking_clock
from tests.support.read_models import rebuilt, rows

STORE, COPY = "rollbook.db", "older.db"
LATER = 1_800_000_000_000_000


def notes(folder: Path, *texts: str, start: int = 0) -> int:
    """Write notes; returns the number of the last entry."""
    with file_book(folder, clock=ticking_clock(start or LATER)) as book:
        campaign = book.campaign("sherwood") if book.campaigns() else begin_campaign(book)
        for text in texts:
            campaign.do("note", {"text": text})
        campaign.session.project()
        return campaign.head.entry


def copy(folder: Path) -> None:
    shutil.copy(folder / STORE, folder / COPY)


def put_back(folder: Path) -> None:
    """As somebody does who copies a file over another."""
    shutil.copy(folder / COPY, folder / STORE)


def chain(folder: Path) -> Answer:
    with file_book(folder) as book:
        return book.campaign("sherwood").audit()[0]


def noted(folder: Path) -> list[str]:
    with file_book(folder) as book:
        book.campaign("sherwood").session.project()
        assert rows(book.read_model) == rows(rebuilt(book))
        return [line.result for line in book.read_model.log("sherwood") if line.verb == "note"]


def lost(answer: Answer) -> list[str]:
    return [finding.text.partition(" (")[0] for finding in answer.findings]


@pytest.mark.parametrize("more", [1, 2, 3, 4])
def test_two_histories_are_never_mixed_in_the_log(tmp_path: Path, more: int) -> None:
    before = notes(tmp_path, "a wolf")
    copy(tmp_path)
    notes(tmp_path, "a bear", "an elk")
    put_back(tmp_path)
    others = ["a fox", "an owl", "a hare", "a mole"][:more]
    notes(tmp_path, *others, start=LATER + 10**9)
    assert noted(tmp_path) == ["a wolf", *others]
    answer = chain(tmp_path)
    assert answer.verdict is Verdict.FAILED
    assert lost(answer) == [f"this computer once saw entries @{before + 1} to @{before + 2}"]
    assert answer.findings[0].entry == before + 1


def test_a_store_that_lost_its_end_is_not_verified_before_anything_else_is_asked(tmp_path: Path) -> None:
    before = notes(tmp_path, "a wolf")
    copy(tmp_path)
    notes(tmp_path, "a bear")
    put_back(tmp_path)
    assert lost(chain(tmp_path)) == [f"this computer once saw entry @{before + 1}"]
    assert noted(tmp_path) == ["a wolf"]


def test_witnesses_survive_rebuilds_and_several_older_copies(tmp_path: Path) -> None:
    before = notes(tmp_path, "a wolf")
    copy(tmp_path)
    for times in range(1, 4):
        notes(tmp_path, *["a bear"] * times, start=LATER + times * 10**9)
        put_back(tmp_path)
        notes(tmp_path)
    with file_book(tmp_path) as book:
        book.read_model.rebuild(book.store, book.rulebook)
    for path in tmp_path.glob("rollbook.read.db*"):
        path.unlink()
    notes(tmp_path, "an owl", start=LATER + 9 * 10**9)
    assert lost(chain(tmp_path)) == [
        f"this computer once saw entry @{before + 1}",
        *(f"this computer once saw entries @{before + 1} to @{before + times}" for times in (2, 3)),
    ]
    assert stat.S_IMODE((tmp_path / "rollbook.read.seen.jsonl").stat().st_mode) == 0o600


def test_what_was_lost_and_comes_back_is_no_longer_missing(tmp_path: Path) -> None:
    notes(tmp_path, "a wolf")
    copy(tmp_path)
    notes(tmp_path, "a bear")
    shutil.copy(tmp_path / STORE, tmp_path / "newer.db")
    put_back(tmp_path)
    assert chain(tmp_path).verdict is Verdict.FAILED
    shutil.copy(tmp_path / "newer.db", tmp_path / STORE)
    assert chain(tmp_path).verdict is Verdict.VERIFIED
    assert noted(tmp_path) == ["a wolf", "a bear"]


def test_after_a_restore_the_audit_is_unproven_and_says_what_was_seen(tmp_path: Path) -> None:
    before = notes(tmp_path, "a wolf")
    copy(tmp_path)
    notes(tmp_path, "a bear", "an elk")
    restore(tmp_path / STORE, SeedKeeper(tmp_path / "seeds"), tmp_path / COPY)
    for _ in range(2):
        answer = chain(tmp_path)
        assert answer.verdict is Verdict.UNPROVEN
        assert lost(answer) == [f"this computer once saw entries @{before + 1} to @{before + 2}"]
        assert "restored over them" in answer.findings[0].text
        notes(tmp_path, "a fox", start=LATER + 10**9)


def test_a_read_model_that_followed_a_timeline_that_is_gone_starts_again(tmp_path: Path) -> None:
    """Nothing of the campaign itself is lost, but what was written since has places that the read model has passed."""
    before = notes(tmp_path, "a wolf")
    copy(tmp_path)
    with file_book(tmp_path) as book:
        timeline = fork(book, book.campaign("sherwood"))
        for text in ("a bear", "an elk", "a boar"):
            timeline.do("note", {"text": text})
        book.campaign("sherwood").session.project()
    put_back(tmp_path)
    assert notes(tmp_path, "a fox", "an owl", start=LATER + 10**9) == before + 2
    assert noted(tmp_path) == ["a wolf", "a fox", "an owl"]
    assert chain(tmp_path).verdict is Verdict.VERIFIED


def on_a_timeline(folder: Path, *texts: str) -> int:
    """Write notes on timeline 1, which is made if there is none; returns the number of its last entry."""
    with file_book(folder, clock=ticking_clock(LATER)) as book:
        canon = book.campaign("sherwood")
        timeline = book.campaign("sherwood~1") if book.timelines("sherwood") else fork(book, canon)
        for text in texts:
            timeline.do("note", {"text": text})
        timeline.session.project()
        return timeline.head.entry


def chain_of_the_timeline(folder: Path) -> Answer:
    with file_book(folder) as book:
        return book.campaign("sherwood~1").audit()[0]


def test_a_timeline_that_lost_its_end_is_not_verified(tmp_path: Path) -> None:
    notes(tmp_path, "a wolf")
    before = on_a_timeline(tmp_path, "a bear")
    copy(tmp_path)
    assert on_a_timeline(tmp_path, "an elk", "a boar") == before + 2
    assert chain_of_the_timeline(tmp_path).verdict is Verdict.VERIFIED
    put_back(tmp_path)
    for _ in range(2):
        answer = chain_of_the_timeline(tmp_path)
        assert answer.verdict is Verdict.FAILED
        assert lost(answer) == [f"this computer once saw entries @{before + 1} to @{before + 2}"]
        on_a_timeline(tmp_path, "an owl", "a hare", "a mole")
    assert chain(tmp_path).verdict is Verdict.VERIFIED


def test_a_timeline_after_a_restore_is_unproven(tmp_path: Path) -> None:
    notes(tmp_path, "a wolf")
    before = on_a_timeline(tmp_path, "a bear")
    copy(tmp_path)
    on_a_timeline(tmp_path, "an elk")
    restore(tmp_path / STORE, SeedKeeper(tmp_path / "seeds"), tmp_path / COPY)
    answer = chain_of_the_timeline(tmp_path)
    assert answer.verdict is Verdict.UNPROVEN
    assert lost(answer) == [f"this computer once saw entry @{before + 1}"]


def test_of_a_campaign_that_was_deleted_no_timeline_is_missed(tmp_path: Path) -> None:
    notes(tmp_path, "a wolf")
    on_a_timeline(tmp_path, "a bear")
    with file_book(tmp_path) as book:
        delete_campaign(book, stone_of(book, "sherwood"))
    notes(tmp_path, "a fox")
    on_a_timeline(tmp_path, "an owl")
    assert chain_of_the_timeline(tmp_path).verdict is Verdict.VERIFIED
    assert not (tmp_path / "rollbook.read.seen.jsonl").exists()
