"""At the command line, too, a line that a player's seat says is answered by what the player may see."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.terminal import CommandResult, RunRollbook

LINES = (
    "do attack robin guard longbow --distance 40 --seat Mira --dice 14,2",
    "do attack robin guard longbow --distance 40 --seat mira --dice 2",
    "do influence robin guard --way charm --seat Mira --dice 11",
    "do give-way robin guard --seat Mira",
    "do note aloud --seat Mira",
    "undo last --seat Mira --preview",
    "undo last --seat Mira --why so --yes",
    "redo last --seat Mira --preview",
    "redo last --seat Mira --why so --yes",
    "undo 8 --seat Mira --preview",
    "undo 8 --seat Mira --why so --yes",
    "redo 8 --seat Mira --why so --yes",
    "amend 8 distance=50 --seat Mira --preview",
    "amend 8 --retype 13,3 --seat Mira --why so --yes",
    "undo --correction --seat Mira --preview",
    "undo --correction --seat Mira --why so --yes",
    "undo --where text~shadow --seat Mira --preview",
    "do attack robin guard longbow --distance 40 --seat Mira --dice 5",
    "reroll --by robin --seat Mira --dice 15",
    "reroll --by robin --seat Mira --dice 15,2",
)
SCRIPT = "attack robin guard longbow --distance 40 --seat Mira ! 13 1\nundo last --seat Mira --why so\n"


@pytest.fixture
def stores(table: RunRollbook, home: Path) -> Iterator[tuple[Path, Path]]:
    """Two stores in which the guard was hurt by somebody hidden, in one of them more."""
    other = home / "other"
    shutil.copytree(home / "books", other)
    found = (home / "books" / "rollbook.db", other / "rollbook.db")
    for worse, store in enumerate(found):
        for line in (
            f"do adjust guard hp -{2 + worse} shadow --secret",
            f"do adjust robin hp -{1 + worse} shadow --secret",
            f"do note 'a shadow {worse}' --to gm",
        ):
            done = table(f"{line} --store {store}")
            assert done.code == 0, done.err
    return found


def said(answer: CommandResult) -> tuple[int, str, str]:
    """An answer without the moment at which it was given, and without what is drawn by lot."""
    out = re.sub(r'"at": ?\d+|"salt": ?"[0-9a-f]+"', "", answer.out)
    return answer.code, out, answer.err


@pytest.mark.parametrize("way", ["", " --json"])
def test_no_answer_to_a_players_seat_has_a_hidden_part_in_a_number(
    table: RunRollbook, stores: tuple[Path, Path], way: str
) -> None:
    done = 0
    for line in LINES:
        one, other = (said(table(f"{line}{way} --store {store}")) for store in stores)
        assert one == other, line
        done += one[0] == 0
    assert done > len(LINES) / 2


def test_nor_has_the_answer_to_a_line_of_a_script(
    table: RunRollbook, stores: tuple[Path, Path], tmp_path: Path
) -> None:
    script = tmp_path / "turn.session"
    script.write_text(SCRIPT, encoding="utf-8")
    one, other = (said(table(f"play {script} --store {store}")) for store in stores)
    assert one == other
    assert one[0] == 0
    assert "Hit points 5 of 18 → 10 of 18" in one[1]


def test_a_line_that_nobody_says_is_answered_by_everything(table: RunRollbook, stores: tuple[Path, Path]) -> None:
    line = "do attack robin guard longbow --distance 40 --dice 14,2"
    one, other = (said(table(f"{line} --store {store}")) for store in stores)
    assert one != other
    assert "Hit points 8 of" in one[1]
