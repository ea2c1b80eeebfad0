"""What is asked of canon as if it were a timeline is refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.timelines.comparing import compare
from adapters.timelines.taking_over import plan_of
from domain.errors import Refused
from tests.desk import begin, in_memory


def test_canon_is_neither_compared_with_itself_nor_taken_over(tmp_path: Path) -> None:
    book = in_memory(tmp_path)
    canon = begin(book)
    for asked in (compare, plan_of):
        with pytest.raises(Refused, match="sherwood is canon itself"):
            asked(book, canon)  # type: ignore[operator]
