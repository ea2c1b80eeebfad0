"""Faults that are put behind a commit: a method raises as soon as something was recorded in the command that is carried out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.after_commit import is_committed
from rollbook.application.history.open_history import OpenHistory
from rollbook.application.playing.dice_factory import DiceFactory
from rollbook.domain.base.errors import RollbookError

OF_THE_ENGINE: dict[str, tuple[type, str, Exception]] = {
    "the read model": (SQLiteReadModel, "_catch_up", sqlite3.OperationalError("disk I/O error")),
    "the marks of dice": (DiceFactory, "note", RollbookError("The seeds cannot be written.")),
    "the head": (OpenHistory, "_go_on_with", KeyError("an event")),
}
"""Steps that follow each commit, and the error that each may raise."""


class Faults:
    """Faults after a commit while they are armed. ``seen`` counts how often there was one."""

    def __init__(self) -> None:
        self.is_armed = False
        self.seen = 0

    @contextmanager
    def armed(self) -> Iterator[None]:
        self.is_armed = True
        try:
            yield
        finally:
            self.is_armed = False

    def into(self, monkeypatch: pytest.MonkeyPatch, owner: type, name: str, fault: Exception) -> None:
        """Have a method raise from now on."""
        before = getattr(owner, name)

        def failing(*values: Any, **more: Any) -> Any:
            if self.is_armed and is_committed():
                self.seen += 1
                raise fault
            return before(*values, **more)

        monkeypatch.setattr(owner, name, failing)
