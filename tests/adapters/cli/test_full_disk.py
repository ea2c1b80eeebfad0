"""On a full disk nothing can be recorded, which is said in a sentence; all that was recorded can still be read."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.needs import needs

HOUSE = Path(__file__).resolve().parents[3]
READING = ("log", "sheet", "sheet robin", "why robin hp", "xp", "stats", "audit", "log --search shouts", "campaigns")
WRITING = (
    "do note x",
    "undo 8 --why x --yes",
    "new Other --ruleset grid",
    "fork --at 5",
    "backup {disk}/copy.db",
    "export {disk}/all.jsonl",
)
FILLED = """
mount -t tmpfs -o size={room}k tmpfs {disk} || exit 99
cp {store} {disk}/rollbook.db || exit 98
{before}
cat /dev/zero > {disk}/filler 2>/dev/null
{python} -m tests.support.commands_in_turn {words} < /dev/null
"""


def on_a_full_disk(
    home: Path, words: tuple[str, ...], *, before: str = "", room: int = 1_000
) -> dict[str, tuple[int, str]]:
    """What each of these commands says, with its exit code, where the disk of the store has no room left."""
    disk = home / "disk"
    disk.mkdir()
    said = [f"'{each.format(disk=disk)}'" for each in words]
    python = f"{sys.executable}"
    script = FILLED.format(
        room=room, disk=disk, store=home / "books" / "rollbook.db", before=before, words=" ".join(said), python=python
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        env={**os.environ, "ROLLBOOK_STORE": f"{disk}/rollbook.db"},
        cwd=HOUSE,
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.stdout:
        pytest.skip(f"No disk of one's own can be made here: {done.stderr.strip()}")
    parts = re.findall(r"<< (.*?)\n(.*?)>> (\d+)\n", done.stdout, re.DOTALL)
    errors = done.stderr
    assert "Traceback" not in errors and "Something inside" not in errors, errors
    return {name.replace(str(disk), "{disk}"): (int(code), out) for name, out, code in parts} | {"errors": (0, errors)}


@needs("unshare")
def test_what_was_recorded_can_be_read(table, home: Path) -> None:
    expected = {words: table(words).out for words in READING}
    found = on_a_full_disk(home, READING)
    for words in READING:
        assert found[words] == (0, expected[words].replace(str(home / "books"), str(home / "disk"))), words


@needs("unshare")
def test_what_cannot_be_written_says_that_there_is_no_room_and_leaves_nothing(table, home: Path) -> None:
    found = on_a_full_disk(home, (*WRITING, "log"))
    for words in WRITING:
        code, out = found[words]
        assert code == 1 and "is recorded" not in out, words
    sentences = [
        line for line in found["errors"][1].splitlines() if line.startswith("There is no room left on the disk")
    ]
    assert len(sentences) == len(WRITING)
    assert found["log"][1] == table("log").out


@needs("unshare")
def test_a_log_that_cannot_follow_is_made_in_memory(table, home: Path) -> None:
    """The disk fills up while something is recorded: it counts, and is shown."""
    notes = "'do note again' " * 3
    before = f"{sys.executable} -m tests.support.commands_in_turn {notes} > /dev/null"
    found = on_a_full_disk(home, ("log -n 1",), before=before)
    code, out = found["log -n 1"]
    assert code == 0 and "again" in out
