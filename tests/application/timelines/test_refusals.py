"""What is asked of canon as if it were a timeline is refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.timelines.comparing import compare
from rollbook.application.timelines.forking import merge_plan
from rollbook.domain.base.errors import Refused
from tests.support.campaigns import begin_campaign, memory_book


def test_canon_is_neither_compared_with_itself_nor_taken_over(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    for asked in (compare, merge_plan):
        with pytest.raises(Refused, match="sherwood is canon itself"):
            asked(book, canon)  # type: ignore[operator]
