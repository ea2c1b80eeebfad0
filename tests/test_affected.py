"""``python -m tests.affected`` finds what a change reaches, by imports and by name, and runs the nearest for a minute."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rollbook.adapters.cli.app import COMMANDS
from tests.support.affected import STARTING, Choice, changed_files, chosen
from tests.support.costs_table import FileCost, table
from tests.support.reach import ROOT, Reach, is_test_file, loaded_by_name, module_of, module_of_command, said_in

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="It is for a checkout: a source archive has no branches."
)

LEAVES = {
    "adapters/exports/chronicle/epub.py": "tests/adapters/exports/chronicle/test_books.py",
    "ruleset_plugins/grid/casting.py": "tests/ruleset_plugins/grid/test_spells.py",
    "adapters/line_commands/commands/log.py": "tests/adapters/cli/test_long_logs.py",
    "adapters/imports/avrae/importer.py": "tests/adapters/imports/test_avrae.py",
    "adapters/web/static/app.js": "tests/adapters/web/test_static_files.py",
    "docs/dice.md": "tests/domain/dice/test_dice_page.py",
    "ruleset_plugins/grid/data/spells.json": "tests/ruleset_plugins/grid/test_spells.py",
    "pyproject.toml": "tests/test_habits.py",
}
"""Files that few import, and a test file that must be run when one changes."""


@pytest.fixture(scope="module")
def reach() -> Reach:
    return Reach()


@pytest.mark.parametrize("path", LEAVES)
def test_a_change_in_a_leaf_takes_at_most_a_minute_and_runs_its_tests(reach: Reach, path: str) -> None:
    choice = chosen(reach.reached([path]), table(), changed=[path], processors=2)
    assert LEAVES[path] in choice.run
    assert choice.seconds <= 60


def test_every_command_reaches_a_test_that_gives_it(reach: Reach) -> None:
    paths = {module_of(path): path for path in reach.code}
    for name in COMMANDS:
        near = [test for test, steps in reach.reached([paths[module_of_command(name)]]).items() if steps == 1]
        assert any(name in said_in(reach.tests[test]) for test in near), name


def test_every_plug_in_reaches_a_test(reach: Reach) -> None:
    loaded = dict(loaded_by_name())
    assert {"storytoken", "avrae", "epub", "undo"} <= loaded.keys()
    for name, module in loaded.items():
        assert [path for path, text in reach.code.items() if module_of(path) == module and text], name


def test_a_changed_test_file_comes_first_however_long_it_takes(reach: Reach) -> None:
    path = "tests/domain/dice/test_odds.py"
    costs = {**table(), path: FileCost(1000.0, "-", {})}
    choice = chosen(reach.reached([path]), costs, changed=[path])
    assert choice.run[0] == path


def test_a_fixture_reaches_the_tests_that_use_it(reach: Reach) -> None:
    found = reach.reached(["tests/adapters/cli/conftest.py"])
    assert {
        path for path in reach.tests if is_test_file(path) and path.startswith("tests/adapters/cli/")
    } <= found.keys()
    assert found["tests/adapters/cli/test_undoing_a_correction.py"] == 1


def test_what_the_whole_engine_uses_reaches_most_tests_and_the_nearest_are_run(reach: Reach) -> None:
    found = reach.reached(["domain/dice/odds.py"])
    assert len(found) > 300
    choice = chosen(found, table(), changed=["domain/dice/odds.py"], processors=2)
    assert "tests/domain/dice/test_odds.py" in choice.run[:3]
    assert choice.left
    assert any("--all" in line for line in choice.said())


def test_what_does_not_fit_is_left_out_and_the_next_is_looked_at() -> None:
    costs = {name: FileCost(seconds, "fast", {}) for name, seconds in (("a", 4.0), ("b", 400.0), ("c", 6.0))}
    choice = chosen({"a": 1, "b": 1, "c": 2}, costs, processors=2)
    assert choice == Choice(run=("a", "c"), left=("b",), seconds=STARTING + 5.0)


def test_names_are_words_of_texts_and_not_parts_of_other_words() -> None:
    said = said_in("""campaign.say("undo 3")\nmain(["redo", "--why"])\nrollbook(f"{options} do shout")\n""")
    assert {"undo", "redo", "do", "shout"} <= said
    assert said_in("undo = undoing('redoing')").isdisjoint({"undo", "redo"})


# What has changed.


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A branch that left main: one file was changed before, one on main since, and one is neither added nor committed."""

    def git(*words: str) -> None:
        identity = ("-c", "user.name=Mira", "-c", "user.email=mira@localhost", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--quiet", "--initial-branch", "main")
    for name in ("old.py", "changed.py", "committed.py", "removed.py"):
        (tmp_path / name).write_text("1\n")
    git("add", ".")
    git("commit", "--message", "tests: begin")
    git("checkout", "--quiet", "-b", "mine")
    (tmp_path / "committed.py").write_text("2\n")
    git("commit", "--all", "--message", "tests: go on")
    git("checkout", "--quiet", "main")
    (tmp_path / "old.py").write_text("2\n")
    git("commit", "--all", "--message", "tests: elsewhere")
    git("checkout", "--quiet", "mine")
    (tmp_path / "changed.py").write_text("2\n")
    (tmp_path / "removed.py").unlink()
    (tmp_path / "new.py").write_text("1\n")
    return tmp_path


@pytest.mark.process
def test_a_change_is_what_differs_from_where_the_branch_left_main(repository: Path) -> None:
    assert changed_files(root=repository) == ["changed.py", "committed.py", "new.py", "removed.py"]


@pytest.mark.process
def test_a_change_from_the_last_commit_is_what_is_not_committed(repository: Path) -> None:
    assert changed_files("HEAD", root=repository) == ["changed.py", "new.py", "removed.py"]
    with pytest.raises(ValueError, match="no commit 'nowhere'"):
        changed_files("nowhere", root=repository)


@pytest.mark.process
def test_it_says_what_it_would_run() -> None:
    command = [sys.executable, "-m", "tests.affected", "HEAD", "--list"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "changed files." in said
    assert "test files are run" in said
