"""``store rules``: which rules are in force where several computers share a store."""

from __future__ import annotations

from pathlib import Path

from rollbook.adapters.wiring import open_book
from tests.support.command_line import Say


def test_the_command_shows_them_and_puts_those_of_this_computer_in_force(
    postgres_store: str, home: Path, say: Say
) -> None:
    with open_book(postgres_store, home / "seeds") as book:
        assert book.surroundings.rules is not None
        book.surroundings.rules.put("storytoken", "f" * 32, "")
    said = say("--store", postgres_store, "store", "rules")
    assert "storytoken: ffffffffffff, other files here (" in said
    assert "luckpoint: not played yet" in said
    said = say("--store", postgres_store, "store", "rules", "--adopt")
    assert "storytoken" in said
    assert "other files here" not in said
    assert "luckpoint: not played yet" in said


def test_they_are_told_as_data(postgres_store: str, home: Path, say: Say) -> None:
    with open_book(postgres_store, home / "seeds") as book:
        assert book.surroundings.rules is not None
        book.surroundings.rules.put("grid", "f" * 32, "")
    lines = say("--store", postgres_store, "--json", "store", "rules").splitlines()
    assert any('"ruleset":"grid"' in line.replace(" ", "") and "f" * 32 in line for line in lines)


def test_a_store_in_a_file_has_nothing_to_agree_on(home: Path, say: Say) -> None:
    store = home / "one.db"
    with open_book(store, home / "seeds") as book:
        book.new("Sherwood", "storytoken")
    assert "is a file that one computer plays on" in say("--store", str(store), "store", "rules", fails=1)
