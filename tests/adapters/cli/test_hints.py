"""What the program says to type next can be typed as it stands, whatever files are called."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

TYPED = re.compile(r"rollbook ((?:restore|sheet|import|new) .*?)(?: · .*)?$", re.MULTILINE)


def hints(said: str) -> list[str]:
    return TYPED.findall(said)


def test_after_a_backup_and_a_restore_the_way_back_is_typed(table, home: Path) -> None:
    (back,) = hints(table(f"backup '{home}/my copy.db'").out)
    (again,) = hints(table(back).out)
    assert table(again).code == 0


def test_a_file_of_another_format_is_taken_in_as_it_is_said(table, home: Path) -> None:
    table(f"export '{home}/my table.jsonl'")
    (hint,) = hints(table(f"import '{home}/my table.jsonl' --from avrae").err)
    assert table(hint).code == 0


def test_the_check_of_an_export_is_typed(table, home: Path) -> None:
    said = table(f"export '{home}/my table.jsonl'").out
    words = shlex.split(said.partition("Anybody can check it: python3 ")[2].splitlines()[0])
    assert subprocess.run([sys.executable, *words], capture_output=True, check=False).returncode == 0


def test_the_game_that_is_missing_is_filled_in(rollbook) -> None:
    hint = rollbook("new 'The Silver Arrow'").err.partition("rollbook ")[2].partition(" See:")[0].strip()
    assert rollbook(hint.replace("KEY", "grid")).code == 0
