"""A token hangs on a link of its seat, ends by itself, with the link, or when any program revokes it, and is a digest alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg
import pytest

from rollbook.adapters.local_files.seat_links_file import SeatLinksFile
from rollbook.adapters.storage.postgres.connecting import Connections
from rollbook.adapters.storage.postgres.shared_links import SharedLinks
from rollbook.application.ports.seat_links import DAY, SeatLinks, digest
from rollbook.application.ports.seat_tokens import MARK, Scope
from rollbook.domain.base.errors import RollbookError
from tests.support.postgres import OWNER, PostgresServer
from tests.support.seat_links import NOON, SHERWOOD, Clock, another, stored

READ = frozenset({Scope.READ})


def token(links: SeatLinks, seat: str = "Ana", scopes: frozenset[Scope] = READ, until: int = NOON + DAY) -> str:
    link, _ = links.make(*SHERWOOD, seat)
    return links.make_token(link.number, "a bot", scopes, until)[1]


def seats(links: SeatLinks, text: str) -> list[str]:
    return [link.seat for link in links.taken(text) if link.is_good]


def test_a_token_has_the_seat_of_its_link_and_its_own_scopes(links: SeatLinks) -> None:
    text = token(links, scopes=frozenset({Scope.ACT, Scope.READ}))
    (link,) = links.taken(text)
    assert text.startswith(MARK) and len(text) == len(MARK) + 32
    assert (link.seat, link.by and link.by.scopes, link.by and link.by.name) == ("Ana", {"act", "read"}, "a bot")
    assert dict(links.taken_by([text, "nonsense"])) | {"nonsense": ()} == {text: (link,), "nonsense": ()}


def test_it_is_no_link_and_no_cookie_and_these_are_no_tokens(links: SeatLinks) -> None:
    text = token(links)
    assert links.find(text) is None
    _, of_link = links.make(*SHERWOOD, "Ana")
    cookie = links.take(of_link, "")
    for other in (of_link, cookie):
        assert links.taken(MARK + other) == ()
    assert links.taken(text.removeprefix(MARK)) == ()


def test_it_ends_by_itself(links: SeatLinks, clock: Clock) -> None:
    text = token(links, until=NOON + DAY)
    clock.now = NOON + DAY - 1
    assert [link.by and link.by.is_good(clock.now) for link in links.taken(text)] == [True]
    clock.now += 1
    assert not [link for link in links.taken(text) if link.by and link.by.is_good(clock.now)]


def test_what_is_revoked_in_one_program_is_gone_at_once_in_another(links: SeatLinks, clock: Clock) -> None:
    text, kept = token(links), token(links, "Mira")
    other = another(links, clock)
    assert seats(other, text) == ["Ana"]
    (first, _) = links.tokens_of(*SHERWOOD)
    links.revoke_token(first.number)
    assert (seats(other, text), seats(other, kept)) == ([], ["Mira"])
    assert [each.ended for each in other.tokens_of(*SHERWOOD)] == [NOON, 0]
    clock.now += 1
    other.revoke_token(first.number)
    assert [each.ended for each in links.tokens_of(*SHERWOOD)] == [NOON, 0]
    other.close()


def test_it_ends_with_its_link_and_goes_with_its_campaign(links: SeatLinks, clock: Clock) -> None:
    text, kept = token(links), token(links, "Mira")
    (link, _) = links.of(*SHERWOOD)
    links.revoke(link.number)
    assert (seats(links, text), seats(links, kept)) == ([], ["Mira"])
    assert [bool(each.ended) for each in links.tokens_of(*SHERWOOD)] == [True, False]
    links.forget(SHERWOOD[0])
    assert links.tokens_of(*SHERWOOD) == () and seats(links, kept) == []
    assert b"a bot" not in stored(links)


def test_tokens_of_a_campaign_are_those_of_its_identity(links: SeatLinks) -> None:
    token(links)
    assert links.tokens_of("sherwood", "another") == () and len(links.tokens_of(*SHERWOOD)) == 1


def test_the_day_of_the_last_use_is_noted_and_no_time_in_it(links: SeatLinks, clock: Clock) -> None:
    text = token(links, until=NOON + 9 * DAY)
    clock.now += DAY
    links.taken(text)
    before = stored(links)
    assert [each.day for each in links.tokens_of(*SHERWOOD)] == [clock.now // DAY]
    clock.now += 60_000_000
    links.taken(text)
    assert stored(links) == before


def test_a_token_is_not_kept(links: SeatLinks) -> None:
    text = token(links)
    links.close()
    kept = stored(links)
    assert text.encode() not in kept and text.removeprefix(MARK).encode() not in kept and digest(text) in kept


def test_a_scope_that_this_version_does_not_know_allows_nothing(file_links: SeatLinksFile) -> None:
    text = token(file_links)
    with closing(sqlite3.connect(file_links.path)) as other, other:
        other.execute("UPDATE tokens SET scopes = 'read everything'")
    (link,) = file_links.taken(text)
    assert link.by is not None and link.by.scopes == READ


def test_an_odd_value_in_the_file_lets_no_program_in(file_links: SeatLinksFile) -> None:
    text = token(file_links)
    with closing(sqlite3.connect(file_links.path)) as other, other:
        other.execute("UPDATE tokens SET scopes = x'05'")
    with pytest.raises(RollbookError, match="nobody can be let in"):
        file_links.taken(text)


def test_a_database_without_tokens_has_none_and_says_how_it_gets_them(
    postgres_server: PostgresServer, clock: Clock
) -> None:
    database = postgres_server.new_database()
    with psycopg.connect(postgres_server.dsn(OWNER, database)) as owner:
        owner.execute("DROP TABLE rollbook.seat_tokens")
    links = SharedLinks(Connections(postgres_server.dsn("rollbook", database)), clock)
    assert links.taken(f"{MARK}{'x' * 32}") == () and links.tokens_of(*SHERWOOD) == ()
    with pytest.raises(RollbookError, match=r"before there were tokens.* rollbook store migrate"):
        token(links)


def test_a_file_without_tokens_gets_room_for_them(file_links: SeatLinksFile, clock: Clock) -> None:
    _, of_link = file_links.make(*SHERWOOD, "Ana")
    file_links.close()
    with closing(sqlite3.connect(file_links.path)) as other, other:
        other.execute("DROP TABLE tokens")
        other.execute("PRAGMA user_version = 1")
    after = SeatLinksFile(file_links.path, clock)
    assert after.find(of_link) is not None and seats(after, token(after, "Mira")) == ["Mira"]
    after.close()
