"""No room is left on the disk of the store: that is said in one sentence, and what was recorded can be read."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.support.failing_disk import FULL, ROOT, compiled, environment, run

READING = (
    "log",
    "sheet",
    "sheet robin",
    "why robin hp",
    "xp",
    "stats",
    "status",
    "audit",
    "log --search shouts",
    "campaigns",
)
WRITING = ("do note x", "undo 8 --why x --yes", "new Other --ruleset grid", "fork --at 5", "redact 9 --why x --yes")
FILES = ("backup {folder}/copy.db", "export {folder}/all.jsonl", "rebuild")
TO_A_FULL_DISK = """
import contextlib, io, json, os, shlex, sys
from pathlib import Path
from rollbook.adapters.cli import main
for words in sys.argv[1:]:
    Path(os.environ["FAILING_WHEN"]).touch()
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main(shlex.split(words))
    Path(os.environ["FAILING_WHEN"]).unlink()
    print(json.dumps([words, code, out.getvalue(), err.getvalue()]))
"""


def on_a_full_disk(home: Path, *commands: str, name: str) -> dict[str, tuple[int, str, str]]:
    """What each command answers while no file with ``name`` in its path can grow: its exit code, and what it says where."""
    variables = environment(compiled(home), home / "armed", name, "write", FULL)
    done = run(["-c", TO_A_FULL_DISK, *commands], **variables)
    assert done.returncode == 0, done.stderr
    return {words: (code, out, err) for words, code, out, err in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", ["books/", "books/rollbook.read.db", "books/rollbook.db"])
def test_what_was_recorded_can_be_read(table, home: Path, name: str) -> None:
    expected = {words: table(words).out for words in READING}
    for words, (code, out, err) in on_a_full_disk(home, *READING, name=name).items():
        assert (code, out) == (0, expected[words]), (words, err)
        assert err.count("\n") <= 1, (words, err)


def test_what_cannot_be_written_is_said_in_a_sentence_and_changes_nothing(table, home: Path, stored) -> None:
    before = stored()
    commands = (*WRITING, *(each.format(folder=home / "books") for each in FILES))
    for words, (code, out, err) in on_a_full_disk(home, *commands, name="books/").items():
        assert code == 1 and "recorded" not in out, (words, out, err)
        assert "no room left on the disk" in err and err.count("\n") <= 2, (words, err)
        assert "Something inside" not in err
    assert stored() == before
    assert sorted(path.name for path in (home / "books").iterdir() if not path.name.endswith(("-wal", "-shm"))) == [
        "rollbook.db",
        "rollbook.read.db",
    ]


def test_what_is_recorded_counts_where_the_read_model_has_no_room(table, home: Path) -> None:
    said = on_a_full_disk(home, "do note still here", "log -n 1", name="rollbook.read.db")
    code, out, err = said["do note still here"]
    assert code == 0 and "still here" in out
    assert err.count("\n") == 1 and "no room left on the disk" in err
    assert "still here" in said["log -n 1"][1]
    assert "still here" in table("log -n 1").out


LIBRARY = """
import os, sys
from pathlib import Path
import rollbook
with rollbook.open(Path(sys.argv[1]) / "books" / "rollbook.db", seeds=Path(sys.argv[1]) / "seeds") as book:
    campaign = book.campaign("test-table")
    campaign.session.project()
    campaign.do("note", text="one")
    Path(os.environ["FAILING_WHEN"]).touch()
    for attempt in (lambda: campaign.do("note", text="two"), campaign.session.project):
        try:
            attempt()
        except rollbook.RollbookError as fault:
            print(fault)
    print("one" in campaign.say("log -n 1").text, len(campaign.history.entries))
    Path(os.environ["FAILING_WHEN"]).unlink()
    campaign.session.project()
    print("one" in campaign.say("log -n 1").text)
"""


def test_a_program_is_told_the_same(table, home: Path) -> None:
    variables = environment(compiled(home), home / "armed", "books/", "write", FULL)
    done = run(["-c", LIBRARY, str(home)], **variables)
    assert done.returncode == 0, done.stderr
    refused, behind, *read = done.stdout.splitlines()
    assert refused.startswith("There is no room left on the disk") and "nothing was recorded" in refused
    assert "What is recorded counts, but the read model cannot be used (there is no room left on the disk)" in behind
    assert read == ["True 10", "True"]


LIMITED = """
import resource, sys
from rollbook.adapters.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
for number in range(40):
    code = main(["do", "note", "x" * 4_000])
    if code:
        sys.exit(code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of resources")
def test_where_no_file_may_grow_beyond_a_limit_that_is_a_sentence_and_all_that_was_told_is_there(
    table, home: Path
) -> None:
    limit = (home / "books" / "rollbook.db").stat().st_size + 60_000
    done = run(["-c", LIMITED, str(limit)], **{**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 1, done
    told = done.stdout.count("#")
    assert "Traceback" not in done.stderr and done.stderr.strip()
    assert table("audit").code == 0
    assert len(table("log --json").lines) in (9 + told, 10 + told)
