"""Where a seat is stored under a word of chance, every page calls its person by name, and by none once that was removed."""

from __future__ import annotations

import html
import re
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.web.routes import PAGES
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.wiring import open_book
from rollbook.application.keeping.hosting import WantedTable, begin_table, seat_for
from rollbook.domain.events import Role
from tests.support.web import GM, SHERWOOD, Clients, StoreFiles, clients_of
from tests.support.web_routes import VALUES, addresses

NAME = "Zenobia"
OF_CHANCE = re.compile(r"seat-[0-9a-f]{8}")
UNREAD = r"<script.*?</script>|<style.*?</style>|<[^>]+>"
NOT_ASKED = ("/stream", "/health", "/ready", "/metrics", "/static", "/complete", "{job}", "{token}", "/replay/moments")
"""Parts of addresses of what is no page."""


@pytest.fixture
def files(tmp_path: Path) -> StoreFiles:
    """A table that a host began, at which a person does all that names a seat, and one was never there."""
    files = StoreFiles(tmp_path / "rollbook.db", tmp_path / "seeds")
    with closing(open_book(files.store, files.seeds)) as book, closing(book.seeds.links()) as links:
        campaign = begin_table(book, links, WantedTable(name="Sherwood", ruleset="storytoken", gm="Ana")).campaign
        seat, _ = seat_for(campaign, NAME, Role.PLAYER)
        links.make(campaign.id, campaign.state.identity, seat)
        campaign.say("open-session First")
        campaign.do("join", {"name": "Robin Hood", "id": "robin", "kind": "npc", "hp": 9, "ac": 12})
        campaign.say(f"lend robin --to {NAME}")
        campaign.do("roll", {"expression": "1d20"}, seat=seat)
        campaign.do("note", {"text": "mine"}, seat=seat)
        for line in (f"whisper {NAME} psst", f"handout Map 'a map' --to {NAME}", f"agree dice either --whose {NAME}"):
            campaign.say(line)
        rolled = next(entry.action for entry in campaign.history.entries if entry.intent.verb == "roll")
        campaign.corrections.undo(rolled, reason="a slip").apply()
        seat_for(campaign, "Yorick", Role.PLAYER)
        taken = campaign.head.actions
        campaign.say("whisper Yorick psst")
        campaign.corrections.undo(taken, reason="he never came").apply()
        campaign.do("adjust", {"who": "robin", "what": "hp", "by": -3, "reason": "fell"})
        campaign.corrections.amend(campaign.head.actions, {"by": -2}, reason="soft").apply()
        campaign.session.project()
    return files


def pages() -> list[str]:
    values = {**VALUES, "verb": ("roll", "whisper", "handout", "lend"), "number": ("4", "7"), "action": ("7", "8")}
    found = (address for page in PAGES if page.method == "GET" for address in addresses(page, values))
    return sorted({address for address in found if not any(part in address for part in NOT_ASKED)})


def read(client: TestClient) -> dict[str, str]:
    """What a reader sees of every page: its text, and what is said of it aloud."""
    found = {}
    for address in (*pages(), "/host/person?name=Zenobia", "/host"):
        page = client.get(address, follow_redirects=True).text
        spoken = " ".join(re.findall(r'(?:aria-label|title|data-spoken)="([^"]*)"', page))
        found[address] = html.unescape(re.sub(UNREAD, " ", page, flags=re.DOTALL) + spoken)
    return found


def found_in(text: str) -> set[str]:
    """Each place at which a word of chance is read, with the words around it."""
    plain = " ".join(text.split())
    return {plain[max(0, found.start() - 60) : found.end() + 30] for found in OF_CHANCE.finditer(plain)}


def all_of(clients: Clients, seat: str) -> list[TestClient]:
    return [clients.as_(GM), clients.as_(Identity(campaign=SHERWOOD, seat=seat, role=Role.PLAYER))]


def test_a_person_is_called_by_name_on_every_page_and_by_none_after_removal(files: StoreFiles) -> None:
    with files.book() as book:
        (seat,) = (key for key, seat in book.campaign(SHERWOOD).state.seats.items() if seat.shown == NAME)
    with clients_of(files) as clients:
        shown = [page for client in all_of(clients, seat) for page in read(client).items()]
        assert sum(NAME in text for _, text in shown) > 20
        assert sorted(around for _, text in shown for around in found_in(text)) == []
        done = clients.as_(GM).post("/host/person/remove", data={"name": NAME, "typed": NAME})
        assert "1 name is gone" in html.unescape(done.text) and "Not done" not in done.text
        later = read(clients.as_(GM))
        asked = [address for address, text in later.items() if NAME in text and "name=" not in address]
        assert asked == []
        assert sorted(around for text in later.values() for around in found_in(text)) == []
        assert "(name removed) sits down" in later[f"/c/{SHERWOOD}/log"]
