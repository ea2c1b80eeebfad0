"""``seat-link`` gives a link that lets somebody sit down, once and for that seat, and ends earlier ones if it is asked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.adapters.cli.commands.serve import qr_lines
from rollbook.adapters.local_files.seat_links_file import SeatLinksFile, links_path
from rollbook.adapters.wiring import open_book


@pytest.fixture
def links(table, home: Path):
    with open_book(home / "books" / "rollbook.db", home / "seeds", create=False) as book:
        identity = book.store.identity()
        seeds = next(path for path in (home / "seeds", *home.rglob("seeds")) if path.is_dir())
    opened = SeatLinksFile(links_path(seeds, identity))
    yield opened
    opened.close()


def token_in(said: str) -> str:
    address, token = said.strip().rsplit("/join/", 1)
    assert address == "http://127.0.0.1:7655"
    return token


def seats(links: SeatLinksFile, token: str) -> list[str]:
    return [link.seat for link in links.taken(links.take(token, "")) if link.is_good]


def test_it_is_a_link_to_a_seat(table, links: SeatLinksFile) -> None:
    token = token_in(table("seat-link ana").out)
    assert seats(links, token) == ["Ana"]


def test_the_campaign_may_be_named(table, links: SeatLinksFile) -> None:
    (campaign,) = [line["campaign"] for line in table("campaigns --json").lines]
    said = table(f"seat-link {campaign} ana --json").lines[0]
    assert (said["campaign"], said["seat"]) == (campaign, "Ana")
    assert seats(links, token_in(said["link"])) == ["Ana"]


def test_without_a_seat_it_is_the_hosts(table, links: SeatLinksFile) -> None:
    link = links.find(token_in(table("seat-link").out))
    assert link is not None and link.is_hosts and link.until > link.made


def test_revoking_ends_the_earlier_links_of_that_seat_and_gives_a_new_one(table, links: SeatLinksFile) -> None:
    old, others = token_in(table("seat-link ana").out), token_in(table("seat-link mira").out)
    new = token_in(table("seat-link ana --revoke").out)
    assert links.find(old).revoked and not links.find(new).revoked and not links.find(others).revoked
    assert seats(links, new) == ["Ana"]


def test_a_seat_that_is_none_is_named_with_those_most_like_it(table) -> None:
    said = table("seat-link anna")
    assert said.code == 3 and "There is no seat called 'anna'. Did you mean Ana?" in said.err


def test_who_has_left_gets_no_link(table) -> None:
    table("do leave-seat Mira")
    said = table("seat-link mira")
    assert said.code == 4 and "take-seat Mira" in said.err


def test_the_hosts_links_end_by_themselves(table) -> None:
    assert "end by themselves" in table("seat-link --revoke").err


def test_a_code_is_as_wide_as_a_terminal_and_reads_as_the_link(table) -> None:
    link, *code = table("seat-link ana --qr").out.splitlines()
    assert len(code) > 15 and {len(line) for line in code} == {max(map(len, code))} and len(code[0]) <= 80
    assert code == list(qr_lines(link))
    assert set("".join(code)) == set("█▀▄ ")
