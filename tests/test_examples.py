"""The scripts in ``examples/``: each plays from its first line to its last, verifies, and comes out the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.plugins.installed_rulesets import discover

EXAMPLES = Path(__file__).parents[1] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.session"))
SCRIPT = pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)


def said(script: Path) -> list[str]:
    """The lines that somebody says: no comments, no narration."""
    lines = (line.strip() for line in script.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("ROLLBOOK_CAMPAIGN", raising=False)
    return tmp_path


@SCRIPT
def test_a_script_plays_and_verifies(script: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", str(script)]) == 0, capsys.readouterr().err
    assert main(["audit"]) == 0
    answers = capsys.readouterr().out
    assert answers.count("VERIFIED") == 3
    assert main(["rebuild"]) == 0


@SCRIPT
def test_a_script_is_as_long_as_one_reads_in_a_few_minutes(script: Path) -> None:
    assert 20 <= len(said(script)) <= 60


def test_every_game_of_ours_has_one() -> None:
    ours = {key for key, origin in discover().origins.items() if origin.startswith("rollbook ")}
    firsts = " ".join(said(script)[0] for script in SCRIPTS)
    assert all(f" {key}" in firsts for key in ours)


def test_all_of_them_come_with_the_installation() -> None:
    project = (EXAMPLES.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"examples/{script.name}" = "share/rollbook/examples/{script.name}"' in project for script in SCRIPTS)
