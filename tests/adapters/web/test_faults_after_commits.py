"""What goes wrong once something is recorded is a warning with the answer, and what was sent is in the history once."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from rollbook.adapters.web.api.routes import ENDPOINTS
from rollbook.adapters.web.live.seat_cache import SeatCache
from rollbook.adapters.web.routes import PAGES
from rollbook.adapters.web.workers.campaign_workers import WarmCampaign
from rollbook.application.host_settings import HostSettings, change_settings
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId
from tests.support.after_commits import OF_THE_ENGINE, Faults
from tests.support.api import API, Program, program
from tests.support.api import AT as OF_API
from tests.support.campaigns import book_with
from tests.support.example_sessions import played_example
from tests.support.forms import form_in, form_in_of
from tests.support.newcomer_forms import interviewed
from tests.support.picture_files import picture_file
from tests.support.web import GM, MIRA, SHERWOOD, Clients, StoreFiles, clients_of, copied
from tests.support.web_corrections import apply, preview, send

HTMX = {"HX-Request": "true"}
AT = f"/c/{SHERWOOD}"
DRACULAS_BLOW = 24
Armed = Callable[[], Any]
Case = Callable[[Clients, Armed, dict[str, str]], Response]


def post(client: Any, path: str, headers: dict[str, str], **data: str | list[str]) -> Response:
    return client.post(path, data=data, headers=headers, follow_redirects=False)


def plain(path: str, identity: Any = GM, **data: str) -> Case:
    """A form that is sent as it is."""

    def case(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
        client = clients.as_(identity)
        client.get(AT)
        with armed():
            return post(client, path, headers, **data)

    return case


def answered(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    post(clients.as_(MIRA), f"{AT}/x-card", {})
    return plain(f"{AT}/x-card/answer", how="resume")(clients, armed, headers)


def corrected(path: str, **said: str) -> Case:
    """A correction, from its preview on."""

    def case(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
        gm = clients.as_(GM)
        if path.startswith("redo"):
            apply(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), reason="a mistake")
        page = preview(gm, path, **said)
        with armed():
            return apply(gm, page, reason=said.get("fix.reason", "as it was meant"), headers=headers)

    return case


def played_on(gm: Any, *lines: str) -> int:
    """The number of the last action."""
    for line in lines:
        assert post(gm, f"{AT}/say", {}, line=line).status_code == 303
    return max(int(found) for found in re.findall(r'id="a(\d+)"', gm.get(AT).text))


def playing(case: Case) -> Case:
    """The same while a session is open."""

    def played(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
        played_on(clients.as_(GM), "open-session Again")
        return case(clients, armed, headers)

    return played


def by_program(clients: Clients) -> Program:
    """A program that acts from the GM's seat."""
    store = clients.app.store
    assert isinstance(store, Path)
    return program(clients, StoreFiles(store, store.parent / "seeds"), "Ana")


def acted_by_program(clients: Clients, armed: Armed, _: dict[str, str]) -> Response:
    one = by_program(clients)
    with armed():
        return one.post(f"{OF_API}/act", {"verb": "note", "params": {"text": "It rains."}})


def corrected_by_program(clients: Clients, armed: Armed, _: dict[str, str]) -> Response:
    one = by_program(clients)
    shown = one.previewed(kind="undo", action=DRACULAS_BLOW).json()
    with armed():
        return one.applied(shown["preview"], reason="a mistake")


def overridden(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    gm = clients.as_(GM)
    action = played_on(gm, "open-session Again", "roll 1d1000000")
    page = send(gm, gm.get(f"{AT}/override/{action}"), "look", **{"fix.over": "7", "fix.reason": "cocked"})
    with armed():
        return apply(gm, page, headers=headers)


def thought_again(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    gm, mira = clients.as_(GM), clients.as_(MIRA)
    action = played_on(gm, "open-session Again", "attack robin sheriff unarmed --dice 2")
    form = mira.get(f"{AT}/think-again/{action}")
    with armed():
        return send(mira, form, "apply", headers, **{"fix.faces": "1"})


def adopted(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    gm = clients.as_(GM)
    found = re.search(r'name="base" value="(\d+)"', gm.get(f"{AT}/gm/adopt", params={"ruleset": "powers"}).text)
    assert found
    with armed():
        return post(gm, f"{AT}/gm/adopt", headers, ruleset="powers", base=found[1])


def picked(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    lee = type(MIRA)(campaign=SHERWOOD, seat="Lee", role=MIRA.role)
    chosen = {"who": "count-dracula", "choice": "heritage-ability", "picked": "str"}
    return plain(f"{AT}/choices", lee, **chosen)(clients, armed, headers)


def revealed(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    hidden = played_on(clients.as_(GM), "note 'the Sheriff waits' --secret")
    return plain(f"{AT}/gm/secrets", actions=str(hidden))(clients, armed, headers)


def shown(path: str, identity: Any, **data: str) -> Case:
    """A form that is sent with a picture."""

    def case(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
        client = clients.as_(identity)
        client.get(AT)
        files = {"picture": ("red.png", picture_file(), "image/png")}
        with armed():
            return client.post(path, data=data, files=files, headers=headers, follow_redirects=False)  # type: ignore[no-any-return]

    return case


def withdrawn(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    post(clients.as_(MIRA), f"{AT}/x-card", {}, mistake="of this page")
    return plain(f"{AT}/x-card/back", MIRA, mistake="of this page")(clients, armed, headers)


def rolled_for(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    mira, roles = clients.as_(MIRA), ["fighting", "noble", "thieving"]
    end, _ = interviewed(mira, AT, {"name": "Wren", "heritage": "human", "roles": roles})
    with armed():
        return post(mira, f"{AT}/join/roll", headers, **form_in_of(end, f"{AT}/join/roll"))


WREN = {"name": "Wren", "heritage": "demigod", "roles": ["fighting", "noble"], "scores": "11,15,12,14,13,16"}


def came_in(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    gm = clients.as_(GM)
    end, _ = interviewed(gm, AT, WREN)
    with armed():
        return post(gm, f"{AT}/join", headers, **form_in(end, "newcomer-end"))


def confirmed(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    gm, mira = clients.as_(GM), clients.as_(MIRA)
    end, _ = interviewed(mira, AT, WREN)
    asked = post(mira, f"{AT}/join/ask", {}, **form_in(end, "newcomer-end")).headers["location"]
    with armed():
        return post(gm, asked, headers)


def begun_alone(clients: Clients, armed: Armed, headers: dict[str, str]) -> Response:
    """A GM begins another campaign, where the host allows it."""
    ana = type(MIRA)(campaign=SHERWOOD, seat="Ana", role=GM.role)
    with StoreFiles(clients.app.store, clients.app.store.parent / "seeds").book() as book:
        change_settings(book.seeds.host_notes(), lambda _: HostSettings(self_service=1))
    return plain(f"{AT}/gm/another", ana, name="Elsewhere", ruleset="grid")(clients, armed, headers)


C = "/c/{campaign}"
CASES: dict[str, Case] = {
    f"{C}/do/{{verb}}": plain(f"{AT}/do/note", text="A shout."),
    f"{C}/say": plain(f"{AT}/say", line="note 'A shout.'"),
    f"{C}/choices": picked,
    f"{C}/tray": playing(plain(f"{AT}/tray", die="20")),
    f"{C}/talk": plain(f"{AT}/talk", MIRA, words="A shout."),
    f"{C}/handouts": shown(f"{AT}/handouts", GM, title="The mill", to="table"),
    f"{C}/portraits": shown(f"{AT}/portraits", MIRA, who="robin-hood", alt="a hood"),
    f"{C}/board/map": shown(f"{AT}/board/map", GM, across="9"),
    f"{C}/join/roll": playing(rolled_for),
    f"{C}/join": playing(came_in),
    f"{C}/newcomer/{{request}}": playing(confirmed),
    f"{C}/welcome/session": plain(f"{AT}/welcome/session"),
    f"{C}/x-card": plain(f"{AT}/x-card", MIRA),
    f"{C}/x-card/back": withdrawn,
    f"{C}/x-card/answer": answered,
    f"{C}/undo/{{action}}": corrected(f"undo/{DRACULAS_BLOW}"),
    f"{C}/redo/{{action}}": corrected(f"redo/{DRACULAS_BLOW}"),
    f"{C}/amend/{{action}}": corrected("amend/13", hp="41"),
    f"{C}/insert/{{action}}": corrected(f"insert/{DRACULAS_BLOW}", **{"fix.line": "note 'A shout.'"}),
    f"{C}/undo-correction/{{action}}": corrected("undo-correction/last"),
    f"{C}/adjust/{{action}}": corrected(
        f"adjust/{DRACULAS_BLOW}", **{"fix.who": "guard", "fix.what": "hp", "fix.by": "+3", "fix.reason": "a potion"}
    ),
    f"{C}/override/{{action}}": overridden,
    f"{C}/think-again/{{action}}": thought_again,
    f"{C}/gm/secrets": revealed,
    f"{C}/gm/rules": plain(f"{AT}/gm/rules", **{"setting.assign": "free"}),
    f"{C}/gm/adopt": adopted,
    f"{C}/gm/timelines": plain(f"{AT}/gm/timelines", why="what if"),
    f"{C}/gm/seats": plain(f"{AT}/gm/seats", name="Eve", role="player"),
    f"{C}/gm/seats/sit": plain(f"{AT}/gm/seats/sit", seat="Jo"),
    f"{C}/gm/seats/invite": plain(f"{AT}/gm/seats/invite", names="Eve, Max"),
    f"{C}/gm/another": begun_alone,
    "/host/tables": plain("/host/tables", name="Elsewhere", gm="Nora", ruleset="grid"),
    "/host/link": plain("/host/link", campaign=SHERWOOD, seat="Nora"),
    f"{API}/campaigns/{{campaign}}/act": acted_by_program,
    f"{API}/campaigns/{{campaign}}/previews/{{job}}/apply": corrected_by_program,
    "/new": plain("/new", ruleset="storytoken", name="Elsewhere"),
}
"""How each route that records is asked to, by its path."""
ELSEWHERE = {
    f"{C}/foes": "a setting of pages, no entry",
    f"{C}/preview/{{job}}/leave": "ends slow work",
    **dict.fromkeys((f"{C}/join/ask", f"{C}/request/{{request}}/drop"), "a request that waits, no entry"),
    f"{C}/macros": "a line beside the store, no entry",
    f"{C}/gm/redact": "removes words: what is left of them afterwards is an error, and it may be said again",
    "/host/person/remove": "removes words of many tables: what is left afterwards is said, and it may be said again",
    "/host/person/export": "a file, no entry",
    "/host/limit": "a note of the host, no entry",
    "/host/delete": "deletes entries, and says where what was deleted still lies",
    **dict.fromkeys((f"{C}/record/audit", f"{C}/record/export"), "slow work"),
    **dict.fromkeys((f"{C}/gm/rerun", f"{C}/gm/compare", f"{C}/gm/audit", f"{C}/gm/export"), "slow work"),
    **dict.fromkeys((f"{C}/gm/backup", "/import"), "slow work, whose page says what came of it"),
    **dict.fromkeys(
        (f"{C}/gm/seats/link", f"{C}/gm/seats/revoke", "/host/revoke", "/join/{token}", "/leave"), "links, no entry"
    ),
    **dict.fromkeys((f"{C}/tokens", f"{C}/tokens/revoke"), "tokens, no entry"),
    f"{API}/campaigns/{{campaign}}/previews": "a preview, no entry",
    f"{API}/campaigns/{{campaign}}/export": "a file, no entry",
}
"""Routes of forms that record nothing in their answer, and why."""


PLACES: dict[str, tuple[type, str, Exception]] = {
    **OF_THE_ENGINE,
    "the pages": (WarmCampaign, "follow", OSError(28, "No space left on device")),
    "the editions": (WarmCampaign, "edition", RollbookError("The game cannot say it.")),
}


def rows(files: StoreFiles) -> int:
    with closing(sqlite3.connect(files.store)) as store, store:
        return int(store.execute("SELECT COUNT(*) FROM stored_events").fetchone()[0])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> StoreFiles:
    folder = tmp_path_factory.mktemp("played")
    campaign = played_example("sherwood", folder)
    book_with(campaign).close()
    return StoreFiles(folder / "sherwood.db", folder / "seeds")


def recorded(
    files: StoreFiles, folder: Path, case: Case, headers: dict[str, str], faults: Faults
) -> tuple[int, Response]:
    """How many rows a case makes in a copy of the store, and its answer."""
    folder.mkdir()
    own = copied(files, folder)
    before = rows(own)
    with clients_of(own) as clients:
        answer = case(clients, faults.armed, headers)
    return rows(own) - before, answer


_expected: dict[str, int] = {}


WAYS = [("the read model", HTMX), *((place, HTMX if number % 2 else {}) for number, place in enumerate(PLACES))]
"""Forms that are sent by the page's script, and forms that lead elsewhere."""


QUICK = 3
"""Every run has one in so many of the ways, of each route others; all of them together take minutes."""


@pytest.mark.parametrize(
    ("path", "place", "headers"),
    [
        pytest.param(path, place, headers, marks=() if (row + column) % QUICK == 0 else pytest.mark.slow)
        for row, path in enumerate(CASES)
        for column, (place, headers) in enumerate(WAYS)
    ],
)
def test_what_is_recorded_is_a_success_whatever_follows(
    played: StoreFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, place: str, headers: dict[str, str]
) -> None:
    if path not in _expected:
        many, answer = recorded(played, tmp_path / "well", CASES[path], {}, Faults())
        assert answer.status_code < 400 and many > 0, answer.text
        _expected[path] = many
    faults = Faults()
    faults.into(monkeypatch, *PLACES[place])
    many, answer = recorded(played, tmp_path / "ill", CASES[path], headers, faults)
    assert (answer.status_code < 400, many) == (True, _expected[path]), (faults.seen, answer.text)
    if faults.seen:
        assert answer.status_code == 200 and "Recorded. But: " in answer.text
        assert "That did not work" not in answer.text


def test_every_form_is_in_one_list() -> None:
    assert {page.path for page in (*PAGES, *ENDPOINTS) if page.acts} == {*CASES, *ELSEWHERE}


def test_who_sits_there_is_looked_up_by_the_next_request_where_it_cannot_be_at_once(
    clients: Clients, sherwood: StoreFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm, before = clients.as_(GM), rows(sherwood)
    assert gm.get(AT).status_code == 200

    async def failing(_: SeatCache, __: CampaignId) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as armed:
        armed.setattr(SeatCache, "_seated", failing)
        assert post(gm, f"{AT}/say", {}, line="note 'A shout.'").status_code == 303
    assert rows(sherwood) == before + 1
    assert gm.get(AT).status_code == 200
