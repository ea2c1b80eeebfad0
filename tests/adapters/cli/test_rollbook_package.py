"""``import rollbook`` opens a book for scripts."""

from __future__ import annotations

from pathlib import Path

import rollbook as front_door


def test_a_script_opens_a_book_and_plays(home: Path) -> None:
    with front_door.open(home / "mine.db", seeds=home / "seeds") as book:
        campaign = book.new("Mine", "storytoken")
        campaign.do("note", {"text": "hello"})
        assert campaign.history.head == 2


def test_the_version_is_known() -> None:
    assert front_door.__version__
