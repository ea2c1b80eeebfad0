"""A table in a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.x_card import STORY, Table, fixed


@pytest.fixture
def mill(home: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> Table:
    """The mill, with a card that nobody has raised yet."""
    table = Table(home, tmp_path_factory.mktemp("beside") / "kept", capsys)
    script = table.beside / "mill.session"
    script.write_text(STORY, encoding="utf-8")
    with fixed():
        assert table.rollbook(f"play {script}")[0] == 0
    table.keep()
    return table
