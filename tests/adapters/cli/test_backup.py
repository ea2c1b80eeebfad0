"""backup and restore at the command line."""

from __future__ import annotations

from pathlib import Path

from tests.support.games import INSTALLED_RULESETS


def test_a_backup_says_what_it_holds_and_how_to_go_back(table, home: Path) -> None:
    answer = table(f"backup '{home}/my copy.db'")
    assert answer.code == 0
    assert "1 campaign with" in answer.out and "secret seeds of 1 session" in answer.out
    typed = answer.out.splitlines()[-1].partition("rollbook ")[2]
    assert typed.startswith("restore '")
    table("do note x")
    said = table(typed)
    assert said.code == 0 and "x" not in [line["result"] for line in table("log --json").lines]
    back = table(said.out.splitlines()[-1].partition("rollbook ")[2])
    assert back.code == 0 and "x" in [line["result"] for line in table("log --json").lines]


def test_it_is_refused_where_it_would_do_harm(table, home: Path) -> None:
    (home / "letter").write_text("Dear Marian")
    assert "already exists" in table(f"backup {home}/letter").err
    assert "a part of it" in table(f"backup {home}/books/rollbook.read.db").err
    assert "is the store itself" in table(f"backup {home}/books/rollbook.db --overwrite").err
    assert table(f"restore {home}/nothing.db").code == 3
    assert table(f"restore {home}/books").code == 1
    assert "rollbook import FILE" in table("restore README.md").err


def test_both_answer_in_json_and_read_the_names_of_their_own(table, home: Path) -> None:
    made = table(f"backup {home}/copy.db --json").data
    assert (made["campaigns"], made["sessions"], made["damaged"]) == (["test-table"], 1, [])
    done = table(f"restore {home}/copy.db --json").data
    assert done["entries"] == made["entries"] and Path(done["before"]).exists()


def test_nothing_is_backed_up_where_there_is_no_store(rollbook, home: Path) -> None:
    answer = rollbook(f"backup {home}/copy.db")
    assert answer.code == 3 and not (home / "copy.db").exists()


def test_a_backup_is_made_at_the_prompt_and_is_for_the_gm(table, home: Path) -> None:
    script = home / "keep.session"
    script.write_text(f"note one\nbackup {home}/copy.db\nnote two\n")
    assert table(f"play {script}").code == 0
    assert (home / "copy.db").exists()


def test_new_without_a_ruleset_lists_the_games(rollbook) -> None:
    answer = rollbook("new 'The Silver Arrow'")
    assert answer.code == 2
    assert all(key in answer.err for key in INSTALLED_RULESETS)
    assert "rollbook new 'The Silver Arrow' --ruleset KEY" in answer.err
