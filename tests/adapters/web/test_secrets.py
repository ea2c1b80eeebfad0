"""What is hidden makes no difference to what a player or a spectator reads, nor to the bells that ring for them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.web.api.endpoint import Endpoint
from rollbook.adapters.web.guards.checks import Door
from rollbook.adapters.web.guards.limits import Limits, Rate
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving import app as application
from rollbook.adapters.web.serving.app import WebTable, create_app
from rollbook.adapters.web.serving.page_answers import READ_ON
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import Role
from tests.support.api import AT, BODIES, bearer
from tests.support.campaigns import file_book
from tests.support.hidden_words import OTHER, SAID, free_parameters, line_of
from tests.support.hidden_words import WORDS as NAMED
from tests.support.secret_tables import (
    ARRIVALS,
    GAME,
    HIDDEN,
    PUBLIC,
    ROLL,
    SECRET_ROLL,
    SECRETS,
    SetClock,
    Step,
    begun,
    do,
    undo,
)
from tests.support.web import SHERWOOD, Clients
from tests.support.web_answers import STREAMS, plain, settled
from tests.support.web_corrections import apply, finished
from tests.support.web_routes import addresses

PLAYER = Identity(campaign=SHERWOOD, seat="mira", role=Role.PLAYER)
WATCHER = Identity(campaign=SHERWOOD, seat="watcher", role=Role.SPECTATOR)
READERS = (PLAYER, WATCHER)
MUCH = Rate(burst=1e9, a_second=1e9)


class Table:
    """A table on the web, and who reads there."""

    def __init__(self, folder: Path) -> None:
        self.clock = SetClock()
        self.folder = folder
        folder.mkdir()
        CLOCKS[folder / "rollbook.db"] = self.clock
        self.campaign: Campaign = begun(folder, self.clock, SQLiteEventStore(folder / "rollbook.db"))
        self.app: WebTable
        self.clients: dict[str, TestClient] = {}
        self._listeners: dict[str | None, Any] = {}
        self._cursors: dict[str | None, str] = {}
        self._portal: Any = None
        self._asking = itertools.cycle(({}, {"HX-Request": "true", READ_ON: f"after=0.&with=/c/{SHERWOOD}/act"}))

    @contextmanager
    def open(self) -> Iterator[Table]:
        """The server runs, everybody has a seat, and listens."""
        lots = itertools.count(1)
        with ExitStack() as stack:
            stack.enter_context(patch.object(application, "open_book", _book_at))
            stack.enter_context(patch("secrets.token_urlsafe", lambda *_: f"lot-{next(lots):012}"))
            door = Door(limits=Limits(reading=MUCH, acting=MUCH))
            self.app = create_app(self.folder / "rollbook.db", self.folder / "seeds", door)
            started = stack.enter_context(TestClient(self.app))
            clients = Clients(self.app, started)
            self.clients = {reader.seat: clients.as_(reader) for reader in READERS}
            for reader in READERS:  # they are asked for with cookies, and by the API with tokens
                self.clients[reader.seat].headers["Authorization"] = bearer(self.app, self.campaign, reader.seat)
            for client in self.clients.values():
                # What is drawn by lot is packed into more bytes or fewer.
                client.headers["Accept-Encoding"] = "identity"
            self._portal = started.portal
            for reader in READERS:
                listener = stack.enter_context(self.app.hub.listening(SHERWOOD, reader.audience))
                self._listeners[reader.audience] = listener
            self.rung()
            yield self

    def take(self, step: Step) -> None:
        """Something happens; what is refused is left."""
        try:
            step.take(self.campaign)
        except RollbookError:
            return

    def rung(self) -> set[str | None]:
        """For whom a bell has rung since this was last asked."""
        self._portal.call(self.app.live_updates.follow, SHERWOOD)
        self._portal.call(_nothing)
        before = self._cursors
        self._cursors = {audience: self.app.hub.cursor(SHERWOOD, audience) for audience in self._listeners}
        news = {audience for audience, cursor in self._cursors.items() if cursor != before.get(audience)}
        rung = news | {audience for audience, listener in self._listeners.items() if listener.is_rung}
        for listener in self._listeners.values():
            listener.is_rung = False
        return rung

    def act(self, reader: Identity, address: str, form: dict[str, str]) -> Any:
        """What somebody is answered who sends a form: in turn a whole page, and the part that it is of the table's page."""
        client, headers = self.clients[reader.seat], next(self._asking)
        return settled(client, client.post(address, data=form, headers=headers, follow_redirects=False))

    def send(self, reader: Identity, address: str, body: Mapping[str, Any]) -> Any:
        """What a program of somebody is answered who sends JSON."""
        client = self.clients[reader.seat]
        return settled(client, client.post(address, json=body, follow_redirects=False))

    def read(self, reader: Identity) -> Iterator[tuple[str, str]]:
        """Every answer to every reading request that somebody may make, by its address."""
        client = self.clients[reader.seat]
        for page in self.app.pages:
            if page.method != "GET" or page.path in STREAMS or "{file:path}" in page.path:
                continue
            for address in addresses(page):
                for headers in ({}, {"HX-Request": "true"}):
                    answer = settled(client, client.get(address, headers=headers, follow_redirects=False))
                    yield f"{address} {headers}", plain(answer)


CLOCKS: dict[Path, SetClock] = {}
"""The clock of each store: several tables are open at once, and each opens books of its own store whenever it wants."""


def _book_at(store: Path, *_: object, **__: object) -> Book:
    return file_book(store.parent, SQLiteEventStore(store), ruleset=GAME, clock=CLOCKS[store])


async def _nothing() -> None:
    """Let what is waiting in the server's thread go first."""


steps_behind = st.lists(st.sampled_from((*HIDDEN, *ARRIVALS)), max_size=3)


@pytest.mark.slow
@given(st.lists(st.tuples(steps_behind, steps_behind, st.sampled_from(PUBLIC)), min_size=2, max_size=6))
@example(
    [
        ([], [*ARRIVALS, SECRET_ROLL], do("fight", who=("robin", "guard"))),
        ([], [], do("attack", attacker="robin", target="guard", seat="mira")),
        ([do("note", text="the duke did it", to="tom")], [undo(hidden=True)], ROLL),
    ]
)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_hidden_makes_no_difference_to_any_page_nor_to_any_bell(
    steps: list[tuple[list[Step], list[Step], Step]],
) -> None:
    """The bells are asked for after every step, the pages at the end."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        tables = [stack.enter_context(Table(Path(folder) / str(at)).open()) for at in (0, 1)]
        for *behind, public in steps:
            for at, hidden in enumerate(behind):
                for step in hidden:
                    tables[at].clock.now += 7_000
                    tables[at].take(step)
                    assert not tables[at].rung(), step
            now = max(table.clock.now for table in tables) + 1_000_000
            for table in tables:
                table.clock.now = now
                table.take(public)
            assert tables[0].rung() == tables[1].rung(), public
        for reader in READERS:
            assert tables[0].clients[reader.seat].get(f"/c/{SHERWOOD}").status_code == 200
            for (address, one), (_, other) in zip(*(table.read(reader) for table in tables), strict=True):
                assert one == other, (reader.seat, address)
                found = [word for word in SECRETS if re.search(rf"(?<![a-z]){word}(?![a-z])", one.casefold())]
                assert not found or all(word in address for word in found), (address, found)


def test_a_bell_rings_for_those_who_are_shown_something_and_for_nobody_else(tmp_path: Path) -> None:
    with Table(tmp_path / "one").open() as table:
        table.take(ROLL)
        assert table.rung() == {"mira", ""}
        table.take(do("note", text="only for mira", to="mira"))
        assert table.rung() == {"mira"}
        for hidden in (SECRET_ROLL, *ARRIVALS, do("note", text="the duke did it", to="tom"), undo(hidden=True)):
            table.take(hidden)
            assert table.rung() == set(), hidden
        table.campaign.do("reveal", {"who": "black-douglas"})
        assert table.rung() == {"mira", ""}


def test_a_hidden_change_of_ones_own_numbers_rings_for_that_player_alone_and_shows_on_the_next_answer(
    tmp_path: Path,
) -> None:
    with Table(tmp_path / "one").open() as table:
        table.take(ROLL)
        assert table.rung() == {"mira", ""}
        mira = table.clients["mira"]
        asked = f"/c/{SHERWOOD}/live?after=0.&with=/c/{SHERWOOD}/sheet/robin"

        def sheet() -> str:
            return mira.get(asked, headers={"HX-Request": "true"}).text.partition("<hx-partial")[2]

        before = sheet()
        curse = {"who": "robin", "what": "hp", "by": -2, "reason": "a curse"}
        table.campaign.do("adjust", curse, secret=True)
        assert table.rung() == {"mira"}
        cursed = sheet()
        assert cursed != before
        table.campaign.do("adjust", {**curse, "who": "guard"}, secret=True)
        assert table.rung() == set()
        table.campaign.do("adjust", {**curse, "by": 2}, secret=True)
        assert table.rung() == {"mira"}
        assert sheet() == before


PROBES = (
    *("attack robin {}", "attack {} robin", "attack robin gu{}", "heal {}", "give {} rope", "note hello --about {}"),
    *("sheet {}", "why {} hp", "log who={}", "log --at 40", "stats who={}", "odds attack robin {}", "spend-token {}"),
    *(
        "undo 40",
        "undo 9",
        "amend 40 weapon=sword",
        "join 'Somebody' --seat {}",
        "leave {}",
        "lend guard --to {}",
        "{}",
    ),
)


def test_a_name_that_is_hidden_is_refused_as_one_that_nobody_has(tmp_path: Path) -> None:
    with ExitStack() as stack:
        hidden, plain_ = (stack.enter_context(Table(tmp_path / name).open()) for name in ("hidden", "plain"))
        for step in (*ARRIVALS, SECRET_ROLL, do("note", text="zyxel", to="gm")):
            hidden.take(step)
        hidden.rung()
        now = hidden.clock.now + 1_000_000
        for table in (hidden, plain_):
            table.clock.now = now
            table.campaign.refresh()
        for probe in PROBES:
            for name in ("black-douglas", "'Black Douglas'", "black", "nobody-at-all"):
                line = probe.format(name)
                said = [
                    plain(table.clients["mira"].post(f"/c/{SHERWOOD}/say", data={"line": line}, follow_redirects=False))
                    for table in (hidden, plain_)
                ]
                assert said[0] == said[1], line
        assert hidden.rung() == plain_.rung()


FORMS: tuple[dict[str, str], ...] = (
    {},
    {"attacker": "robin", "target": "guard", "who": "robin", "expression": "1d20", "text": "well"},
    {"attacker": "robin", "target": "black-douglas", "who": "black-douglas", "text": "#5", "picked": "ash"},
    {"fix.kind": "reroll", "fix.who": "robin", "fix.reason": "so", "fix.command": "one"},
    {"fix.kind": "reroll", "fix.who": "black-douglas", "fix.faces": "3", "fix.command": "two"},
    {"line": "sheet robin", "command": "three"},
)
"""What a player may send with any form."""
SOME = 5
"""So many addresses are sent forms to."""


def sendings(page: Page) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Addresses of a page with what is sent there: a form, or JSON to an endpoint of the API."""
    sent = BODIES[page.name] if isinstance(page, Endpoint) else FORMS
    return product(addresses(page), sent)


def _sent(table: Table, page: Page, address: str, sent: Mapping[str, Any]) -> str:
    if isinstance(page, Endpoint):
        return plain(table.send(PLAYER, address, sent))
    return plain(table.act(PLAYER, address, dict(sent)))


@pytest.mark.slow
def test_what_is_hidden_makes_no_difference_to_what_a_player_is_told_who_acts(tmp_path: Path) -> None:
    with ExitStack() as stack:
        tables = [stack.enter_context(Table(tmp_path / name).open()) for name in ("hidden", "open")]
        for at, table in enumerate(tables):
            table.take(do("attack", attacker="robin", target="guard", seat="mira"))
            if at == 0:
                for step in (*ARRIVALS, SECRET_ROLL, do("note", text="zyxel", to="gm"), SECRET_ROLL):
                    table.take(step)
            table.clock.now += 1_000_000
            table.take(do("bet", who="robin", dice=2, seat="mira"))
            if at == 0:
                table.take(SECRET_ROLL)
            table.clock.now += 1_000_000
            table.rung()
        for page in tables[0].app.pages:
            if not page.acts or Role.PLAYER not in page.roles:
                continue
            for address, sent in islice(sendings(page), SOME * len(FORMS)):
                told = [_sent(table, page, address, sent) for table in tables]
                assert told[0] == told[1], (address, sent)
                assert tables[0].rung() == tables[1].rung(), (address, sent)
        for (address, one), (_, other) in zip(*(table.read(PLAYER) for table in tables), strict=True):
            assert one == other, address
        made = [table.send(PLAYER, f"{AT}/previews", {"kind": "undo", "action": 12}) for table in tables]
        assert plain(made[0]) == plain(made[1]) and made[0].status_code == 200
        jobs = [answer.json()["preview"] for answer in made]
        becomes = [
            plain(table.send(PLAYER, f"{AT}/previews/{job}/apply", {"reason": "so"}))
            for table, job in zip(tables, jobs, strict=True)
        ]
        assert becomes[0] == becomes[1]


BLOWS: tuple[tuple[str, dict[str, str]], ...] = (
    ("act/attack", {"attacker": "robin", "target": "ogre", "roll.dice": "14,4"}),
    ("act/heal", {"who": "ogre", "roll.dice": "2"}),
    ("act/heal", {"who": "marian", "roll.dice": "1"}),
    ("say", {"line": "attack robin ogre ! 19,2"}),
    ("say", {"line": "status"}),
    ("say", {"line": "sheet ogre"}),
)
"""What a player does to somebody who was hurt behind the screen."""


def test_a_hidden_part_of_a_number_is_in_nothing_that_a_player_is_told(tmp_path: Path) -> None:
    with ExitStack() as stack:
        tables = [stack.enter_context(Table(tmp_path / str(by)).open()) for by in (3, 4)]
        for by, table in zip((3, 4), tables, strict=True):
            table.take(do("join", name="Ogre", kind="npc", stats={"max_hp": 90, "skill": 2}))
            for who, lost in (("ogre", 20), ("marian", 2)):
                table.take(do("adjust", who=who, what="hp", by=-lost, reason="an old wound"))
                table.take(do("adjust", who=who, what="hp", by=-by, reason="a hidden blow", secret=True))
            table.rung()
        for path, form in BLOWS:
            told = [plain(table.act(PLAYER, f"/c/{SHERWOOD}/{path}", form)) for table in tables]
            assert told[0] == told[1], (path, form)
        mine = [line.action for line in tables[0].campaign.read_model.log(SHERWOOD) if line.seat == "mira"]
        for action, way in itertools.product(mine, ("undo", "amend", "retype")):
            shown = [finished(client, client.get(f"/c/{SHERWOOD}/{way}/{action}")) for client in _miras(tables)]
            assert plain(shown[0]) == plain(shown[1]), (way, action)
            if way == "undo" and shown[0].status_code == 200:
                made = [apply(*found, reason="so") for found in zip(_miras(tables), shown, strict=True)]
                assert plain(made[0]) == plain(made[1]), action
        for (address, one), (_, other) in zip(*(table.read(PLAYER) for table in tables), strict=True):
            assert one == other, address


def _miras(tables: list[Table]) -> list[TestClient]:
    return [table.clients["mira"] for table in tables]


@pytest.mark.slow
def test_a_player_who_says_the_name_of_somebody_hidden_is_told_nothing_by_it(tmp_path: Path) -> None:
    with ExitStack() as stack:
        tables = [stack.enter_context(Table(tmp_path / name).open()) for name in (SAID, OTHER)]
        for table, name in zip(tables, (SAID, OTHER), strict=True):
            table.take(do("join", name=name, id=f"hidden-{name.casefold()}", kind="npc", secret=True))
            table.clock.now += 1_000_000
            table.rung()
        for (verb, parameter), words in itertools.product(list(free_parameters(tables[0].campaign)), NAMED):
            usual = {"who": "robin", "attacker": "robin", "target": "guard", "expression": "1d20", "text": "well"}
            said = [
                plain(table.act(PLAYER, f"/c/{SHERWOOD}/act/{verb.verb}", {**usual, parameter.name: words}))
                for table in tables
            ]
            assert said[0] == said[1], (verb.verb, parameter.name, words)
            line = line_of(tables[0].campaign, "mira", verb, parameter, words)
            said = [plain(table.act(PLAYER, f"/c/{SHERWOOD}/say", {"line": line})) for table in tables]
            assert said[0] == said[1], line
            assert tables[0].rung() == tables[1].rung(), line
        for reader in READERS:
            for (address, one), (_, other) in zip(*(table.read(reader) for table in tables), strict=True):
                assert one == other, (reader.seat, address)
        log = tables[0].clients["mira"].get(f"/c/{SHERWOOD}").text
        assert f"beware the {SAID}" in log
