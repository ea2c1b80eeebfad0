"""Importers are found by name among the entry points of a group, rollbook's own like anybody's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.imports import GROUP, find_importer, importers
from rollbook.domain.base.errors import NotFound, RollbookError
from tests.support.plugins import put_module

DIARY = """
from pathlib import Path
from rollbook.adapters.imports import Imported, ImportedAction
from rollbook.plugin import events

def read_diary(path: Path, name: str) -> Imported:
    lines = path.read_text(encoding="utf-8").splitlines()
    begins = events.CampaignStarted(name=name or "A diary", identity="00" * 16)
    actions = [ImportedAction("start-campaign", {}, "", 0, (begins,))]
    actions += [ImportedAction("note", {}, "", 0, (events.NoteWritten(text=line),)) for line in lines]
    return Imported(name or "A diary", tuple(actions), 0, 0, ())
"""

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution with one module and one importer in it: ``install("diary", "module:function", code)``."""
    monkeypatch.syspath_prepend(tmp_path)
    return partial(put_module, tmp_path, GROUP)


def test_the_avrae_importer_comes_through_the_same_group() -> None:
    assert "avrae" in importers()
    with pytest.raises(NotFound, match="There is no file"):
        find_importer("avrae")(Path("nothing.jsonl"), "")


def test_an_importer_of_another_distribution_is_used_by_the_command(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    install("diary", "diary_importer:read_diary", DIARY)
    (tmp_path / "diary.txt").write_text("It rained.\nThe mill burned.\n", encoding="utf-8")
    assert main(["import", str(tmp_path / "diary.txt"), "--from", "diary", "--as", "Rain"]) == 0, capsys.readouterr()
    capsys.readouterr()
    assert main(["log"]) == 0
    assert "The mill burned." in capsys.readouterr().out


def test_an_unknown_importer_is_refused_with_the_nearest() -> None:
    with pytest.raises(NotFound, match="no importer called 'avray'") as missing:
        find_importer("avray")
    assert missing.value.near == ("avrae",)


def test_an_importer_that_fails_on_import_is_named(install: Install) -> None:
    install("sorry", "sorry_importer:read", "raise ValueError('no ink')")
    with pytest.raises(RollbookError, match=r"'sorry' \(sorry_importer 1\.0, .*\) fails on import: ValueError: no ink"):
        find_importer("sorry")


def test_an_importer_that_returns_something_else_is_named(install: Install) -> None:
    install("odd", "odd_importer:read", "def read(path, name):\n    return 'a diary'\n")
    with pytest.raises(RollbookError, match=r"'odd' .* returns a str, not an Imported"):
        find_importer("odd")(Path(), "")


def test_two_distributions_under_one_name_are_both_refused(install: Install) -> None:
    install("twice", "one_importer:read", "def read(path, name): ...")
    install("twice", "other_importer:read", "def read(path, name): ...")
    with pytest.raises(RollbookError, match=r"claimed by several distributions \(one_importer 1\.0.*other_importer"):
        find_importer("twice")
