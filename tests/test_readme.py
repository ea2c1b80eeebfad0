"""The examples in the README and in docs/commands.md run as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from rollbook.adapters.cli import main
from tests.support.example_sessions import EXAMPLE_OF

README = Path(__file__).parent.parent / "README.md"
COMMANDS = README.parent / "docs" / "commands.md"


def blocks(language: str, page: Path = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "store" / "table.db"))
    monkeypatch.setenv("ROLLBOOK_SEEDS", str(tmp_path / "seeds"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("ROLLBOOK_CAMPAIGN", raising=False)


def test_it_lists_every_game_of_ours_with_its_page_and_its_script() -> None:
    text = README.read_text(encoding="utf-8")
    for game, script in EXAMPLE_OF.items():
        assert re.search(
            rf"^\| \[{game}\]\(docs/rulesets/{game}\.md\) .*\(examples/{script}\.session\) \|$", text, re.MULTILINE
        )


@pytest.mark.usefixtures("_home")
def test_the_session_at_the_table_can_be_typed_as_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    table = next(block for block in blocks("sh", COMMANDS) if "rollbook new" in block)
    typed = [shlex.split(line, comments=True) for line in table.splitlines()]
    played = [line[1:] for line in typed if line and line != ["rollbook", "play"]]
    assert len(played) > 10
    for line in played:
        more = ["--yes"] if line[0] == "undo" else []
        assert main([*line, *more]) == 0, (line, capsys.readouterr().err)
    assert "VERIFIED" in capsys.readouterr().out
    beside = next(block for block in blocks("sh", COMMANDS) if "rollbook fork" in block)
    asked = [shlex.split(line, comments=True)[1:] for line in beside.splitlines()]
    for line in [each for each in asked if each[0] not in ("watch", "serve")]:  # they go on until somebody ends them
        assert main(line) == 0, (line, capsys.readouterr().err)
    assert Path("verify_rollbook.py").exists()


@pytest.mark.usefixtures("_home")
def test_the_games_can_be_tried_as_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    games = next(block for block in blocks("sh", COMMANDS) if "rollbook odds" in block)
    typed = [shlex.split(line, comments=True)[1:] for line in games.splitlines()]
    shown = []
    for line in typed:
        if line != ["join"]:
            assert main(line) == 0, (line, capsys.readouterr().err)
            shown.append(main(["sheet", "marian", "--json"]) or capsys.readouterr().out.splitlines()[-1])
    assert shown[-1] == shown[2] != shown[-2]


@pytest.mark.usefixtures("_home")
def test_the_script_runs_and_takes_the_roll_back(capsys: pytest.CaptureFixture[str]) -> None:
    (script,) = blocks("python")
    exec(compile(script, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip() == "36 of 36"


def test_the_first_block_is_the_two_commands() -> None:
    setup, tests = blocks("sh")[0].splitlines()
    assert setup == "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/rollbook demo"
    assert tests == ".venv/bin/pytest"
