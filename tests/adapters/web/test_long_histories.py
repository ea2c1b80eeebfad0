"""A long history is read for a player a stretch at a time: the page says how far it is, and nobody else waits."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from starlette.testclient import TestClient

from benchmarks.long_fight import CAMPAIGN, EVENTS_PER_BLOW, written
from rollbook.adapters.web.live.bells import Hub
from rollbook.adapters.web.live.live_updates import EditionBuilder
from rollbook.adapters.web.workers.campaign_workers import CampaignWorker
from rollbook.application.visibility.editions.live import STRETCH, BeingRead, Editions, LiveEdition
from rollbook.domain.events import Role
from rollbook.rulesets import storytoken
from tests.support.streams import Reader
from tests.support.web import Clients, Identity, StoreFiles, clients_of, cookie, cookie_name, running

ENTRIES = 12 * STRETCH
HERE = f"/c/{CAMPAIGN}"
PLAYER = Identity(campaign=CAMPAIGN, seat="Mira", role=Role.PLAYER)
OTHER = Identity(campaign=CAMPAIGN, seat="Jo", role=Role.PLAYER)
GM = Identity(role=Role.GM)
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def long(tmp_path: Path) -> StoreFiles:
    """A fight without end, of which no read model has anything yet."""
    written(tmp_path / "long.db", ENTRIES * EVENTS_PER_BLOW, storytoken.RULESET)
    files = StoreFiles(tmp_path / "long.db", tmp_path / "seeds")
    with files.book() as book:
        for seat in ("Mira", "Jo"):
            book.campaign(CAMPAIGN).do("take-seat", {"seat": seat, "role": "player"})
    return files


@pytest.fixture
def clients(long: StoreFiles) -> Iterator[Clients]:
    with clients_of(long) as found:
        found.app.live_updates.builder.patience = 0
        yield found


def percent(page: str) -> int:
    """How much was read, as a page says it."""
    found = re.search(r"(\d+) % so far", page)
    assert found, page
    return int(found[1])


def read_on(player: TestClient) -> list[int]:
    """What a browser shows that looks again until the table is there."""
    shown = []
    for _ in range(1_000):
        answer = player.get(HERE, headers=BROWSER)
        if answer.status_code == 200:
            assert "blow" in answer.text or "attack" in answer.text
            return shown
        assert answer.status_code == 202
        assert '<meta http-equiv="refresh" content="1">' in answer.text
        assert f'max="100" value="{percent(answer.text)}">' in answer.text
        shown.append(percent(answer.text))
    raise AssertionError("the table never came")


def test_the_page_says_how_far_it_is_and_goes_on_to_the_table_by_itself(clients: Clients) -> None:
    shown = read_on(clients.as_(PLAYER))
    assert len(shown) > 1
    assert shown == sorted(shown)
    assert shown[0] < 50


def test_the_gm_plays_on_while_a_player_waits(clients: Clients) -> None:
    player, gm = clients.as_(PLAYER), clients.as_(GM)
    assert player.get(HERE, headers=BROWSER).status_code == 202
    done = 0
    while player.get(HERE, headers=BROWSER).status_code == 202:
        line = {"line": f"note Meanwhile{done}", "command": f"c{done}"}
        assert gm.post(f"{HERE}/say", data=line, follow_redirects=False).status_code == 303
        assert f"Meanwhile{done}" in gm.get(HERE).text
        done += 1
    assert done > 1
    assert f"Meanwhile{done - 1}" in player.get(HERE, headers=BROWSER).text


def test_what_is_sent_meanwhile_waits_and_is_done_once(clients: Clients, long: StoreFiles) -> None:
    player = clients.as_(PLAYER)
    assert player.get(HERE, headers=BROWSER).status_code == 202
    sent = player.post(f"{HERE}/say", data={"line": "note hello", "command": "one"}, follow_redirects=False)
    assert sent.status_code == 303
    assert "hello" in player.get(HERE, headers=BROWSER).text
    with long.book() as book:
        history = book.campaign(CAMPAIGN).history
        notes = [one for _, one in history.outcomes(history.actions - 3) if one and one.intent.verb == "note"]
    assert len(notes) == 1


def test_an_x_card_does_not_wait_for_it(clients: Clients) -> None:
    player = clients.as_(PLAYER)
    assert player.get(HERE, headers=BROWSER).status_code == 202
    assert player.post(f"{HERE}/x-card", follow_redirects=False).status_code == 303
    assert player.get(HERE, headers=BROWSER).status_code == 202


def test_the_bell_rings_when_it_is_there(long: StoreFiles) -> None:
    with running(long) as served:
        reader = Reader(served.address, f"{cookie_name(served.app)}={cookie(served.app, PLAYER)}")
        with reader.listening(f"{HERE}/stream") as stream:
            assert stream.bell(60)
        assert reader.get(HERE)[0] == 200


def test_between_two_stretches_everybody_else_has_a_turn(long: StoreFiles) -> None:
    """What others ask of the worker is done after one stretch at most, in the order in which it was asked."""
    order: list[str] = []

    async def play() -> None:
        worker = CampaignWorker(long.book, 1)
        builder = EditionBuilder(Hub(), lambda _: order.append("made"))

        def read() -> int:
            return worker.warm(CAMPAIGN).edition("Mira").head.entry

        try:
            with pytest.raises(BeingRead):
                await builder.answer(worker, CAMPAIGN, read, 0)
            waits = asyncio.ensure_future(builder.answer(worker, CAMPAIGN, read, 60))
            while not waits.done():
                await worker.run(lambda: order.append("another"))
            assert waits.result() > ENTRIES
        finally:
            worker.close()

    with start_blocking_portal() as portal:  # a thread of its own: a browser's tests leave a loop in this one
        portal.call(play)
    assert order.index("made") >= ENTRIES // STRETCH - 2


def test_a_stretch_is_all_that_is_done_at_once(long: StoreFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    go_on = LiveEdition.go_on

    def counted(self: LiveEdition) -> bool:
        before = self.shown.taken
        is_there = go_on(self)
        taken.append(self.shown.taken - before)
        return is_there

    monkeypatch.setattr(LiveEdition, "go_on", counted)
    with long.book() as book:
        editions = Editions(book.campaign(CAMPAIGN))
        editions.in_stretches = True
        met = 0
        while True:
            try:
                found = editions.of("Mira")
                break
            except BeingRead as being:
                met += 1
                assert being.done <= met * STRETCH
        assert isinstance(found, LiveEdition)
        at_once = Editions(book.campaign(CAMPAIGN)).of("Mira")
        assert found.cursor == at_once.cursor
        assert found.state == at_once.state
    assert met >= ENTRIES // STRETCH
    assert max(taken) <= STRETCH


def test_a_search_of_a_long_log_words_a_stretch_at_a_time_and_says_how_far_it_is(long: StoreFiles) -> None:
    with long.book() as book:
        whole = Editions(book.campaign(CAMPAIGN)).of("Mira")
        sought = whole.read_model.log(whole.id, search="robin", last=9)
        editions = Editions(book.campaign(CAMPAIGN))
        editions.of("Mira")
        editions.in_stretches = True
        assert editions.of("Mira").read_model.log(whole.id, last=40, everything=True)  # a page does not wait
        told: list[int] = []
        while True:
            try:
                found = editions.of("Mira").read_model.log(whole.id, search="robin", last=9)
                break
            except BeingRead as being:
                told.append(being.done)
                assert being.total == whole.head.entry
    assert found == sought
    assert len(found) == 9
    assert all(later - before <= STRETCH for before, later in pairwise(told))
    assert len(told) >= ENTRIES // STRETCH


def test_a_reader_who_searches_a_long_log_is_shown_how_far_it_is_read(clients: Clients) -> None:
    player = clients.as_(PLAYER)
    read_on(player)
    shown = []
    for _ in range(1_000):
        answer = player.get(f"{HERE}/log?q=robin", headers=BROWSER)
        if answer.status_code == 200:
            break
        shown.append(percent(answer.text))
    assert answer.status_code == 200
    assert "Robin" in answer.text
    assert shown == sorted(shown)
    assert player.get(HERE, headers=BROWSER).status_code == 200
