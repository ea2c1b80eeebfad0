from __future__ import annotations

from pathlib import Path

import pytest

import rollbook
from rollbook.adapters.cli import main
from rollbook.application.campaign import Campaign
from tests.support import hostile
from tests.support.command_line import move_in
from tests.support.example_sessions import EXAMPLE_SESSIONS, played_example
from tests.support.rewriting import write_again


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Campaign]:
    """The session of every game, each played once."""
    folder: Path = tmp_path_factory.mktemp("examples")
    return {name: played_example(name, folder) for name in EXAMPLE_SESSIONS}


@pytest.fixture
def sherwood(examples: dict[str, Campaign]) -> Campaign:
    return examples["sherwood"]


@pytest.fixture(scope="session")
def hostile_campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A campaign whose every text is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "played.session").write_text(hostile.SCRIPT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch:
        move_in(folder, monkeypatch)
        assert main(["play", str(folder / "played.session")]) == 0
        seeds = folder / "state" / "rollbook" / "seeds"
        write_again(folder / "books" / "rollbook.db", seeds, folder / "hostile.db", hostile.hostile_text)
        book = rollbook.open(folder / "hostile.db", seeds=seeds)
        return book.campaign(book.campaigns()[0])
