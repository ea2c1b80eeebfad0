"""Every endpoint of the HTTP API is asked for with every scope and from every role, and answers as its document says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import validate

from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.web.api.endpoint import LINES, Endpoint
from rollbook.adapters.web.guards.asked import API
from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.serving.app import WebTable
from rollbook.application.ports.seat_tokens import Scope
from rollbook.domain.events import Role
from rollbook.domain.history.event_store import START
from tests.support.api import AT, BODIES, Program, program
from tests.support.web import GM, MIRA, SHERWOOD, Clients, StoreFiles
from tests.support.web_routes import addresses

DOCUMENT = f"{API}/openapi.json"
NEEDS = {
    **dict.fromkeys(
        ("campaigns", "campaign", "state", "sheets", "sheet", "log", "verbs", "odds", "events"), Scope.READ
    ),
    "act": Scope.ACT,
    "preview": Scope.CORRECT,
    "preview-progress": Scope.CORRECT,
    "correct": Scope.CORRECT,
    "export": Scope.EXPORT,
}
"""The scope that each endpoint needs. A new one fails the first test until it is here."""
SEATS = {Role.GM: "Ana", Role.PLAYER: "Mira", Role.SPECTATOR: "Sam"}


def endpoints(app: WebTable) -> Iterator[Endpoint]:
    return (page for page in app.pages if isinstance(page, Endpoint))


def entries(files: StoreFiles) -> int:
    store = SQLiteEventStore(files.store, create=False)
    try:
        return len(list(store.changes(START)))
    finally:
        store.close()


def asked(one: Program, page: Page, body: Any = None) -> Any:
    address = next(addresses(page))
    return one.post(address, body) if page.acts else one.get(address)


@pytest.fixture(autouse=True)
def ended(clients: Clients) -> None:
    """A stream ends as soon as it has begun."""
    clients.app.hub.is_closing = True


def test_every_endpoint_has_a_scope_and_every_page_of_the_api_is_one(app: WebTable) -> None:
    assert {each.name: each.scope for each in endpoints(app)} == NEEDS
    others = [page for page in app.pages if page.path.startswith(API) and not isinstance(page, Endpoint)]
    assert [page.path for page in others] == [DOCUMENT]
    assert all(page.scope is None for page in app.pages if not isinstance(page, Endpoint))


@pytest.mark.parametrize("scope", Scope)
def test_a_token_does_what_its_scope_names_and_nothing_else(
    clients: Clients, sherwood: StoreFiles, scope: Scope
) -> None:
    one, before = program(clients, sherwood, "Mira", scope), entries(sherwood)
    for page in endpoints(clients.app):
        answer = asked(one, page)
        if page.scope is scope:
            assert answer.status_code not in (401, 403, 405) and answer.status_code < 500, page.name
        else:
            assert answer.status_code == 403, page.name
            assert answer.json()["title"] == "Not by this token"
            assert f"the scope {page.scope}" in answer.json()["detail"]
    assert entries(sherwood) == before


@pytest.mark.parametrize("role", Role)
def test_a_token_does_no_more_than_its_seat(clients: Clients, sherwood: StoreFiles, role: Role) -> None:
    one = program(clients, sherwood, SEATS[role])
    for page in endpoints(clients.app):
        status = asked(one, page).status_code
        assert (status == 403) == (role not in page.roles), page.name


def test_neither_a_cookie_nor_nothing_opens_an_endpoint_and_a_token_opens_no_page(
    clients: Clients, sherwood: StoreFiles
) -> None:
    mira, stranger = clients.as_(MIRA), Program(clients.as_(None), "")
    for page in endpoints(clients.app):
        for answer in (mira.request(page.method, next(addresses(page))), asked(stranger, page)):
            assert answer.status_code == 401, page.name
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert answer.headers["content-type"] == "application/problem+json"
    one = program(clients, sherwood, "Mira")
    for path in (f"/c/{SHERWOOD}", f"/c/{SHERWOOD}/act", "/"):
        assert one.get(path).status_code == 401
    cookies = clients.as_(None)
    cookies.cookies.set(clients.app.sessions.cookies[-1], one.token)
    assert cookies.get(f"/c/{SHERWOOD}").status_code == 401
    as_bearer = Program(clients.as_(None), clients.as_(MIRA).cookies[clients.app.sessions.cookies[-1]])
    assert as_bearer.get(AT).status_code == 401


def test_a_token_leads_to_its_own_campaign_alone(clients: Clients, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        book.new("Nottingham", "storytoken").do("take-seat", {"seat": "Mira"})
    one = program(clients, sherwood, "Mira")
    assert [row["campaign"] for row in one.get(f"{API}/campaigns").json()["campaigns"]] == [SHERWOOD]
    for elsewhere in ("nottingham", "no-such-campaign", f"{SHERWOOD}~1"):
        assert one.get(f"{API}/campaigns/{elsewhere}/state").status_code == 401


def test_the_document_is_one_and_anybody_may_read_it(clients: Clients, app: WebTable) -> None:
    document = clients.as_(None).get(DOCUMENT).json()
    validate(document)
    assert document["openapi"].startswith("3.1.")
    listed = {(path, method) for path, item in document["paths"].items() for method in item}
    assert listed == {(page.path, page.method.lower()) for page in endpoints(app)}
    for item in document["paths"].values():
        for operation in item.values():
            assert operation["security"] == [{"token": [NEEDS[operation["operationId"]]]}]


def checked(document: dict[str, Any], page: Endpoint, answer: Any) -> None:
    """Fail unless an answer is as the document says."""
    kind = answer.headers["content-type"].partition(";")[0]
    said = document["paths"][page.path][page.method.lower()]["responses"][str(answer.status_code)]["content"]
    assert list(said) == [kind], (page.name, answer.status_code)
    if kind.endswith("json") and kind != LINES:
        schema = {**said[kind]["schema"], "components": document["components"]}
        jsonschema.Draft202012Validator(schema).validate(answer.json())


@pytest.mark.parametrize("seat", SEATS.values())
def test_every_answer_is_as_the_document_says(clients: Clients, sherwood: StoreFiles, seat: str) -> None:
    one, document = program(clients, sherwood, seat), clients.as_(GM).get(DOCUMENT).json()
    statuses = set()
    for page in endpoints(clients.app):
        if page.name == "events":
            continue
        for address in addresses(page):
            for body in BODIES[page.name] if page.acts else (None,):
                answer = one.post(address, body) if page.acts else one.get(address)
                checked(document, page, answer)
                statuses.add(answer.status_code)
    assert statuses >= ({200, 403} if seat == "Sam" else {200, 404, 422})


def test_what_is_misspelt_is_said_and_not_left_out(clients: Clients, sherwood: StoreFiles) -> None:
    one = program(clients, sherwood, "Ana")
    for address in (f"{AT}/log?afer=0.", f"{AT}/state?x=1", f"{AT}/odds/attack?atacker=robin"):
        assert one.get(address).status_code == 404
    for path, body in (
        ("act", {"verb": "attack", "parms": {}}),
        ("act", {"verb": "roll", "params": {"expresion": "1d20"}}),
        ("previews", {"kind": "undo", "action": 20, "reson": "so"}),
        ("export", {"format": "pdf"}),
    ):
        answer = one.post(f"{AT}/{path}", body)
        assert answer.status_code == 404 and "There is no " in answer.json()["detail"], body


ODD: tuple[tuple[bytes, str], ...] = (
    (b"", "application/json"),
    (b"[]", "application/json"),
    (b"null", "application/json"),
    (b"{", "application/json"),
    (b'{"verb": 5}', "application/json"),
    (b'{"verb": "\\ud800"}', "application/json"),
    (b'{"verb": "roll", "params": {"expression": [[]]}}', "application/json"),
    (b'{"verb": "roll", "dice": [1.5]}', "application/json"),
    (b'{"verb": "roll", "dice": [99999999999999999999999]}', "application/json"),
    (b"[" * 100_000, "application/json"),
    (b"\xff", "application/json"),
    (b"verb=roll", "application/x-www-form-urlencoded"),
    (b"{}", "text/plain"),
    (b"{}", "application/json; charset=utf-16"),
)


@pytest.mark.parametrize(("body", "kind"), ODD)
def test_an_odd_body_is_refused_in_a_sentence(clients: Clients, sherwood: StoreFiles, body: bytes, kind: str) -> None:
    one, before = program(clients, sherwood, "Ana"), entries(sherwood)
    headers = {"Authorization": f"Bearer {one.token}", "Content-Type": kind}
    answer = one.client.post(f"{AT}/act", content=body, headers=headers)
    assert answer.status_code in ((415,) if kind != "application/json" else (404, 422))
    said = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert said["status"] == answer.status_code and said["detail"].endswith((".", "?"))
    assert "msgspec" not in said["detail"] and "Traceback" not in said["detail"]
    assert entries(sherwood) == before
