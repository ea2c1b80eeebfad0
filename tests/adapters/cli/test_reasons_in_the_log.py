"""The reason of an action stands in the log and is found there, by those who may read it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book

LONG = "because the light was failing and nobody could make out who stood at the far end of the bridge"


def lines(table, words: str) -> list[dict[str, object]]:
    said = table(f"log {words} --json").out.splitlines()
    return [json.loads(line) for line in said]


def test_the_reason_of_an_action_is_in_the_log(table) -> None:
    table("do scene 'The mill' --why 'they ran there'")
    assert "The mill   why: they ran there" in table("log").out


def test_a_long_reason_is_short_at_80_columns_and_whole_in_a_pipe(table, monkeypatch: pytest.MonkeyPatch) -> None:
    table(f"do roll 1d6 --why '{LONG}' ! 3")
    assert LONG in table("log").out
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = table("log -n 1").out
    assert "why: because the light was fai" in shown
    assert "…" in shown
    assert "bridge" not in shown


def test_a_reason_that_the_line_says_already_is_not_said_twice(table) -> None:
    table("do adjust guard hp -3 --why 'a splinter'")
    assert table("log").out.count("a splinter") == 1


def test_reasons_are_found(table) -> None:
    table("do roll 1d6 --why 'who wakes first' ! 3")
    assert [line["action"] for line in lines(table, "--search 'wakes first'")] == [10]
    assert [line["action"] for line in lines(table, "wakes")] == [10]
    table("undo 10 --why 'nobody slept' --yes")
    assert [line["action"] for line in lines(table, "--search slept")] == [10]
    assert [line["action"] for line in lines(table, "slept")] == [10]


def test_a_read_model_from_before_finds_them_too(table, home: Path) -> None:
    table("do roll 1d6 --why 'who wakes first' ! 3")
    (path,) = home.rglob("*.read.db")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version = 5")
    assert [line["action"] for line in lines(table, "--search wakes")] == [10]


def test_reasons_are_found_after_a_rebuild(table) -> None:
    table("do roll 1d6 --why 'who wakes first' ! 3")
    assert table("rebuild").code == 0
    assert [line["action"] for line in lines(table, "--search wakes")] == [10]


def test_a_secret_reason_is_hidden_from_the_table(table, home: Path) -> None:
    table("do roll 1d6 --secret --why 'does the duke notice' ! 3")
    table("do roll 1d6 --why 'who wakes first' ! 3")
    assert [line["action"] for line in lines(table, "--search duke")] == [10]
    with open_book(home / "books" / "rollbook.db", home / "seeds") as book:
        campaign = book.campaign("test-table")
        assert "duke" not in campaign.say("log --search duke", seat="Mira").text
        assert "duke" not in campaign.say("log", seat="Mira").text
        assert "wakes" in campaign.say("log --search wakes", seat="Mira").text


def test_the_reason_of_an_adjustment_is_given_with_why(table) -> None:
    answer = table("do adjust guard hp -3 --why 'a splinter' --json")
    assert answer.code == 0, answer.err
    (ruled,) = (event for event in table("log -n 1 --json").data["kinds"] if event == "rulingmade")
    assert ruled
    assert "ruling: a splinter" in table("log").out
    assert "also needs: reason" in table("do adjust guard hp -3").err
    assert "of wood" in table("do adjust guard hp -3 'a splinter' of wood --why 'they looked'").out
    assert "why: they looked" in table("log -n 1").out


def test_words_that_were_removed_are_found_no_more(table) -> None:
    table("amend 9 'text=The guard sobs.' --why 'he sobbed' --yes")
    assert table("redact 9 --why 'they asked' --yes").code == 0
    assert lines(table, "--search sobs") == []
    assert lines(table, "--search shouts") == []
