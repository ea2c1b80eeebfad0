"""Two at the same store while words are removed: nothing that is written meanwhile brings them back, or keeps them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from domain.errors import StaleHistory
from tests.support.campaigns import begin_campaign, file_book

WORDS = "zyxel and plugh"


def words_on_disk(folder: Path) -> list[str]:
    """The files in which the words still stand."""
    return [path.name for path in sorted(folder.iterdir()) if path.is_file() and b"zyxel" in path.read_bytes()]


def test_words_that_were_rewritten_meanwhile_are_not_forgotten(tmp_path: Path) -> None:
    one, other = file_book(tmp_path), file_book(tmp_path)
    campaign = begin_campaign(one)
    note = campaign.do("note", {"text": WORDS}).action
    elsewhere = other.campaign("sherwood")
    read = campaign.log.without_words

    def read_and_wait(numbers: Collection[int]) -> Any:
        found = read(numbers)
        elsewhere.corrections.amend(note, {"text": f"once more {WORDS}"}, reason="better").apply()
        return found

    campaign.log.without_words = read_and_wait  # type: ignore[method-assign]
    with pytest.raises(StaleHistory, match=f"#{note} at the same moment. Nothing was removed"):
        campaign.redact(note, why="private")
    campaign.log.without_words = read  # type: ignore[method-assign]
    assert words_on_disk(tmp_path)
    campaign.redact(note, why="private")
    assert words_on_disk(tmp_path) == []
    one.close()
    other.close()


def test_a_process_that_read_the_words_before_does_not_write_them_again(tmp_path: Path) -> None:
    one, other = file_book(tmp_path), file_book(tmp_path)
    campaign = begin_campaign(one)
    note = campaign.do("note", {"text": WORDS}).action
    elsewhere = other.campaign("sherwood")
    assert elsewhere.load_history().actions == note
    campaign.redact(note, why="private")
    assert words_on_disk(tmp_path) == []
    elsewhere.corrections.amend(note, {"to": "gm"}, reason="for the GM alone").apply()
    assert words_on_disk(tmp_path) == []
    assert elsewhere.audit()[0].verdict == "VERIFIED"
    one.close()
    other.close()
