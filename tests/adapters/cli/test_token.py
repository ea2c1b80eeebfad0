"""``rollbook token`` makes a token for a program, lists what there is, and ends one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.local_files.seat_links_file import SeatLinksFile, links_path
from rollbook.adapters.wiring import open_book
from rollbook.application.ports.seat_tokens import MARK


@pytest.fixture
def links(table, home: Path):
    with open_book(home / "books" / "rollbook.db", home / "seeds", create=False) as book:
        identity = book.store.identity()
        seeds = next(path for path in (home / "seeds", *home.rglob("seeds")) if path.is_dir())
    opened = SeatLinksFile(links_path(seeds, identity))
    yield opened
    opened.close()


@pytest.fixture
def campaign(table) -> str:
    (found,) = [line["campaign"] for line in table("campaigns --json").lines]
    return found


def test_a_token_is_printed_once_and_is_good_for_its_seat(table, links: SeatLinksFile, campaign: str) -> None:
    done = table(f"token new {campaign} ana --name dice-bot --scope read --scope act --days 3")
    assert done.code == 0, done.err
    text, said = done.out.splitlines()
    assert text.startswith(MARK) and said.startswith("Good until ")
    (link,) = links.taken(text)
    assert link.seat == "Ana" and link.by is not None
    assert (link.by.name, link.by.scopes) == ("dice-bot", {"read", "act"})
    listed = table(f"token list {campaign}").out
    assert "Ana" in listed and "dice-bot" in listed and "act read" in listed and text not in listed


def test_without_a_scope_it_reads(table, links: SeatLinksFile, campaign: str) -> None:
    said = table(f"token new {campaign} ana --json").lines[0]
    assert (said["scopes"], said["name"], said["seat"]) == (["read"], "Ana", "Ana")
    assert [row["number"] for row in table(f"token list {campaign} --json").lines] == [said["number"]]
    assert links.taken(said["token"])


def test_a_token_is_revoked_by_its_number(table, links: SeatLinksFile, campaign: str) -> None:
    said = table(f"token new {campaign} ana --json").lines[0]
    assert "has ended" in table(f"token revoke {campaign} {said['number']}").out
    assert links.taken(said["token"]) == () and "revoked" in table(f"token list {campaign}").out
    assert table(f"token revoke {campaign} 99").code == 3


def test_revoking_the_links_of_a_seat_ends_its_tokens(table, links: SeatLinksFile, campaign: str) -> None:
    said = table(f"token new {campaign} ana --json").lines[0]
    table("seat-link ana --revoke")
    assert not [link for link in links.taken(said["token"]) if link.is_good]


def test_what_cannot_be_had_is_said(table, campaign: str) -> None:
    assert "There is no seat called 'anna'. Did you mean Ana?" in table(f"token new {campaign} anna").err
    assert table(f"token new {campaign} ana --scope everything").code == 2
    assert "No token yet." in table(f"token list {campaign}").out
