"""Every route: reading changes nothing, redirects stay at the table, and what was typed is shown as it was typed.

The routes are those of the application, so a new one cannot be forgotten.
"""

from __future__ import annotations

import http.client
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from httpx2 import Response
from starlette.testclient import TestClient

from rollbook.adapters.web.pages.page import Page
from rollbook.adapters.web.seats.requester import Identity
from rollbook.adapters.web.serving.app import WebTable
from rollbook.adapters.web.serving.static_files import FOLDER
from tests.support.web import GM, MIRA, SHERWOOD, SPECTATOR, Clients, Running, StoreFiles

ASKERS: dict[str, Identity | None] = {"the host": GM, "a player": MIRA, "a spectator": SPECTATOR, "a stranger": None}
PARTS = {
    "campaign": SHERWOOD,
    "token": "nonsense",
    "n": "20",
    "number": "20",
    "who": "robin",
    "key": "hp",
    "verb": "attack",
    "digest": "0",
    "file": "app.js",
    "job": "1",
    "id": "1",
}
"""What stands in a path in the place of each parameter, "1" where nothing is said."""
ENDLESS = "/c/{campaign}/stream"


def path_of(page: Page) -> str:
    return re.sub(r"\{(\w+)(?::path)?\}", lambda found: PARTS.get(found[1], "1"), page.path)


def routes(app: WebTable) -> Iterator[Page]:
    return (page for page in app.pages if page.path != ENDLESS)


def ask(client: TestClient, page: Page) -> Response:
    return client.request(page.method, path_of(page), follow_redirects=False)


def test_what_changes_anything_is_a_form(clients: Clients, sherwood: StoreFiles) -> None:
    asked = [clients.as_(identity) for identity in ASKERS.values()]
    with closing(sqlite3.connect(sherwood.store)) as look:
        before = look.execute("PRAGMA data_version").fetchone()
        for client in asked:
            for page in routes(clients.app):
                assert page.method in ("GET", "POST")
                if page.method == "GET":
                    ask(client, page)
        assert look.execute("PRAGMA data_version").fetchone() == before


def test_redirects_stay_at_the_table(clients: Clients) -> None:
    found = 0
    odd = {"to": "//evil.example", "next": "https://evil.example", "seat": "Mira"}
    for page in routes(clients.app):
        gm = clients.as_(GM)
        path = f"{path_of(page)}?to=//evil.example"
        answer = gm.post(path, data=odd, follow_redirects=False) if page.acts else gm.get(path, follow_redirects=False)
        if "location" in answer.headers:
            found += 1
            assert re.match(r"/(?!/)", answer.headers["location"]), page.path
    assert found > 0


def test_every_page_says_in_which_letters_it_is(clients: Clients) -> None:
    kinds = {ask(clients.as_(GM), page).headers.get("content-type", "none") for page in routes(clients.app)}
    assert "text/html; charset=utf-8" in kinds
    assert [kind for kind in kinds if kind.startswith("text/") and "charset=utf-8" not in kind] == []


def test_markup_in_names_and_words_is_shown_as_it_was_typed(clients: Clients) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    gm = clients.as_(GM)
    assert gm.post(f"/c/{SHERWOOD}/say", data={"line": f"note '{hostile}'"}).status_code in (200, 303)
    assert gm.post(f"/c/{SHERWOOD}/gm/seats", data={"name": hostile, "role": "player"}).status_code == 200
    shown = 0
    for page in routes(clients.app):
        if page.method == "GET":
            text = ask(gm, page).text
            assert "<script>alert" not in text and "<img src=x" not in text, page.path
            shown += "&lt;script&gt;alert(1)" in text
    assert shown >= 2


def test_files_of_the_package_are_served_and_no_others(clients: Clients) -> None:
    stranger = clients.as_(None)
    address = clients.app.files.address("app.js")
    assert stranger.get(address).status_code == 200
    odd = ("../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "vendor/../../app.py", "", ".", "app.js/")
    for name in odd:
        answer = stranger.get(f"{address.removesuffix('app.js')}{name}")
        assert answer.status_code in (404, 405) and "import" not in answer.text, name


def test_nothing_is_put_into_a_store_of_the_browser_but_signals_that_were_switched_on(gm: TestClient) -> None:
    assert '"history":false' in gm.get("/").text, "htmx keeps no pages"
    for script in (path for path in FOLDER.glob("*.js") if path.name != "signals.js"):
        assert not re.search(r"localStorage|sessionStorage|indexedDB|document\.cookie|caches\.", script.read_text()), (
            script
        )


def test_no_answer_says_what_runs_here(served: Running) -> None:
    for method, path in (("GET", "/"), ("POST", "/"), ("GET", "/nowhere"), ("BREW", "/")):
        connection = http.client.HTTPConnection(served.address.removeprefix("http://"))
        connection.request(method, path)
        answer = connection.getresponse()
        said = {name.casefold() for name, _ in answer.getheaders()}
        assert not said & {"server", "x-powered-by", "via"}, said
        assert b"Traceback" not in answer.read() and answer.status in (400, 401, 404, 405)
        connection.close()
