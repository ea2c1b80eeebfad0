"""docs/asking.md shows what the program says: every command on the page is typed, and every answer compared."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(?: UTC)?")


def test_every_answer_on_the_page_is_the_one_that_is_given(rollbook) -> None:
    page = (ROOT / "docs" / "asking.md").read_text(encoding="utf-8")
    assert rollbook(f"play {ROOT / 'examples' / 'sherwood.session'}").code == 0
    shown = [asked for block in page.split("```\n")[1::2] for asked in block.split("$ rollbook ")[1:]]
    assert len(shown) >= 12
    for asked in shown:
        words, _, answer = asked.partition("\n")
        said = rollbook(words)
        assert said.code == 0, said.err
        assert TIME.sub("DAY", said.out.rstrip()) == TIME.sub("DAY", answer.rstrip()), words
