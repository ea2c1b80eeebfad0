"""The examples of docs/http-api.md run as they stand, and so does the webhook; its table lists every endpoint."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from rollbook.adapters.web.api.endpoint import Endpoint
from rollbook.adapters.web.api.reading import USUAL_LINES
from rollbook.adapters.web.guards.asked import API
from rollbook.application.ports.seat_tokens import MARK, Scope
from tests.support.api import token_of
from tests.support.processes import ROOT, run
from tests.support.web import SHERWOOD, Running, StoreFiles, until

PAGE = (ROOT / "docs" / "http-api.md").read_text(encoding="utf-8")
WEBHOOK = ROOT / "examples" / "webhook.py"
ROW = re.compile(r"^\| `(GET|POST) ([^`]+)` \| (\w+) \|", re.MULTILINE)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_every_language_of_a_block_is_run_here() -> None:
    assert set(re.findall(r"^```(\w+)$", PAGE, re.MULTILINE)) == {"sh", "python"}
    assert len(blocks("sh")) == 2


def test_the_table_is_the_list_of_endpoints(served: Running) -> None:
    endpoints = {(page.method, page.path, str(page.scope)) for page in served.app.pages if isinstance(page, Endpoint)}
    listed = {(method, path.replace("…/", f"{API}/campaigns/"), scope) for method, path, scope in ROW.findall(PAGE)}
    assert listed == endpoints
    scopes = re.findall(r"^\| `(\w+)` \| (?!says)", PAGE, re.MULTILINE)
    assert scopes == [scope.value for scope in Scope]


def test_the_commands_can_be_typed(sherwood: StoreFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLBOOK_STORE", str(sherwood.store))
    monkeypatch.setenv("ROLLBOOK_SEEDS", str(sherwood.seeds))
    for line in blocks("sh")[0].splitlines():
        done = run(*shlex.split(line)[1:], folder=sherwood.store.parent)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        assert ("dice bot" in done.stdout) or done.stdout.startswith(MARK), line


def test_the_python_runs_from_top_to_bottom(
    served: Running, sherwood: StoreFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sherwood.book() as book:
        token = token_of(served.app, book.campaign(SHERWOOD), "Mira")
    monkeypatch.setenv("ROLLBOOK_SERVER", served.address)
    monkeypatch.setenv("ROLLBOOK_TOKEN", token)
    names: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, "docs/http-api.md", "exec"), names)


class Chat(BaseHTTPRequestHandler):
    """A chat that takes messages."""

    said: list[str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).said.append(json.loads(body)["content"])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def chat() -> Iterator[tuple[str, list[str]]]:
    """A local HTTP server, and what was posted there."""
    handler = type("OwnChat", (Chat,), {"said": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook", handler.said  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()


@contextmanager
def posting(served: Running, token: str, hook: str, folder: Path) -> Iterator[None]:
    """The webhook runs, and listens."""
    command = [sys.executable, str(WEBHOOK), served.address, SHERWOOD, hook]
    environment = {**os.environ, "ROLLBOOK_TOKEN": token}
    with subprocess.Popen(command, env=environment, cwd=folder) as process:
        try:
            until(lambda: served.app.hub.listening_to(SHERWOOD) == 1, 20)
            yield
        finally:
            process.terminate()


@pytest.mark.process
def test_the_webhook_posts_what_the_seat_may_see_and_nothing_else(
    served: Running, sherwood: StoreFiles, chat: tuple[str, list[str]], tmp_path: Path
) -> None:
    hook, said = chat
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        token = token_of(served.app, campaign, "Mira", Scope.READ)
        with posting(served, token, hook, tmp_path):
            campaign.do("note", {"text": "It rains."})
            until(lambda: said, 20)
            campaign.do("note", {"text": "zyxel", "to": "gm"})
            campaign.do("note", {"text": "It snows."})
            until(lambda: len(said) > 1, 20)
    assert len(said) == 2 and "It rains." in said[0] and "It snows." in said[1]


@pytest.mark.process
def test_the_webhook_says_what_was_undone_and_why(
    served: Running, sherwood: StoreFiles, chat: tuple[str, list[str]], tmp_path: Path
) -> None:
    hook, said = chat
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        token = token_of(served.app, campaign, "Mira", Scope.READ)
        rain = campaign.do("note", {"text": "It rains."}).action
        with posting(served, token, hook, tmp_path):
            campaign.corrections.undo(rain, reason="the sun shines").apply()
            until(lambda: said, 20)
            campaign.corrections.redo(rain, reason="or not").apply()
            until(lambda: len(said) > 1, 20)
    note = "Ana writes a note: It rains."
    assert said == [f"Ana undoes #{rain}: the sun shines ({note})", f"Ana redoes #{rain}: or not ({note})"]


@pytest.mark.process
def test_the_webhook_posts_nothing_again_after_words_were_removed(
    served: Running, sherwood: StoreFiles, chat: tuple[str, list[str]], tmp_path: Path
) -> None:
    hook, said = chat
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        for number in range(USUAL_LINES):
            private = campaign.do("note", {"text": f"Line {number}."})
        token = token_of(served.app, campaign, "Mira", Scope.READ)
        with posting(served, token, hook, tmp_path):
            campaign.do("note", {"text": "It rains."})
            until(lambda: said, 20)
            campaign.redact(private.action, why="private")
            until(lambda: served.app.hub.listening_to(SHERWOOD) == 1, 20)
            for text in ("It snows.", "It clears."):
                time.sleep(1)
                campaign.do("note", {"text": text})
            until(lambda: "It clears." in said[-1], 20)
    assert len(said) == len(set(said)) and not [text for text in said if "Line " in text]


def test_the_webhook_is_as_short_as_the_page_says() -> None:
    code = WEBHOOK.read_text(encoding="utf-8").partition('"""\n\n')[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 30
