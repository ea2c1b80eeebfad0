"""Long answers go through the pager at a terminal, and nowhere else; a pager that is missing is not missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pty_screen import LINES, on_screen


@pytest.fixture
def pager(home: Path) -> str:
    path = home / "pager"
    path.write_text('#!/bin/sh\necho "PAGED with $LESS"\ncat\n')
    path.chmod(0o755)
    return str(path)


def test_what_is_longer_than_the_screen_is_paged_and_the_rest_is_printed(table, pager: str) -> None:
    said = on_screen("verbs", "log", "verbs --no-pager", "verbs --json", PAGER=pager)
    assert said["verbs"].startswith("PAGED with -FRX\n")
    assert "PAGED" not in said["log"] + said["verbs --no-pager"] + said["verbs --json"]
    assert said["verbs"].removeprefix("PAGED with -FRX\n") == said["verbs --no-pager"]


def test_a_pager_that_is_not_there_or_not_wanted_is_done_without(table) -> None:
    whole = on_screen("verbs --no-pager")["verbs --no-pager"]
    for pager in ("", "no-such-pager --fast", "'", "/"):
        assert on_screen("verbs", PAGER=pager)["verbs"] == whole


def test_the_users_own_options_for_less_are_kept(table, pager: str) -> None:
    assert on_screen("verbs", PAGER=pager, LESS="-S")["verbs"].startswith("PAGED with -S\n")


def test_somebody_who_has_read_enough_gets_no_error(table, home: Path) -> None:
    said = on_screen("verbs", "log -n 1", PAGER="true")
    assert said["verbs"] == "" and "shouts" in said["log -n 1"]


def test_a_pipe_is_never_paged(table, pager: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", pager)
    assert "PAGED" not in table("verbs").out


def test_help_that_is_longer_than_the_screen_is_paged_and_short_help_is_printed(table, pager: str) -> None:
    long = ("--help", "do --help", "do attack --help", "undo --help", "help do", "help filters", "verbs attack")
    short = (
        "receipt --help",
        "help receipt",
        "do --help --no-pager",
        "undo --no-pager --help",
        "--no-pager do attack --help",
    )
    said = on_screen(*long, *short, "help undo --no-pager", PAGER=pager)
    for words in long:
        paged = said[words].removeprefix("PAGED with -FRX\n")
        assert paged != said[words] and paged.count("\n") >= LINES, words
    assert "Verbs of storytoken" in said["help do"], "of the campaign in this store"
    assert [words for words in short if "PAGED" in said[words]] == []
    assert said["help undo --no-pager"].splitlines()[2:] == said["undo --no-pager --help"].splitlines()[2:]
    assert said["do --help"].removeprefix("PAGED with -FRX\n") == said["do --help --no-pager"]
