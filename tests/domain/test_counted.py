"""One of something is told in the singular, and an empty list as a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.base.number_words import counted, there_are
from tests.support.campaigns import memory_book


@pytest.mark.parametrize(("many", "said"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice"), (1200, "1,200 dice")])
def test_one_is_told_in_the_singular(many: int, said: str) -> None:
    assert counted(many, "die", "dice") == said


@pytest.mark.parametrize(
    ("names", "said"),
    [((), "There are none."), (("Blur",), "There is: Blur."), (("Ray", "Blur"), "There are: Ray, Blur.")],
)
def test_what_there_is_is_a_sentence(names: tuple[str, ...], said: str) -> None:
    assert there_are(names) == said


def test_one_die_that_is_proven_is_one_die(tmp_path: Path) -> None:
    campaign = memory_book(tmp_path).new("Woods", "toy")
    campaign.do("open-session")
    campaign.do("roll", expression="1d6")
    campaign.do("close-session")
    assert "1 die proven" in campaign.audit()[1].remarks
