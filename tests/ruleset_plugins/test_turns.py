"""The example turn at the head of each ruleset's page can be typed as it stands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.proofs import RULESETS
from tests.support.ruleset_pages import DOCS
from tests.support.typed_pages import at_home, type_page

__all__ = ["at_home"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("key", RULESETS)
def test_the_example_of_a_turn_can_be_typed(key: str, at_home: Path) -> None:
    page = (DOCS / f"{key}.md").read_text(encoding="utf-8")
    turn = page.partition("## A turn")[2].partition("\n## ")[0]
    assert page.index("## A turn") < 800, "it comes first"
    assert type_page(turn, at_home) > 4
