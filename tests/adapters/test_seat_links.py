"""A link is taken by whom it is given to, can be revoked at any moment by any program, and is kept as a digest alone."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.backups.restoring import restore
from rollbook.adapters.local_files.seat_links_file import SeatLinksFile, links_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.application.ports.seat_links import BROWSER_LASTS, DAY, SeatLinks, digest
from rollbook.domain.base.errors import NotFound, Refused, RollbookError
from tests.support.campaigns import begin_campaign, file_book
from tests.support.seat_links import NOON, SHERWOOD, Clock, another, stored


def seats(links: SeatLinks, cookie: str) -> list[tuple[str, str]]:
    return [(link.campaign, link.seat) for link in links.taken(cookie) if link.is_good]


def test_who_takes_a_link_has_the_seat_and_the_link_says_when(links: SeatLinks, clock: Clock) -> None:
    made, token = links.make(*SHERWOOD, "Ana")
    assert (made.campaign, made.identity, made.seat, made.made, made.used) == (*SHERWOOD, "Ana", NOON, 0)
    assert links.find(token) == made
    clock.now += 5
    cookie = links.take(token, "")
    assert seats(links, cookie) == [("sherwood", "Ana")]
    clock.now += 5
    links.take(token, "")  # on a second device
    assert [link.used for link in links.of(*SHERWOOD)] == [NOON + 5]


def test_looking_at_a_link_changes_nothing(links: SeatLinks) -> None:
    _, token = links.make(*SHERWOOD, "Ana")
    before = stored(links)
    links.find(token)
    links.find("nonsense")
    assert links.taken("nonsense") == ()
    assert stored(links) == before


def test_one_browser_sits_in_several_campaigns_and_its_old_cookie_ends(links: SeatLinks, clock: Clock) -> None:
    _, first = links.make(*SHERWOOD, "Ana")
    _, second = links.make("night-ferry", "b2", "Ana")
    old = links.take(first, "")
    clock.now += 1
    new = links.take(second, old)
    assert seats(links, new) == [("night-ferry", "Ana"), ("sherwood", "Ana")]
    assert new != old and seats(links, old) == []
    clock.now += 1
    again = links.take(first, new)
    assert seats(links, again) == [("sherwood", "Ana"), ("night-ferry", "Ana")]


def test_a_cookie_that_somebody_made_up_is_not_kept(links: SeatLinks) -> None:
    _, token = links.make(*SHERWOOD, "Ana")
    cookie = links.take(token, "made-up")
    assert cookie != "made-up" and seats(links, "made-up") == []


def test_what_is_revoked_is_gone_at_once_in_another_program_too(links: SeatLinks, clock: Clock) -> None:
    link, token = links.make(*SHERWOOD, "Ana")
    cookie = links.take(token, "")
    other = another(links, clock)
    assert seats(other, cookie) == [("sherwood", "Ana")]
    links.revoke(link.number)
    assert seats(other, cookie) == []
    with pytest.raises(Refused, match="revoked"):
        other.take(token, "")
    assert [each.revoked for each in other.of(*SHERWOOD)] == [NOON]
    clock.now += 1
    other.revoke(link.number)
    assert [each.revoked for each in links.of(*SHERWOOD)] == [NOON]
    other.close()


def test_an_unknown_token_is_refused_in_a_sentence(links: SeatLinks) -> None:
    for token in ("", "x", "x" * 5_000, "ä", "\ud800", "\0"):
        with pytest.raises(NotFound, match="no such link"):
            links.take(token, "")


def test_the_hosts_link_is_taken_within_a_day(links: SeatLinks, clock: Clock) -> None:
    link, token = links.make_hosts()
    assert link.is_hosts and link.until == NOON + DAY
    cookie = links.take(token, "")
    clock.now += DAY
    with pytest.raises(Refused, match="too old"):
        links.take(token, "")
    assert [each.is_hosts for each in links.taken(cookie)] == [True]


def test_hosts_links_that_nobody_took_are_not_kept_for_ever(links: SeatLinks, clock: Clock) -> None:
    _, old = links.make_hosts()
    clock.now += DAY + 1
    links.make_hosts()
    assert links.find(old) is None


def test_a_browser_that_stays_away_for_a_month_has_to_be_let_in_again(links: SeatLinks, clock: Clock) -> None:
    _, token = links.make(*SHERWOOD, "Ana")
    cookie = links.take(token, "")
    clock.now += BROWSER_LASTS * DAY
    assert seats(links, cookie)
    clock.now += BROWSER_LASTS * DAY
    assert seats(links, cookie)
    clock.now += (BROWSER_LASTS + 1) * DAY
    assert not seats(links, cookie)
    links.take(token, "")
    assert digest(cookie) not in stored(links)  # nothing is kept of the one that stayed away


def test_a_day_is_noted_once_and_nothing_says_when_in_it(links: SeatLinks, clock: Clock) -> None:
    _, token = links.make(*SHERWOOD, "Ana")
    cookie = links.take(token, "")
    clock.now += DAY
    links.taken(cookie)
    before = stored(links)
    clock.now += 60_000_000
    links.taken(cookie)
    assert stored(links) == before


def test_who_leaves_has_no_seat(links: SeatLinks) -> None:
    _, token = links.make(*SHERWOOD, "Ana")
    mine, hers = links.take(token, ""), links.take(token, "")
    links.leave(mine)
    links.leave("")
    assert (seats(links, mine), seats(links, hers)) == ([], [("sherwood", "Ana")])


def test_links_of_a_campaign_are_those_of_its_identity(links: SeatLinks) -> None:
    links.make(*SHERWOOD, "Ana")
    (link,) = links.of(*SHERWOOD)
    assert links.of("sherwood", "another") == ()
    assert link.leads_to(*SHERWOOD) and not link.leads_to("sherwood", "another")


def test_nothing_is_left_of_links_to_a_campaign_that_was_deleted(links: SeatLinks) -> None:
    _, token = links.make("sherwood", "a1", "Ana-Sophia")
    cookie = links.take(token, "")
    links.make("night-ferry", "b2", "Ben")
    links.forget("sherwood")
    assert seats(links, cookie) == [] and links.find(token) is None
    assert b"Ana-Sophia" not in stored(links)
    assert len(links.of("night-ferry", "b2")) == 1


def test_neither_a_token_nor_a_cookie_is_kept(links: SeatLinks) -> None:
    _, token = links.make(*SHERWOOD, "Ana")
    cookie = links.take(token, "")
    links.close()
    kept = stored(links)
    assert token.encode() not in kept and cookie.encode() not in kept and digest(token) in kept


def test_the_file_is_for_its_owner_alone(file_links: SeatLinksFile) -> None:
    file_links.make(*SHERWOOD, "Ana")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file_links.path, file_links.path.parent)] == [0o600, 0o700]


def test_tokens_are_long_and_never_the_same(links: SeatLinks) -> None:
    tokens = {links.make(*SHERWOOD, "Ana")[1] for _ in range(200)}
    assert len(tokens) == 200 and min(map(len, tokens)) == 32


def test_addresses_are_those_noted_last(links: SeatLinks) -> None:
    assert links.addresses() == ()
    links.note_addresses(("http://192.168.1.5:8765", "http://127.0.0.1:8765"))
    links.note_addresses(("http://127.0.0.1:8765",))
    assert links.addresses() == ("http://127.0.0.1:8765",)


def test_a_damaged_file_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "links.db"
    path.write_bytes(b"no database " * 1_000)
    with pytest.raises(RollbookError, match="is damaged; .* Remove that file, and give everybody a new link"):
        SeatLinksFile(path)


def test_an_odd_value_in_the_file_lets_nobody_in(file_links: SeatLinksFile) -> None:
    _, token = file_links.make(*SHERWOOD, "Ana")
    cookie = file_links.take(token, "")
    with closing(sqlite3.connect(file_links.path)) as other, other:
        other.execute("UPDATE links SET until = 'never'")
    with pytest.raises(RollbookError, match="nobody can be let in"):
        file_links.taken(cookie)
    with pytest.raises(RollbookError, match="nothing was changed"):
        file_links.take(token, "")


def test_a_file_of_a_newer_version_is_left_alone(file_links: SeatLinksFile) -> None:
    file_links.close()
    with closing(sqlite3.connect(file_links.path)) as other, other:
        other.execute("PRAGMA user_version = 99")
    before = file_links.path.read_bytes()
    with pytest.raises(RollbookError, match="newer rollbook"):
        SeatLinksFile(file_links.path)
    assert file_links.path.read_bytes() == before


def test_links_go_on_in_a_store_that_was_restored(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        campaign = begin_campaign(book)
        identity = campaign.state.identity
        before = SeatLinksFile(links_path(book.seeds.folder, book.store.identity()))
        link, token = before.make(campaign.id, identity, "Ana")
        _, lost = before.make(campaign.id, identity, "Mira")
        before.revoke(link.number + 1)
        before.close()
        make_backup(book.store, book.seeds, tmp_path / "backup.db")
        keeper = SeedKeeper(book.seeds.folder)
    restore(tmp_path / "rollbook.db", keeper, tmp_path / "backup.db")
    with file_book(tmp_path) as book:
        assert book.campaign(campaign.id).state.identity == identity
        after = SeatLinksFile(links_path(book.seeds.folder, book.store.identity()))
    assert seats(after, after.take(token, "")) == [(campaign.id, "Ana")]
    with pytest.raises(Refused, match="revoked"):
        after.take(lost, "")
    assert stat.S_IMODE(after.path.stat().st_mode) == 0o600
    after.close()
