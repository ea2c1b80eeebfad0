"""``rollbook host``: one command begins the tables of a whole club, with a link for each GM."""

from __future__ import annotations

import csv
import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.domain.events import Role
from tests.support.command_line import Say
from tests.support.files_with import files_with

FORTY = "name;gm;ruleset\n" + "".join(f"Table {n};Gina {n};{'grid' if n % 2 else ''}\n" for n in range(1, 41))


@pytest.fixture
def file(home: Path) -> Path:
    path = home / "tables.csv"
    path.write_text(FORTY, encoding="utf-8")
    return path


def rows(said: str) -> list[dict[str, str]]:
    return [row for row in csv.DictReader(io.StringIO(said)) if row["gm"]]


def test_forty_tables_begin_with_a_link_for_each_gm(say: Say, file: Path, home: Path) -> None:
    found = rows(say("host", "tables", str(file), "--ruleset", "storytoken"))
    assert [row["campaign"] for row in found] == [f"table-{n}" for n in range(1, 41)]
    with open_book() as book, closing(book.seeds.links()) as links:
        assert len(book.campaigns()) == 40
        for number, row in enumerate(found, start=1):
            state = book.campaign(row["campaign"]).state
            link = links.find(row["link"].rpartition("/join/")[2])
            assert link is not None and link.leads_to(row["campaign"], state.identity)
            assert (state.seats[link.seat].shown, state.seats[link.seat].role) == (f"Gina {number}", Role.GM)
            assert state.ruleset == ("grid" if number % 2 else "storytoken")


def test_said_again_nothing_is_begun_twice_and_no_second_link_is_made(say: Say, file: Path) -> None:
    say("host", "tables", str(file), "--ruleset", "storytoken")
    file.write_text(FORTY + "Another;Nora;grid\n", encoding="utf-8")
    again = rows(say("host", "tables", str(file), "--ruleset", "storytoken"))
    assert [bool(row["link"]) for row in again] == [False] * 40 + [True]


def test_a_list_with_faults_begins_nothing_and_names_each(say: Say, home: Path) -> None:
    path = home / "tables.csv"
    path.write_text("name,gm,ruleset\nOne,Gina,grid\nTwo,,grid\nOne,Ana,nonsense\n", encoding="utf-8")
    said = " ".join(say("host", "tables", str(path), fails=4).split())
    assert "Line 2: A table needs the name of its GM." in said
    assert "Line 3: There is no ruleset" in said and "Line 3: One is in line 1 already." in said
    with open_book() as book:
        assert book.campaigns() == ()
    path.write_text("campaign,who\nOne,Gina\n", encoding="utf-8")
    assert "has to name the columns: name, gm" in say("host", "tables", str(path), fails=1)


def test_a_host_has_a_limit_of_tables(say: Say, file: Path) -> None:
    said = json.loads(say("--json", "host", "init", "Clara", "--most-tables", "39", "--self-service", "2"))
    assert (said["most_tables"], said["self_service"], said["most_entries"]) == (39, 2, 0)
    assert "more than 39" in say("host", "tables", str(file), "--ruleset", "grid", fails=4)
    say("host", "init", "Clara", "--most-tables", "40")
    assert len(rows(say("host", "tables", str(file), "--ruleset", "grid"))) == 40


def test_people_are_invited_by_their_names(say: Say) -> None:
    say("new", "Sherwood", "--ruleset", "storytoken")
    found = [line.split(",") for line in say("host", "invite", "sherwood", "Mira", "Jo").splitlines()]
    assert [row[:2] for row in found] == [["sherwood", "Mira"], ["sherwood", "Jo"]]
    assert found[0][2] != say("host", "invite", "sherwood", "mira").strip().split(",")[2], (
        "a second link of the same seat"
    )
    assert "sits in sherwood as player" in say("host", "invite", "sherwood", "Jo", "--role", "gm", fails=4)


def test_a_person_is_forgotten_at_all_tables_once_that_was_confirmed(say: Say, file: Path, home: Path) -> None:
    found = rows(say("host", "tables", str(file), "--ruleset", "storytoken"))
    assert found[0]["gm"] == "Gina 1"
    say("host", "invite", "table-1", "Zenobia")
    say("host", "invite", "table-2", "Zenobia")
    before = say("host", "forget", "zenobia")
    assert "table-1: Zenobia, 0 actions, 0 notes with words; the name can be removed." in before
    assert "Nothing was removed." in before
    done = say("host", "forget", "zenobia", "--yes")
    assert (
        "table-1: called Seat 2 now; 0 notes, 1 name and 1 link are gone." in done and "table-2: called Seat 2" in done
    )
    assert files_with(b"enobia", home) == []
    assert "Nobody sits at any table here" in say("host", "forget", "Zenobia", fails=3)


def test_a_limit_of_entries_is_said_for_all_tables_and_for_one(say: Say) -> None:
    say("new", "Sherwood", "--ruleset", "storytoken")
    assert "at most 2 entries" in say("host", "init", "Clara", "--most-entries", "2")
    say("host", "invite", "sherwood", "Mira")
    said = say("host", "invite", "sherwood", "Jo", fails=4)
    assert "sherwood has 2 entries, and the host allows 2, so nothing was recorded." in " ".join(said.split())
    assert "may have 3." in say("host", "limit", "sherwood", "3")
    say("host", "invite", "sherwood", "Jo")
    assert "may have any number." in say("host", "limit", "sherwood", "0")
    assert "has 3 entries and may have 2." in say("host", "limit", "sherwood")
