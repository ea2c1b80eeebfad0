"""``rollbook new-ruleset`` writes a game that is installed, tested and played as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.plugins.new_ruleset import FILES, start_ruleset
from rollbook.domain.base.errors import Refused
from tests.support.clean_environment import CleanEnvironment

NAME = "Salt and Smoke"


def test_what_it_writes_is_a_game_that_passes_its_tests_and_is_played(tmp_path: Path, wheel: str) -> None:
    place, folder = CleanEnvironment.create(tmp_path, [wheel]), tmp_path / "salt"
    assert f"cd {folder}" in place.rollbook("new-ruleset", NAME, str(folder))
    place.pip("install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", str(folder))
    tested = place.run(place.python, "-m", "pytest", "-p", "no:cacheprovider", "tests", cwd=folder)
    assert re.search(r"\b\d\d passed", tested)
    assert "failed" not in tested
    page = (folder / "README.md").read_text(encoding="utf-8")
    said = [place.run(line, shell=True) for line in page.splitlines() if line.startswith("rollbook ")]
    begun, joined, checked, odds = said
    assert "by salt-and-smoke 1" in begun
    assert "Ada" in joined
    assert "against 9" in checked
    assert "%" in odds


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Grid", "installed already"),
        ("7 Seas", "makes no key"),
        ("Über", "makes no key"),
        ("a" * 41, "makes no key"),
        ('"; import os', "cannot be the name"),
        ("$key", "cannot be the name"),
        ("", "cannot be the name"),
    ],
)
def test_a_name_that_makes_no_package_is_refused_and_nothing_is_written(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        start_ruleset(name, tmp_path / "new", {"grid"})
    assert not list(tmp_path.iterdir())


def test_what_stands_there_already_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for place in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(Refused, match="holds something already"):
            start_ruleset(NAME, place)
    with pytest.raises(OSError, match=r"notes\.txt"):
        start_ruleset(NAME, tmp_path / "notes.txt" / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_at_the_command_line_it_says_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    assert main(["new-ruleset", NAME, str(folder)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == len(FILES) + 1
    assert {Path(line) for line in said[:-1]} == {path for path in folder.rglob("*") if path.is_file()}
    assert main(["new-ruleset", NAME, str(folder)]) != 0
