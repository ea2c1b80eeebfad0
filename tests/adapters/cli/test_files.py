"""Campaigns begin, move between files, and survive what happens to files."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.support.stores import unguarded


def test_a_campaign_begins_with_its_house_rules(rollbook) -> None:
    answer = rollbook("new 'The Silver Arrow' --ruleset storytoken --set rounding=ceil --json")
    assert answer.data["campaign"] == "the-silver-arrow"
    assert answer.data["settings"]["rounding"] == "ceil"


def test_campaigns_are_listed(table) -> None:
    table("new Other --ruleset storytoken")
    assert [line["campaign"] for line in table("campaigns --json").lines] == ["test-table", "other"]
    assert "← last used" in table("campaigns").out


def test_the_campaign_used_last_is_meant(table, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table("new Other --ruleset storytoken")
    assert table("do note x --json").data["campaign"] == "other"
    assert table("log -n 1 --json -c test-table").data["campaign"] == "test-table"
    assert table("do note x --json").data["campaign"] == "other"
    assert table("do note x --json -c test-table").data["campaign"] == "test-table"
    assert table("do note x --json").data["campaign"] == "test-table"
    monkeypatch.setenv("ROLLBOOK_CAMPAIGN", "other")
    assert table("do note x --json").data["campaign"] == "other"
    monkeypatch.delenv("ROLLBOOK_CAMPAIGN")
    (home / "state" / "rollbook" / "last.json").write_text("no json")
    answer = table("log")
    assert (answer.code, "-c" in answer.err) == (2, True)


def test_reading_makes_no_store(rollbook, home: Path) -> None:
    for words in ("log", "sheet", "xp", "audit", "campaigns", "undo --why x --yes", "do note x", "rebuild", "verbs"):
        answer = rollbook(words)
        assert answer.code == 3, words
        assert "rollbook demo" in answer.err
        assert len(answer.err.splitlines()) == 1
    assert not (home / "books").exists()
    assert not (home / "data").exists()


def test_bad_names_and_rules_begin_nothing(rollbook) -> None:
    for words, code in {
        "new": 2,
        "new X": 2,
        "new X --ruleset chess": 3,
        "new '!!' --ruleset storytoken": 1,
        "new X --ruleset storytoken --set nonsense": 2,
        "new X --ruleset storytoken --set nonsense=1": 4,
        "new X --ruleset storytoken --set rounding=up": 4,
    }.items():
        assert rollbook(words).code == code, words
    assert "no campaign in this store" in rollbook("log").err
    assert "no campaign in this store" in rollbook("campaigns").out


def test_export_and_import_give_the_same_history(table, home: Path) -> None:
    file = home / "table.jsonl"
    answer = table(f"export {file} --json")
    assert (answer.code, answer.data["campaign"]) == (0, "test-table")
    assert table(f"export {file}").code == 1
    assert table(f"export {file} --overwrite").code == 0
    other = home / "other.db"
    assert table(f"--store {other} import {file} --as Second").code == 0
    assert table(f"--store {other} log -n 1 --json").data["campaign"] == "second"
    assert "here already" in table(f"--store {other} import {file} --as Second").out
    assert json.loads(file.read_text().splitlines()[0])["campaign"] == "test-table"


def test_unfit_files_are_not_taken_in(table, home: Path, stored) -> None:
    before = stored()
    bad = home / "bad.jsonl"
    bad.write_text("hello\n")
    assert table(f"import {bad}").code == 1
    assert table(f"import {home / 'none.jsonl'}").code == 3
    assert table(f"import {bad} --from avrae").code in (1, 6)
    table(f"export {home / 'table.jsonl'}")
    changed = (home / "table.jsonl").read_text().replace("shouts", "sleeps")
    bad.write_text(changed)
    assert table(f"import {bad} --as Changed").code == 6
    assert stored() == before


def test_the_read_model_is_rebuilt(table, home: Path) -> None:
    (home / "books" / "rollbook.read.db").unlink()
    assert table("rebuild --json").data["entries"] == 9
    assert len(table("log --json").lines) == 9


def test_an_action_counts_even_if_the_read_model_cannot_follow(table, home: Path) -> None:
    for path in (home / "books").glob("rollbook.read.db*"):
        path.unlink()
    (home / "books" / "rollbook.read.db").mkdir()
    answer = table("do note still here")
    assert answer.code == 0
    assert "read model" in answer.err
    assert "still here" in answer.out
    assert table("log -n 1 --json").data["result"] == "still here"


@pytest.mark.parametrize("kind", ["BLOB", "TEXT"])
def test_a_changed_byte_is_found_and_nothing_is_added(table, home: Path, kind: str) -> None:
    connection = sqlite3.connect(home / "books" / "rollbook.db")
    changed = f"CAST(replace(CAST(state AS TEXT), 'shouts', 'sleeps') AS {kind})"
    unguarded(connection).execute(
        f"UPDATE stored_events SET state = {changed} WHERE CAST(state AS TEXT) LIKE '%NoteWritten%'"
    )
    connection.commit()
    connection.close()
    for path in (home / "books").glob("rollbook.read.db*"):
        path.unlink()
    audit = table("audit")
    assert (audit.code, "FAILED" in audit.out, "@9" in audit.out) == (6, True, True)
    assert table("audit --json").data["answers"][0]["verdict"] == "FAILED"
    assert table("do note more").code == 6
    assert table("log").code == 0
    assert "damaged" in table("sheet robin").err
    assert table("undo 5 --why x --yes").code == 6
    assert table("do note more").code == 6
    assert table(f"export {home / 'x.jsonl'}").code == 6


def test_a_file_that_is_no_store_is_left_alone(rollbook, home: Path) -> None:
    other = home / "letter.txt"
    other.write_text("Dear Marian, " * 1000)
    answer = rollbook(f"--store {other} log")
    assert (answer.code in (1, 6), len(answer.err.splitlines())) == (True, 1)
    assert other.read_text().startswith("Dear Marian")
    assert rollbook(f"--store {home} log").code == 2


def test_seeds_lie_outside_the_stores_folder(table, home: Path) -> None:
    seeds = home / "state" / "rollbook" / "seeds"
    assert seeds.stat().st_mode & 0o777 == 0o700
    assert len(list(seeds.iterdir())) == 1
    assert not (home / "books" / "seeds").exists()
