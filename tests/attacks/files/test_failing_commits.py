"""The disk fails while something is recorded: what was said of it is so, and asking again with the same id never doubles."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.failing_disk import FAILING, compiled, environment, run

ROUNDS = int(os.environ.get("ROLLBOOK_FAILING_COMMITS", "12"))
"""Rounds of some eight commands; hundreds of them by hand."""


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("rounds")
    variables = environment(compiled(folder), folder / "none")
    done = run(["-m", "tests.support.failing_commits", str(folder), str(ROUNDS), "0"], **variables)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def last_said(played: dict[str, Any]) -> dict[str, str]:
    return dict(played["said"])


def test_the_disk_failed_and_all_three_answers_were_given(rounds: list[dict[str, Any]]) -> None:
    assert len(rounds) == ROUNDS
    answers = {answer for played in rounds for _, answer in played["said"]}
    assert answers == {"made", "nothing", "unknown"}


def test_what_was_said_to_be_recorded_is_there_and_what_was_said_not_to_be_is_not(rounds: list[dict[str, Any]]) -> None:
    for played in rounds:
        made = {name for name, answer in played["said"] if answer == "made"}
        never = {name for name, answer in last_said(played).items() if answer == "nothing"}
        assert made <= set(played["before"]), played
        assert never.isdisjoint(played["before"]), played


def test_asked_for_again_with_the_same_id_everything_is_there_once(rounds: list[dict[str, Any]]) -> None:
    for played in rounds:
        assert set(played["again"]) == {"made"}, played
        assert sorted(played["after"]) == sorted(last_said(played)), played
        assert played["verdict"] == "VERIFIED"


COMMANDS = """
import os, sys
from pathlib import Path
from rollbook.adapters.wiring import open_book
from rollbook.adapters.cli import main
held = open_book(Path(os.environ["ROLLBOOK_STORE"]), Path(sys.argv[1]))
main(["do", "note", "before"])
Path(os.environ["FAILING_WHEN"]).touch()
code = main(["do", "note", "during"])
Path(os.environ["FAILING_WHEN"]).unlink()
sys.exit(code)
"""


def test_the_command_line_says_that_it_is_not_known(table, home: Path) -> None:
    variables = environment(compiled(home), home / "armed", "rollbook.db-wal", "sync", FAILING)
    done = run(["-c", COMMANDS, str(home / "seeds")], **variables)
    assert done.returncode == 1
    said = done.stderr.strip()
    assert "it is not known whether this was recorded. Look at the log before you do it again" in said
    assert "nothing was recorded" not in said.lower() and said.count("\n") == 0
    notes = [line["result"] for line in table("log --json").lines]
    assert notes.count("before") == 1 and notes.count("during") <= 1
    assert table("audit").code == 0


RESTORING = """
import os, sys
from pathlib import Path
from rollbook.adapters.cli import main
Path(os.environ["FAILING_WHEN"]).touch()
code = main(["restore", sys.argv[1]])
Path(os.environ["FAILING_WHEN"]).unlink()
sys.exit(code)
"""


def test_a_store_that_was_there_is_kept_if_nobody_knows_whether_a_backup_took_its_place(table, home: Path) -> None:
    table(f"backup {home}/copy.db")
    table("do note later")
    variables = environment(compiled(home), home / "armed", "books/rollbook.db-wal", "sync", FAILING)
    done = run(["-c", RESTORING, str(home / "copy.db")], **variables)
    assert done.returncode == 1 and "it is not known whether the store was put back" in done.stderr
    (kept,) = (home / "books").glob("rollbook.before-*.db")
    assert str(kept) in done.stderr
    assert table(f"restore {kept}").code == 0
    assert "later" in [line["result"] for line in table("log --json").lines]
